import { sql } from 'kysely'
import type { KeyRing } from '../accounts/key-ring.ts'
import type { Context } from '../context.ts'
import { PROVIDER_LIMITS } from '../limits.ts'
import type { ChannelType } from '../vocabulary.ts'
import { channelRows, readChannel, type Channel } from './load-channel.ts'

export type NamedChannels = {
  channels: Channel[]
  /** Those whose credentials cannot be decrypted: they hold up no other. */
  unreadable: { id: string; route: string }[]
  /** More channels are named than are given here. */
  isCut: boolean
}

/**
 * The channels of a type that a provider's routes or accounts name; deleted ones left out, at most 200.
 * Those that a route names come first, then the older ones: who connects a number to somebody else's
 * account later pushes nobody out.
 */
export async function findNamedChannels(
  { db, keyRing }: Pick<Context, 'db'> & { keyRing: KeyRing },
  { type, routes, accounts }: { type: ChannelType; routes: string[]; accounts: string[] },
): Promise<NamedChannels> {
  const found: NamedChannels = { channels: [], unreadable: [], isCut: false }
  if (routes.length + accounts.length === 0) return found
  const rows = await channelRows(db.kysely)
    .where('type', '=', type)
    .where(
      sql<boolean>`(provider_route = any(${routes}::text[])
        or provider_account = any(${accounts}::text[]))`,
    )
    .orderBy(sql`provider_route = any(${routes}::text[])`, 'desc')
    .orderBy('channel.id')
    .limit(PROVIDER_LIMITS.channelsOfWebhook)
    .execute()
  found.isCut = rows.length === PROVIDER_LIMITS.channelsOfWebhook
  for (const row of rows) {
    try {
      found.channels.push(readChannel(keyRing, row))
    } catch {
      found.unreadable.push({ id: row.id, route: row.providerRoute })
    }
  }
  return found
}
