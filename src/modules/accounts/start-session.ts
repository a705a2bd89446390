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

/** A client that requests a session: a browser or a program, and its user agent. */
export type Client = {
  carrier: Carrier
  userAgent: string | null
  /** The token of the cookie that identifies a browser; null where it has none. */
  device: string | null
}

/**
 * Starts a session of a person whose password was correct, and trusts their browser from then on. The tokens are
 * returned here once; the database stores their hashes. Also deletes all ended sessions.
 */
export async function startSession(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  { personId, accountId, client }: { personId: string; accountId: string; client: Client },
): Promise<{ token: string; sessionId: string; device: string | null }> {
  const token = ids.cellToken(SIGN_IN_LIMITS.tokenBytes)
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
 * Gives a session a new token, after every change of its permissions; the old token becomes invalid.
 * @throws not_signed_in where the session was ended meanwhile
 */
export async function rotateSession(
  tx: Transaction<DB>,
  ids: Ids,
  sessionId: string,
  change: { accountId?: string; passwordEnteredAt?: Date },
): Promise<{ token: string }> {
  const token = ids.cellToken(SIGN_IN_LIMITS.tokenBytes)
  const { numUpdatedRows } = await tx
    .updateTable('session')
    .set({ tokenHash: tokenHash(token), ...change })
    .where('id', '=', sessionId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new ServiceError('not_signed_in', fact('sign_in_first'))
  return { token }
}
