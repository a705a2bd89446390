import type { ChannelCheck } from '../../contract/dashboard/channel.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { readEndpointUrl } from '../../rules/addresses/merchant-url.ts'
import type { ChannelDeps } from './connect-channel.ts'
import { accessTo } from './deregister.ts'
import { loadOwnedChannel } from './load-owned-channel.ts'
import { adapterOf } from './registry.ts'
import { webhookUrlOf } from './webhook-path.ts'

/**
 * Checks whether a channel works now, and changes nothing: whether the provider accepts its credentials, whether the
 * address that the provider is to post to can be reached from the Internet, and, where the provider can be asked, whether
 * it posts there. A simulated provider is on this machine, and a provider that is asked for its news needs no address.
 * @throws not_found
 */
export async function checkChannel(
  context: ChannelDeps,
  owned: { companyId: string; channelId: string },
): Promise<ChannelCheck> {
  const { db, adapters, publicUrl, tell } = context
  const row = await loadOwnedChannel(db.kysely, owned)
  const adapter = adapterOf(adapters, row.type)
  const access = accessTo(context, adapter, row)
  const refused = (reason: Fact): ChannelCheck => ({ ok: false, reason: tell(reason) })
  const check = await adapter.check(access)
  if (!check.ok) return refused(adapter.explain(check.error))
  const url = webhookUrlOf(publicUrl(), adapter, row.id)
  if (url === null || adapter.poll) return { ...check, isSubscribed: null }
  if (!row.isSimulated && !readEndpointUrl(url).ok) {
    return refused(fact('channel_callback_unreachable', { url }))
  }
  if (!adapter.checkPosts) return { ...check, isSubscribed: null }
  const posts = await adapter.checkPosts(access, url)
  return posts.ok ? { ...check, isSubscribed: true } : refused(adapter.explain(posts.error))
}
