/** A shop whose assistant is on, customers who write to it, and its tools as a reply uses them. */
import { afterAll } from 'vitest'
import type { Tool, ToolResult, ToolContext } from '../../../src/modules/assistant/tools/tool.ts'
import { createTools } from '../../../src/modules/assistant/tools/all-tools.ts'
import { createActionWorld, type ActionWorld, type Talk } from '../../connections/action-world.ts'
import { bookableShop, type BookableShop } from '../../support/bookable.ts'
import { setAssistant } from '../../support/records/assistant.ts'

export type ToolTalk = Talk & {
  turn: ToolContext
  /** Calls a tool, in the reply of the context or in another. */
  call(name: string, args?: unknown, replyId?: string): Promise<ToolResult>
  names(): Promise<string[]>
}

export type ToolWorld = ActionWorld & {
  booking: BookableShop
  tools: Tool[]
  /** Returns a customer on WhatsApp who has just written. */
  talkTo(phone?: string): Promise<ToolTalk>
  /** Returns the same for any conversation. */
  talkIn(turn: Partial<ToolContext> & { conversationId: string }): Omit<ToolTalk, keyof Talk>
  eventsOf(type: string): Promise<Record<string, unknown>[]>
  setUp(settings: object): Promise<void>
}

/** Creates a world for all tests of a file, and closes it after the last of them. */
export async function openToolWorld(): Promise<ToolWorld> {
  const w = await createActionWorld()
  afterAll(() => w.close())
  const { companyId, accountId } = w.shop
  const setUp = (settings: object) => setAssistant(w.world, w.shop, settings)
  await setUp({ tags: ['vip', 'wholesale'] })
  const booking = await bookableShop(w.world, companyId)
  const tools = createTools({ keyRing: w.deps.keyRing, outbound: w.deps.outbound })
  const { context } = w.world.service

  function talkIn(about: Partial<ToolContext> & { conversationId: string }) {
    const turn: ToolContext = {
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
      return w.world.receiver.events(type).map(({ data }) => data as never)
    },
    setUp,
  }
}
