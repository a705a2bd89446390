/**
 * The link that a start with the demonstration prints: a browser of this machine that opens it becomes the Owner of
 * the demonstration's account. Each start creates a new token and keeps only its hash, in memory. That Owner has no
 * password, so there is no other way to sign in. See docs/decisions/0072.
 *
 * Spec: Dashboard › First sign-in.
 */
import { timingSafeEqual } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { fact } from '../../core/facts/fact.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import { recordAudit } from './record-audit.ts'
import { startSession, type Client } from './start-session.ts'

type Deps = Pick<Context, 'db' | 'ids' | 'clock'>

/** The holder of the link into the demonstration's account, which this process opens and closes. */
export type DemonstrationLink = {
  /** Returns whether this process has printed a link that is valid. */
  isOpen(): boolean
  /**
   * Opens a link into this account and returns its token, which is stored nowhere. `setLanguage` renames the
   * records of the demonstration in a language.
   */
  open(accountId: string, setLanguage?: (language: Language) => Promise<void>): Promise<string>
  /** Closes the link, and signs out clients of a link of an earlier start. */
  close(): Promise<void>
  /** @throws forbidden for a token of another start, or while there is no link */
  enter(
    client: Client,
    entering: { token: string; language: Language },
  ): Promise<{ token: string; device: string | null }>
  /** Renames the records of the demonstration in the language that its Owner has chosen. */
  setLanguage(language: Language): Promise<void>
}

/** The open link: its account, its Owner, and the hash of its token. */
type Link = {
  accountId: string
  personId: string
  hash: Buffer
  setLanguage(language: Language): Promise<void>
}

/** An address that no person can have. */
const EMAIL = 'demonstration@wasla.invalid'
const NAME = 'Demonstration'

/**
 * Creates the holder of the link that signs in to the demonstration's account without a password. No link is valid
 * until `open`.
 */
export function createDemonstrationLink({ db, ids, clock }: Deps): DemonstrationLink {
  let link: Link | null = null
  return {
    isOpen: () => link !== null,
    async open(accountId, setLanguage = () => Promise.resolve()) {
      const token = ids.cellToken(SIGN_IN_LIMITS.tokenBytes)
      const now = clock.now()
      const personId = await transaction(db, (tx) => ensureOwner(tx, { ids, now }, accountId))
      link = { accountId, personId, hash: tokenHash(token), setLanguage }
      return token
    },
    async close() {
      link = null
      await db.kysely
        .deleteFrom('session')
        .where('personId', 'in', (from) =>
          from.selectFrom('person').select('id').where('isDemonstration', '=', true),
        )
        .execute()
    },
    async setLanguage(language) {
      await link?.setLanguage(language)
    },
    async enter(client, { token, language }) {
      if (!link || !timingSafeEqual(link.hash, tokenHash(token))) {
        throw new ServiceError('forbidden', fact('demonstration_link_wrong'))
      }
      const { accountId, personId } = link
      await link.setLanguage(language)
      const now = clock.now()
      return transaction(db, async (tx) => {
        const started = await startSession(tx, { ids, now }, { personId, accountId, client })
        await recordAudit(
          tx,
          { ids, now },
          { actor: { accountId, personId }, action: 'session.started', id: started.sessionId },
        )
        return { token: started.token, device: started.device }
      })
    },
  }
}

/** Creates the demonstration's Owner where they are missing, and restores their role if another Owner changed it. */
async function ensureOwner(
  tx: Transaction<DB>,
  { ids, now }: { ids: Deps['ids']; now: Date },
  accountId: string,
): Promise<string> {
  const made = { id: ids.uuid(), email: EMAIL, name: NAME, isDemonstration: true, createdAt: now }
  await tx
    .insertInto('person')
    .values(made)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { id: personId } = await tx
    .selectFrom('person')
    .select('id')
    .where('isDemonstration', '=', true)
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('member')
    .values({ id: ids.uuid(), accountId, personId, role: 'owner', createdAt: now })
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'personId']).doUpdateSet({ role: 'owner' }),
    )
    .execute()
  return personId
}
