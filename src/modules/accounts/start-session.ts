import type { Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import { fact } from '../../core/facts/fact.ts'
import { cleanText, cutCodePoints } from '../../rules/text/json-text.ts'
import { ServiceError } from '../../core/service-error.ts'
import { trustDevice } from './trusted-device.ts'
import type { Carrier } from './load-session.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'

/** What asks for a session: a browser or a program, and what it calls itself. */
export type Client = {
  carrier: Carrier
  userAgent: string | null
  /** The token of a browser's other cookie, by which it is known; null where it has none. */
  device: string | null
}

/**
 * Starts a session of a person whose password was just right, and knows their browser from then on. The
 * tokens are returned here once; the database holds their hashes. Sessions that have ended, of anyone,
 * are cleared away.
 */
export async function startSession(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  { personId, accountId, client }: { personId: string; accountId: string; client: Client },
): Promise<{ token: string; sessionId: string; device: string | null }> {
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
  const device =
    client.carrier === 'cookie'
      ? await trustDevice(tx, { ids, now }, { personId, replaces: client.device })
      : null
  return { token, sessionId, device }
}

/**
 * Gives a session a new token, as after every change of what it may do; the old one is over.
 * @throws not_signed_in where it was ended meanwhile
 */
export async function rotateSession(
  tx: Transaction<DB>,
  ids: Ids,
  sessionId: string,
  change: { accountId?: string; passwordEnteredAt?: Date },
): Promise<{ token: string }> {
  const token = ids.token(SIGN_IN_LIMITS.tokenBytes)
  const { numUpdatedRows } = await tx
    .updateTable('session')
    .set({ tokenHash: tokenHash(token), ...change })
    .where('id', '=', sessionId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new ServiceError('not_signed_in', fact('sign_in_first'))
  return { token }
}
