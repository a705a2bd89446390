import { timingSafeEqual } from 'node:crypto'
import { tokenHash } from '../../infra/secrets/token-hash.ts'
import type { Context } from '../../infra/context.ts'
import type { ChannelType } from '../../core/vocabulary/channels.ts'

/**
 * Returns whether a channel of this type has the verify token that a provider presents. Tokens are looked up by hash.
 */
export async function isVerifyToken(
  { db }: Pick<Context, 'db'>,
  type: ChannelType,
  token: string,
): Promise<boolean> {
  const hash = tokenHash(token)
  const found = await db.kysely
    .selectFrom('channel')
    .select('verifyTokenHash')
    .where('verifyTokenHash', '=', hash)
    .where('type', '=', type)
    .where('deletedAt', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return found?.verifyTokenHash != null && timingSafeEqual(found.verifyTokenHash, hash)
}
