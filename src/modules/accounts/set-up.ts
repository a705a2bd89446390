/**
 * The first start's set-up: makes the first account, its company and its Owner, once and for good.
 * Whoever holds the token that the start prints may do it; the database holds the token's hash.
 */
import { timingSafeEqual } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { SetUp } from '../../contract/dashboard/session.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import { giveAccountsWithoutMember, isSomebodyThere, makeAccount } from './make-account.ts'
import { hashPassword } from './password.ts'
import { startSession, type Client } from './start-session.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'

/**
 * A new set-up token, to be printed at the start; null when set-up was used or is not needed. An
 * account that has no member by then (the demonstration's) gets the first Owner.
 */
export async function openSetUp({
  db,
  ids,
  clock,
}: Pick<Context, 'db' | 'ids' | 'clock'>): Promise<string | null> {
  const now = clock.now()
  const token = ids.token(SIGN_IN_LIMITS.tokenBytes)
  return transaction(db, async (tx) => {
    const row = await tx
      .selectFrom('setUp')
      .select(['closedAt', 'personId'])
      .forUpdate()
      .executeTakeFirst()
    if (row?.closedAt) {
      if (row.personId) await giveAccountsWithoutMember(tx, { ids, now }, row.personId)
      return null
    }
    if (await isSomebodyThere(tx)) return null
    const columns = { tokenHash: tokenHash(token), openedAt: now }
    await tx
      .insertInto('setUp')
      .values(columns)
      .onConflict((conflict) => conflict.column('isOnly').doUpdateSet(columns))
      .execute()
    return token
  })
}

/** Whether the token of a start still waits for whoever makes the first account. */
export async function needsSetUp(db: Kysely<DB>): Promise<boolean> {
  const row = await db.selectFrom('setUp').select('closedAt').executeTakeFirst()
  return row !== undefined && row.closedAt === null
}

/** @throws forbidden for a wrong token; conflict once set-up was used. */
export async function setUp(
  { db, ids, clock }: Context,
  client: Client,
  input: SetUp,
): Promise<{ token: string; device: string | null }> {
  const now = clock.now()
  // Before the password is hashed, which costs more than it should cost a stranger to ask for.
  await requireOpen(db.kysely, input.setupToken)
  const passwordHash = await hashPassword(input.password)
  const personId = ids.uuid()
  const accountId = ids.uuid()
  return transaction(db, async (tx) => {
    // Two at once: the second waits here and then finds it closed.
    await requireOpen(tx, input.setupToken)
    await tx.updateTable('setUp').set({ closedAt: now }).execute()
    const owner = { personId, accountId, passwordHash, ...input }
    await makeAccount(tx, { ids, now }, owner)
    await tx.updateTable('setUp').set({ personId }).execute()
    await giveAccountsWithoutMember(tx, { ids, now }, personId)
    const actor = { accountId, personId }
    const { token, device } = await startSession(tx, { ids, now }, { ...actor, client })
    return { token, device }
  })
}

async function requireOpen(tx: Kysely<DB>, token: string): Promise<void> {
  const row = await tx
    .selectFrom('setUp')
    .select(['tokenHash', 'closedAt'])
    .forUpdate()
    .executeTakeFirst()
  if (!row || row.closedAt) {
    throw new ServiceError('conflict', fact('set_up_over'))
  }
  if (!timingSafeEqual(row.tokenHash, tokenHash(token))) {
    throw new ServiceError('forbidden', fact('set_up_token_wrong'))
  }
}
