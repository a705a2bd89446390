import type { Context } from '../context.ts'
import type { KeyRing } from '../secrets/key-ring.ts'
import { ProviderRefused, type ChannelAccess, type ChannelAdapter } from './channel-adapter.ts'
import { readCredentials, type ChannelRow } from './load-owned-channel.ts'
import { adapterOf, type ChannelAdapters } from './registry.ts'
import { identityOf } from './view-channel.ts'
import { webhookUrlOf } from './webhook-path.ts'

type Deps = Pick<Context, 'log'> & { keyRing: KeyRing; adapters: ChannelAdapters }

/** A channel of the company's, as its adapter is given it. @throws SecretUnreadable */
export function accessTo(
  { keyRing }: Pick<Deps, 'keyRing'>,
  adapter: ChannelAdapter,
  row: ChannelRow,
): ChannelAccess {
  const { isSimulated } = row
  return { ...identityOf(row), isSimulated, credentials: readCredentials(keyRing, adapter, row) }
}

/**
 * Tells the provider that a channel is given up, once that is committed: what connecting made there is undone.
 * Where the provider is not reached it is only logged, for the channel is gone here all the same.
 *
 * @param row as it was before
 */
export async function leaveProvider(deps: Deps, row: ChannelRow): Promise<void> {
  const adapter = adapterOf(deps.adapters, row.type)
  const { leaving } = adapter
  if (leaving) await tell(deps, row, () => leaving.tell(accessTo(deps, adapter, row)))
}

/** The same of a channel that is deleted, where the provider was told to post to its own address. */
export async function endPosts(
  { publicUrl, ...deps }: Deps & { publicUrl(): string },
  row: ChannelRow,
): Promise<void> {
  const adapter = adapterOf(deps.adapters, row.type)
  const url = webhookUrlOf(publicUrl(), adapter, row.id)
  if (url === null || !adapter.endPosts) return
  await tell(deps, row, () => adapter.endPosts!(accessTo(deps, adapter, row), url))
}

async function tell({ log }: Deps, row: ChannelRow, what: () => Promise<void>): Promise<void> {
  try {
    await what()
  } catch (error) {
    const why = error instanceof ProviderRefused ? { code: error.error.code } : { err: error }
    log.warn({ ...why, channelId: row.id }, 'a provider could not be told that a channel is left')
  }
}
