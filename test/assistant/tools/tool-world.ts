/** A shop whose assistant is on, customers who write to it, and its tools as a reply uses them. */
import type { Tool, ToolTold, ToolTurn } from '../../../src/assistant/tools/tool.ts'
import { createTools } from '../../../src/assistant/tools/all-tools.ts'
import { createActionWorld, type ActionWorld, type Talk } from '../../connections/action-world.ts'
import { bookableShop, type BookableShop } from '../../support/bookable.ts'

export type ToolTalk = Talk & {
  turn: ToolTurn
  /** In the reply of the turn, or in another. */
  call(name: string, args?: unknown, replyId?: string): Promise<ToolTold>
  names(): Promise<string[]>
}

export type ToolWorld = ActionWorld & {
  booking: BookableShop
  tools: Tool[]
  /** A customer on WhatsApp who has just written. */
  talkTo(phone?: string): Promise<ToolTalk>
  /** The same of any conversation. */
  talkIn(turn: Partial<ToolTurn> & { conversationId: string }): Omit<ToolTalk, keyof Talk>
  eventsOf(type: string): Promise<Record<string, unknown>[]>
  setUp(columns: object): Promise<void>
}

export async function createToolWorld(): Promise<ToolWorld> {
  const w = await createActionWorld()
  const { companyId, accountId } = w.shop
  const { kysely } = w.deps.db
  await kysely
    .insertInto('assistant')
    .values({ companyId, isOn: true, tags: ['vip', 'wholesale'], updatedAt: w.deps.clock.now() })
    .execute()
  const booking = await bookableShop(w.world, companyId)
  const tools = createTools({ keyRing: w.deps.keyRing, outbound: w.deps.outbound })
  const { context } = w.world.service

  function talkIn(about: Partial<ToolTurn> & { conversationId: string }) {
    const turn: ToolTurn = {
      companyId,
      accountId,
      replyId: context.ids.uuid(),
      channelType: 'whatsapp',
      contactId: null,
      language: 'en',
      timeZone: 'Asia/Riyadh',
      now: context.clock.now(),
      ...about,
    }
    return {
      turn,
      async call(name: string, args: unknown = {}, replyId = turn.replyId) {
        const tool = tools.find((one) => one.isNamed(name))
        if (!tool) throw new Error(`there is no ${name}`)
        return tool.use(context, { ...turn, replyId, now: context.clock.now() }, name, args)
      },
      async names() {
        const offered = await Promise.all(tools.map((tool) => tool.offer(context, turn)))
        return offered.flat().map(({ name }) => name)
      },
    }
  }

  return {
    ...w,
    booking,
    tools,
    talkIn,
    async talkTo(phone) {
      const talk = await w.customer(phone)
      const { conversationId, contactId } = talk
      return { ...talk, ...talkIn({ conversationId, contactId }) }
    },
    async eventsOf(type) {
      await w.world.service.processAll()
      const sent = w.world.receiver.received.map(({ event }) => event)
      return sent.filter((event) => event.type === type).map(({ data }) => data as never)
    },
    async setUp(columns) {
      await kysely
        .updateTable('assistant')
        .set(columns)
        .where('companyId', '=', companyId)
        .execute()
    },
  }
}
