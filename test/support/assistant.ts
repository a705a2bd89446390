/** A world whose shops have an assistant: customers on the simulator's phones, a scripted model behind it. */
import { afterAll, beforeEach } from 'vitest'
import type { ReplyDetail } from '../../src/contract/dashboard/assistant-reply.ts'
import { SECOND_MS } from '../../src/core/limits/units.ts'
import type { OperatorModel } from '../../src/modules/models/model-access.ts'
import type { FileSent, SampleKind } from '../../simulators/index.ts'
import type { HandoverReason } from '../../src/core/vocabulary/inbox.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { signedIn, type Member } from './dashboard.ts'
import { startModelServer, type AskedOfModel, type ModelServer } from './model-server.ts'
import type { Turn } from './model-turns.ts'
import { setAssistant } from './records/assistant.ts'
import { conversationWith } from './records/conversations.ts'
import { handoversOf } from './records/handovers.ts'
import { read } from './records/records.ts'
import type { ConnectedShop, SimulatedWhatsApp } from './simulator.ts'
import { newPhone, simulateWhatsApp } from './simulator.ts'
import { customerWrites, newWamid } from './whatsapp-webhook.ts'
import { createWorldOn, type World, type WorldOptions } from './world.ts'

/**
 * Starts the same for all tests of a file, and closes it after the last. Each test begins with a model without
 * requests.
 */
export async function openAssisted(options?: WorldOptions) {
  const assisted = await startAssisted(undefined, options)
  beforeEach(() => {
    assisted.model.asked.length = 0
  })
  afterAll(() => assisted.close())
  return assisted
}

export async function startAssisted(database?: TestDatabase, options: WorldOptions = {}) {
  const model = await startModelServer()
  const operator: OperatorModel = {
    kind: 'openai_compatible',
    modelName: 'scripted',
    baseUrl: model.baseUrl,
    key: null,
    isScripted: false,
  }
  const world = await createWorldOn(database ?? (await createTestDatabase()), {
    operatorModel: () => (assisted.hasModel ? { ...operator, ...assisted.can } : null),
    ...options,
  })
  const whatsApp = await simulateWhatsApp(world)
  /** Moves the clock, and processes all work that is due. */
  const pass = async (ms: number) => {
    world.clock.advance(ms)
    await whatsApp.settle()
  }
  const around = { world, whatsApp, model, pass }
  const assisted = {
    ...around,
    /** True when the operator has set up a model for every account, which is the default. */
    hasModel: true,
    /** The capabilities of that model besides answering; none by default. */
    can: {} as Pick<OperatorModel, 'transcriptionModel' | 'readsImages'>,
    /** A shop whose assistant is on. */
    async openShop({ settings = {}, ...rest }: ShopOptions & { settings?: object } = {}) {
      const shop = await whatsApp.openShop(rest)
      await setAssistant(world, shop, settings)
      return {
        ...shop,
        /** Returns a customer on the given phone, or on a new one. */
        customer: (phone?: string) => customerOf(around, shop, phone),
        /**
         * Lets a new customer write and the model answer with these turns, and processes what is due within
         * three seconds.
         */
        async asked(text: string, ...turns: Turn[]) {
          const customer = customerOf(around, shop)
          await customer.asks(text, ...turns)
          return customer
        },
      }
    },
    async close() {
      await whatsApp.close()
      await world.close()
      await model.close()
    },
  }
  return assisted
}

export type Assisted = Awaited<ReturnType<typeof startAssisted>>
export type AssistedShop = Awaited<ReturnType<Assisted['openShop']>>
type ShopOptions = NonNullable<Parameters<SimulatedWhatsApp['openShop']>[0]>
type Around = {
  world: World
  whatsApp: SimulatedWhatsApp
  model: ModelServer
  pass(ms: number): Promise<void>
}

const GOT: ReadonlySet<string | null> = new Set(['accepted', 'sent', 'delivered', 'read'])
const SMALL = { bytes: Buffer.from('x'), mimeType: 'image/jpeg' }

/** Returns a customer on the given phone, with functions that act and read in their conversation. */
function customerOf(
  { world, whatsApp, model, pass }: Around,
  shop: ConnectedShop,
  phone: string = newPhone(),
) {
  whatsApp.simulator.addPerson({ number: phone, name: 'Sara' })
  const conversation = () => conversationWith(world, { companyId: shop.companyId }, phone)
  const idOf = async () => (await conversation()).id
  /** Writes, and the service ingests the message; the clock does not move. */
  const says = async (text: string) => {
    whatsApp.simulator.sendText({ from: phone, phoneNumberId: shop.phoneNumberId, text })
    await whatsApp.simulator.idle()
  }
  const replies = async () => {
    const all = await read(world, 'assistantReply', { conversationId: await idOf() }, 'id')
    return all.map(({ id, state, epoch, detail }) => ({ id, state, epoch, detail }))
  }
  const company = `/companies/${shop.companyId}`
  return {
    phone,
    says,
    /** Writes, lets the model answer with these turns, and processes what is due within three seconds. */
    async asks(text: string, ...turns: Turn[]) {
      model.script(...turns)
      await says(text)
      await pass(3 * SECOND_MS)
    },
    /** Acts on the conversation as an owner, which is not refused. Resolves to the owner. */
    async staff(what: string, json?: object): Promise<Member> {
      const member = await signedIn(world, { accountId: shop.accountId })
      const path = `${company}/conversations/${encodeURIComponent(await idOf())}/${what}`
      const { status, body } = await member.ask('POST', path, json)
      if (status >= 300) throw new Error(JSON.stringify(body))
      return member
    },
    /** Presses a button of the customer's last message, and processes what is due within a second. */
    async taps(buttonIndex: number) {
      whatsApp.simulator.tapButton({ from: phone, buttonIndex })
      await whatsApp.simulator.idle()
      await pass(SECOND_MS)
    },
    /** Presses a button with this id, which may be one that no message offered. The service ingests it. */
    async presses(id: string, title: string) {
      const interactive = { type: 'button_reply', button_reply: { id, title } }
      const content = { type: 'interactive', interactive }
      const at = world.clock.now()
      await customerWrites(world, shop, { from: phone, content, at, id: newWamid() })
    },
    async sends(kind: SampleKind) {
      whatsApp.simulator.sendSample({ from: phone, phoneNumberId: shop.phoneNumberId, kind })
      await whatsApp.simulator.idle()
    },
    async sendsFile(file: Partial<FileSent> & Pick<FileSent, 'type'>) {
      const { phoneNumberId } = shop
      whatsApp.simulator.sendFile({ from: phone, phoneNumberId, ...SMALL, ...file })
      await whatsApp.simulator.idle()
    },
    /** Returns the messages to the customer, oldest first. */
    async got() {
      const of = { conversationId: await idOf(), direction: 'out' }
      const sent = await read(world, 'message', of, 'createdAt', 'sendKey')
      return sent.flatMap(({ status, text }) => (GOT.has(status) ? [text ?? ''] : []))
    },
    conversation,
    turn: async () => (await conversation()).turn,
    replies,
    /** Returns how the newest reply came about, as staff sees it. */
    async trace() {
      const member = await signedIn(world, { accountId: shop.accountId })
      const path = `${company}/assistant/replies/${(await replies()).at(-1)!.id}`
      return (await member.ask<ReplyDetail>('GET', path)).body
    },
    async handovers() {
      const all = await handoversOf(world, await idOf())
      return all.map(({ reason, reasonText, detail }) => {
        return { reason: reason as HandoverReason, reasonText, detail }
      })
    },
  }
}

export type Customer = ReturnType<typeof customerOf>

/** Returns the texts of the customer that a model was sent, in their order. */
export function heardBy({ body }: AskedOfModel): string[] {
  return body.messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => textsOf(content))
}

/** Returns all texts of a request to a model as one text. */
export function toldTo({ body }: AskedOfModel): string {
  return body.messages.flatMap(({ content }) => textsOf(content)).join('\n')
}

function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content]
  if (!Array.isArray(content)) return []
  return content.flatMap((part: { text?: string }) => part.text ?? [])
}
