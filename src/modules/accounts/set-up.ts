/**
 * The set-up of the first start: creates the first account, its company and its Owner, once. It requires the token
 * that the start prints; the database stores what the token is derived from, together with the first of the encryption
 * keys.
 */
import type { Kysely } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { SetUp } from '../../contract/dashboard/session.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import { assignOwnerlessAccounts, hasPerson, makeAccount } from './make-account.ts'
import { hashPassword } from './password.ts'
import { startSession, type Client } from './start-session.ts'
import type { KeyRing } from '../../infra/secrets/key-ring.ts'

/**
 * Runs at each start: opens the set-up while no person is known, and returns its token to be printed. Processes that
 * start within a day return the same one, so that every printed link works. Returns null when set-up was used or is not
 * needed. If it was used, its Owner gets every account without a member by then (the demonstration's).
 */
export async function openSetUp(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  keyRing: Pick<KeyRing, 'prove'>,
): Promise<string | null> {
  const now = clock.now()
  return transaction(db, async (tx) => {
    const row = await tx
      .selectFrom('setUp')
      .select(['closedAt', 'personId'])
      .forUpdate()
      .executeTakeFirst()
    if (row?.closedAt) {
      if (row.personId) await assignOwnerlessAccounts(tx, { ids, now }, row.personId)
      return null
    }
    if (await hasPerson(tx)) return null
    const columns = { seed: ids.token(SIGN_IN_LIMITS.tokenBytes), openedAt: now }
    const renewedBefore = new Date(now.getTime() - SIGN_IN_LIMITS.setUpTokenMs)
    await tx
      .insertInto('setUp')
      .values(columns)
      // A second first start at the same time waits here, and keeps the seed of the other one.
      .onConflict((conflict) =>
        conflict
          .column('isOnly')
          .doUpdateSet(columns)
          .where('setUp.openedAt', '<=', renewedBefore)
          .where('setUp.closedAt', 'is', null),
      )
      .execute()
    const { seed, closedAt } = await tx
      .selectFrom('setUp')
      .select(['seed', 'closedAt'])
      .executeTakeFirstOrThrow()
    return closedAt === null ? tokenOf(keyRing, seed) : null
  })
}

const tokenOf = (keyRing: Pick<KeyRing, 'prove'>, seed: string): string =>
  keyRing.prove(Buffer.from(seed), 'set-up').toString('base64url')

/** Returns whether the set-up page is open, because no person has used the set-up yet. */
export async function needsSetUp(db: Kysely<DB>): Promise<boolean> {
  const row = await db.selectFrom('setUp').select('closedAt').executeTakeFirst()
  return row !== undefined && row.closedAt === null
}

/**
 * Creates the first account with its Owner, who also gets the accounts without a member, and returns a session for
 * them.
 * @throws forbidden for a wrong token; conflict once set-up was used.
 */
export async function setUp(
  { db, ids, clock, keyRing }: Context & { keyRing: Pick<KeyRing, 'isProof'> },
  client: Client,
  input: SetUp,
): Promise<{ token: string; device: string | null }> {
  const now = clock.now()
  // The token is checked before the password is hashed: a hash is too expensive for unauthenticated requests.
  await requireOpen(db.kysely, keyRing, input.setupToken)
  const passwordHash = await hashPassword(input.password)
  const personId = ids.uuid()
  const accountId = ids.uuid()
  return transaction(db, async (tx) => {
    // The second of two concurrent requests waits here, and then finds the set-up closed.
    await requireOpen(tx, keyRing, input.setupToken)
    await tx.updateTable('setUp').set({ closedAt: now }).execute()
    const owner = { personId, accountId, passwordHash, ...input }
    await makeAccount(tx, { ids, now }, owner)
    await tx.updateTable('setUp').set({ personId }).execute()
    await assignOwnerlessAccounts(tx, { ids, now }, personId)
    const actor = { accountId, personId }
    const { token, device } = await startSession(tx, { ids, now }, { ...actor, client })
    return { token, device }
  })
}

async function requireOpen(
  tx: Kysely<DB>,
  keyRing: Pick<KeyRing, 'isProof'>,
  token: string,
): Promise<void> {
  const row = await tx
    .selectFrom('setUp')
    .select(['seed', 'closedAt'])
    .forUpdate()
    .executeTakeFirst()
  if (!row || row.closedAt) {
    throw new ServiceError('conflict', fact('set_up_over'))
  }
  if (!keyRing.isProof(Buffer.from(token, 'base64url'), Buffer.from(row.seed), 'set-up')) {
    throw new ServiceError('forbidden', fact('set_up_token_wrong'))
  }
}
