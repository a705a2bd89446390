import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { tokenHash } from '../accounts/token-hash.ts'
import type { KeyRing } from '../accounts/key-ring.ts'
import type { Context } from '../context.ts'
import { CHANNEL_LIMITS } from '../limits.ts'
import type { ChannelType } from '../vocabulary.ts'
import { readCredentials } from './load-owned-channel.ts'

/** Whether a channel of this type has the verify token. It is looked up by its hash, of however many. */
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

/**
 * Writes the hashes that channels from before there were hashes still lack: their verify tokens are
 * encrypted, so no migration could. What cannot be read is passed over. Nothing is left to do after the
 * first start that does it; every start looks.
 */
export async function fillVerifyTokenHashes({
  db,
  keyRing,
  log,
}: Pick<Context, 'db' | 'log'> & { keyRing: KeyRing }): Promise<void> {
  let last: string | null = null
  for (;;) {
    const rows = await db.kysely
      .selectFrom('channel')
      .selectAll()
      .where('verifyTokenHash', 'is', null)
      .where('deletedAt', 'is', null)
      .$if(last !== null, (select) => select.where('id', '>', last))
      .orderBy('id')
      .limit(CHANNEL_LIMITS.hashedInOneStatement)
      .execute()
    const filled = rows.flatMap((row) => {
      try {
        return [{ row, hash: tokenHash(readCredentials(keyRing, row).verifyToken) }]
      } catch {
        log.warn({ channelId: row.id }, 'the credentials of a channel cannot be read')
        return []
      }
    })
    // Only over the credentials that were read: a member may have changed them meanwhile.
    await sql`
      update channel set verify_token_hash = given.hash
      from unnest(${filled.map(({ row }) => row.id)}::uuid[],
        ${filled.map(({ row }) => row.credentials)}::text[],
        ${filled.map(({ hash }) => hash)}::bytea[]) as given (id, credentials, hash)
      where channel.id = given.id and channel.credentials = given.credentials
    `.execute(db.kysely)
    if (rows.length < CHANNEL_LIMITS.hashedInOneStatement) return
    last = rows.at(-1)!.id
  }
}
