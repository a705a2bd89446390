import type { ChannelCheck } from '../../contract/dashboard/channel.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { readEndpointUrl } from '../../rules/addresses/merchant-url.ts'
import type { ChannelDeps } from './connect-channel.ts'
import { accessTo } from './deregister.ts'
import { loadOwnedChannel } from './load-owned-channel.ts'
import { adapterOf } from './registry.ts'
import { webhookUrlOf } from './webhook-path.ts'

/**
 * Checks at the provider whether a channel's credentials work, without changing anything. The result states whether the
 * provider accepts its credentials, whether the webhook address is reachable from the Internet, and whether the
 * provider posts there, if it can be queried. Simulated and polled providers need no address.
 * @throws not_found
 */
export async function checkChannel(
  context: ChannelDeps,
  owned: { companyId: string; channelId: string },
): Promise<ChannelCheck> {
  const { db, ids, adapters, publicUrl, formatFact } = context
  const row = await loadOwnedChannel(db.kysely, owned)
  const adapter = adapterOf(adapters, row.type)
  const access = accessTo(context, adapter, row)
  const refused = (reason: Fact): ChannelCheck => ({ ok: false, reason: formatFact(reason) })
  const check = await adapter.check(access)
  if (!check.ok) return refused(adapter.explain(check.error))
  const url = webhookUrlOf(publicUrl(), ids.cell, adapter, row.id)
  if (url === null || adapter.poll) return { ...check, isSubscribed: null }
  if (!row.isSimulated && !readEndpointUrl(url).ok) {
    return refused(fact('channel_callback_unreachable', { url }))
  }
  if (!adapter.checkPosts) return { ...check, isSubscribed: null }
  const posts = await adapter.checkPosts(access, url)
  return posts.ok ? { ...check, isSubscribed: true } : refused(adapter.explain(posts.error))
}
