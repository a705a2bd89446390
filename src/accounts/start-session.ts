import type { Transaction } from 'kysely'
import type { DB } from '../database/tables.ts'
import type { Ids } from '../ids.ts'
import { SIGN_IN_LIMITS } from '../limits.ts'
import { cleanText, cutCodePoints } from '../rules/json-text.ts'
import type { Carrier } from './load-session.ts'
import { tokenHash } from './token-hash.ts'

/** What asks for a session: a browser or a program, and what it calls itself. */
export type Client = { carrier: Carrier; userAgent: string | null }

/**
 * Starts a session of a person whose password was just right. The token is returned here once; the
 * database holds its hash. Sessions that have ended, of anyone, are cleared away.
 */
export async function startSession(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  { personId, accountId, client }: { personId: string; accountId: string; client: Client },
): Promise<{ token: string; sessionId: string }> {
  const token = ids.token(SIGN_IN_LIMITS.tokenBytes)
  const sessionId = ids.uuid()
  const userAgent = client.userAgent && cleanText(client.userAgent)
  await tx.deleteFrom('session').where('expiresAt', '<=', now).execute()
  await tx
    .insertInto('session')
    .values({
      id: sessionId,
      tokenHash: tokenHash(token),
      personId,
      accountId,
      carrier: client.carrier,
      userAgent: userAgent && cutCodePoints(userAgent, SIGN_IN_LIMITS.userAgentChars),
      createdAt: now,
      lastSeenAt: now,
      passwordEnteredAt: now,
      expiresAt: new Date(now.getTime() + SIGN_IN_LIMITS.sessionMs),
    })
    .execute()
  return { token, sessionId }
}

/** Gives a session a new token, as after every change of what it may do; the old one is over. */
export async function rotateSession(
  tx: Transaction<DB>,
  ids: Ids,
  sessionId: string,
  change: { accountId?: string; passwordEnteredAt?: Date },
): Promise<{ token: string }> {
  const token = ids.token(SIGN_IN_LIMITS.tokenBytes)
  await tx
    .updateTable('session')
    .set({ tokenHash: tokenHash(token), ...change })
    .where('id', '=', sessionId)
    .execute()
  return { token }
}
