import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Role } from '../../core/vocabulary/accounts.ts'
import type { Actor } from './actor.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'

/** `cookie` is a browser's session, `bearer` a program's. */
export type Carrier = 'cookie' | 'bearer'

/** A valid session, with the person's current role in its account. */
export type Session = {
  id: string
  actor: Actor
  carrier: Carrier
  /** True for the demonstration's Owner, who has no password. */
  isDemonstration: boolean
  passwordEnteredAt: Date
  expiresAt: Date
  /** True when the account requires a second factor and this person has none: they can only set one up. */
  mustSetUpSecondFactor: boolean
  /** The reason for which nothing can be changed in the account; null while it works. */
  hold: string | null
}

const TOKEN = /^[A-Za-z0-9_-]{43}$/

/**
 * Returns the session of a token, with the person's current role in its account, and records that it is used. Returns
 * null when there is none, it was idle for 12 hours, is 7 days old, or the person is no longer a member.
 */
export async function loadSession(
  db: Kysely<DB>,
  { token, carrier, now }: { token: string; carrier: Carrier; now: Date },
): Promise<Session | null> {
  if (!TOKEN.test(token)) return null
  const row = await selectLiveSessions(db, now)
    .select([
      'session.id',
      'session.personId',
      'session.accountId',
      'session.passwordEnteredAt',
      'session.lastSeenAt',
      'session.expiresAt',
      'member.role',
      'person.name',
      'person.email',
      'account.needsSecondFactor',
      'account.hold',
      'secondFactor.confirmedAt',
      'person.isDemonstration',
    ])
    .where('session.tokenHash', '=', tokenHash(token))
    .where('session.carrier', '=', carrier)
    .executeTakeFirst()
  if (!row) return null
  if (now.getTime() - row.lastSeenAt.getTime() >= SIGN_IN_LIMITS.sessionSeenEveryMs) {
    await db.updateTable('session').set({ lastSeenAt: now }).where('id', '=', row.id).execute()
  }
  return {
    id: row.id,
    actor: {
      personId: row.personId,
      accountId: row.accountId,
      role: row.role as Role,
      name: row.name,
      email: row.email,
    },
    carrier,
    isDemonstration: row.isDemonstration,
    passwordEnteredAt: row.passwordEnteredAt,
    hold: row.hold,
    expiresAt: row.expiresAt,
    mustSetUpSecondFactor:
      row.needsSecondFactor && row.confirmedAt === null && !row.isDemonstration,
  }
}

/** Selects the sessions of members that are neither expired nor idle for too long. */
export function selectLiveSessions(db: Kysely<DB>, now: Date) {
  return db
    .selectFrom('session')
    .innerJoin('person', 'person.id', 'session.personId')
    .innerJoin('member', (join) =>
      join
        .onRef('member.personId', '=', 'session.personId')
        .onRef('member.accountId', '=', 'session.accountId'),
    )
    .innerJoin('account', 'account.id', 'session.accountId')
    .leftJoin('secondFactor', 'secondFactor.personId', 'session.personId')
    .where('session.expiresAt', '>', now)
    .where('session.lastSeenAt', '>', new Date(now.getTime() - SIGN_IN_LIMITS.sessionIdleMs))
}

/**
 * Requires a recently entered password, except of the demonstration's Owner, who has none.
 * @throws password_needed when the session's password was entered more than 15 minutes ago.
 */
export function requireFreshSession(session: Session | null, now: Date): void {
  if (session?.isDemonstration) return
  const enteredAt = session?.passwordEnteredAt.getTime() ?? 0
  if (now.getTime() - enteredAt > SIGN_IN_LIMITS.passwordFreshMs) {
    throw new ServiceError('password_needed', fact('password_needed'))
  }
}
