/** Visitors of a website, and what is kept of them. */
import { conversationsOf } from './conversations.ts'
import { add, newIdOf, nowOf, read, type Company, type Recorded } from './records.ts'

/** Returns the visitors of a company or website, oldest first. */
export const visitorsOf = (
  world: Recorded,
  { companyId, channelId }: { companyId?: string; channelId?: string },
) => read(world, 'visitor', { companyId, channelId }, 'createdAt', 'id')

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

/** Adds a visitor of a website who has not written yet. Returns their id. */
export function addVisitor(
  world: Recorded,
  { companyId, channelId }: Company & { channelId: string },
): Promise<string> {
  const [id, now] = [newIdOf(world), nowOf(world)]
  const times = { seenAt: now, tokenMadeAt: now, createdAt: now }
  const tokenHash = Buffer.from(id)
  return add(world, 'visitor', { id, companyId, channelId, tokenHash, ...times })
}
