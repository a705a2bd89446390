/** A world whose shops have an assistant: customers on the simulator's phones, a scripted model behind it. */
import type { OperatorModel } from '../../src/models/model-access.ts'
import type { FileSent } from '../../src/simulator/customer-actions.ts'
import type { SampleKind } from '../../src/simulator/sample-messages.ts'
import type { HandoverReason } from '../../src/vocabulary/inbox.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { startModelServer, type AskedOfModel, type ModelServer } from './model-server.ts'
import {
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from './simulator.ts'
import { createWorldOn, type World, type WorldOptions } from './world.ts'

export type Assisted = {
  world: World
  whatsApp: SimulatedWhatsApp
  model: ModelServer
  /** Whether the operator has set a model up for everybody, as at first. */
  hasModel: boolean
  /** What that model can beside answering; nothing, at first. */
  can: Pick<OperatorModel, 'transcriptionModel' | 'readsImages'>
  /** A shop whose assistant is on. */
  openShop(
    options?: Parameters<SimulatedWhatsApp['openShop']>[0] & { settings?: object },
  ): Promise<AssistedShop>
  /** The time goes by, and all that is due is done. */
  pass(ms: number): Promise<void>
  close(): Promise<void>
}

export type AssistedShop = ConnectedShop & {
  /** On a phone that nobody else has, unless told. */
  customer(phone?: string): Customer
}

/** A customer on a phone of their own, and what a test asks of their conversation. */
export type Customer = {
  phone: string
  /** Writes, and the service takes it in; nothing else goes by. */
  says(text: string): Promise<void>
  sends(kind: SampleKind): Promise<void>
  sendsFile(file: Partial<FileSent> & Pick<FileSent, 'type'>): Promise<void>
  /** Messages that they got, oldest first. */
  got(): Promise<string[]>
  conversation(): Promise<{ id: string; handledBy: string; needsStaff: boolean }>
  turn(): Promise<number>
  replies(): Promise<{ id: string; state: string; epoch: number; detail: string | null }[]>
  handovers(): Promise<
    { reason: HandoverReason; reasonText: string | null; detail: string | null }[]
  >
}

export async function startAssisted(
  database?: TestDatabase,
  options: WorldOptions = {},
): Promise<Assisted> {
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
  const assisted: Assisted = {
    world,
    whatsApp,
    model,
    hasModel: true,
    can: {},
    async openShop({ settings = {}, ...rest } = {}) {
      const shop = await whatsApp.openShop(rest)
      await world.database.db.kysely
        .insertInto('assistant')
        .values({
          companyId: shop.companyId,
          isOn: true,
          updatedAt: world.clock.now(),
          ...settings,
        })
        .execute()
      return { ...shop, customer: (phone) => customerOf(assisted, shop, phone) }
    },
    async pass(ms) {
      world.clock.advance(ms)
      await whatsApp.settle()
    },
    async close() {
      await whatsApp.close()
      await world.close()
      await model.close()
    },
  }
  return assisted
}

const SMALL = { bytes: Buffer.from('x'), mimeType: 'image/jpeg' }

function customerOf(
  { world, whatsApp }: Assisted,
  shop: ConnectedShop,
  phone: string = newPhone(),
): Customer {
  const { kysely } = world.database.db
  whatsApp.simulator.addPerson({ number: phone, name: 'Sara' })
  const conversation = () =>
    kysely
      .selectFrom('conversation')
      .select(['id', 'handledBy', 'needsStaff'])
      .where('companyId', '=', shop.companyId)
      .where('filedUnder', '=', phone.slice(1))
      .executeTakeFirstOrThrow()
  const idOf = async () => (await conversation()).id
  return {
    phone,
    async says(text) {
      whatsApp.simulator.sendText({ from: phone, phoneNumberId: shop.phoneNumberId, text })
      await whatsApp.simulator.idle()
    },
    async sends(kind) {
      whatsApp.simulator.sendSample({ from: phone, phoneNumberId: shop.phoneNumberId, kind })
      await whatsApp.simulator.idle()
    },
    async sendsFile(file) {
      const { phoneNumberId } = shop
      whatsApp.simulator.sendFile({ from: phone, phoneNumberId, ...SMALL, ...file })
      await whatsApp.simulator.idle()
    },
    async got() {
      const rows = await kysely
        .selectFrom('message')
        .select('text')
        .where('conversationId', '=', await idOf())
        .where('direction', '=', 'out')
        .where('status', 'in', ['accepted', 'sent', 'delivered', 'read'])
        .orderBy('createdAt')
        .orderBy('sendKey')
        .execute()
      return rows.map(({ text }) => text ?? '')
    },
    conversation,
    async turn() {
      const row = await kysely
        .selectFrom('conversation')
        .select('turn')
        .where('id', '=', await idOf())
        .executeTakeFirstOrThrow()
      return row.turn
    },
    async replies() {
      return kysely
        .selectFrom('assistantReply')
        .select(['id', 'state', 'epoch', 'detail'])
        .where('conversationId', '=', await idOf())
        .orderBy('id')
        .execute()
    },
    async handovers() {
      const rows = await kysely
        .selectFrom('handover')
        .select(['reason', 'reasonText', 'detail'])
        .where('conversationId', '=', await idOf())
        .orderBy('openedAt')
        .execute()
      return rows as Awaited<ReturnType<Customer['handovers']>>
    },
  }
}

/** What a model was told that the customer had written, in its order. */
export function heardBy({ body }: AskedOfModel): string[] {
  return body.messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => textsOf(content))
}

/** All that it was told, as one text. */
export function toldTo({ body }: AskedOfModel): string {
  return body.messages.flatMap(({ content }) => textsOf(content)).join('\n')
}

function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content]
  if (!Array.isArray(content)) return []
  return content.flatMap((part: { text?: string }) => part.text ?? [])
}
