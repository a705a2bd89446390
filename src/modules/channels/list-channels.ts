import { pageOf } from '../../infra/database/page-of.ts'
import type { ChannelView } from '../../contract/dashboard/channel.ts'
import { toPage, type Page, type PageQuery } from '../../contract/dashboard/page.ts'
import type { ChannelDeps } from './connect-channel.ts'
import { loadOwnedChannel } from './load-owned-channel.ts'
import { viewChannel } from './view-channel.ts'

type Deps = Pick<ChannelDeps, 'db' | 'ids' | 'keyRing' | 'adapters' | 'formatFact' | 'publicUrl'>

/** Returns a page of the company's channels, oldest first. */
export async function listChannels(
  context: Deps,
  { companyId, limit, cursor }: PageQuery & { companyId: string },
): Promise<Page<ChannelView>> {
  const rows = await pageOf(
    context.db.kysely
      .selectFrom('channel')
      .selectAll()
      .where('companyId', '=', companyId)
      .where('deletedAt', 'is', null),
    { limit, cursor },
    ['id', 'oldest'],
  ).execute()
  return toPage(rows, limit, (row) => viewChannel(context, row))
}

/** Returns one channel. @throws not_found */
export async function showChannel(
  context: Deps,
  owned: { companyId: string; channelId: string },
): Promise<ChannelView> {
  return viewChannel(context, await loadOwnedChannel(context.db.kysely, owned))
}
