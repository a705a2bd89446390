/** Visitors of a website, and what is kept of them. */
import { conversationsOf } from './conversations.ts'
import { given, storeOf, type Recorded } from './records.ts'

/** Returns the visitors of a company or website, in the order in which they came. */
export const visitorsOf = (
  world: Recorded,
  { companyId, channelId }: { companyId?: string; channelId?: string },
) =>
  storeOf(world)
    .selectFrom('visitor')
    .selectAll()
    .where((eb) => eb.and(given({ companyId, channelId })))
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

/** Returns the conversations of visitors of a website with who has each, in the order in which they began. */
export async function talksOfVisitors(
  world: Recorded,
  { channelId }: { channelId: string },
): Promise<{ visitorId: string; conversationId: string }[]> {
  const talks = await conversationsOf(world, { channelId })
  return talks.map(({ id, filedUnder }) => ({
    visitorId: filedUnder.split(':').at(-1)!,
    conversationId: id,
  }))
}
