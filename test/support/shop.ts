/** Builds a valid shop: a Business company with a connected WhatsApp number, a flow and an endpoint. */
import { createHash } from 'node:crypto'
import { credentialsContext } from '../../src/modules/channels/load-channel.ts'
import { FlowDefinition } from '../../src/contract/flow-definition.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import type { Plan } from '../../src/core/vocabulary/accounts.ts'
import { EVENT_TYPES, type EventType } from '../../src/core/vocabulary/events.ts'
import { storeTriggers } from '../../src/modules/flows/design/store-triggers.ts'
import { createEndpoint } from '../../src/modules/endpoints/create-endpoint.ts'
import { addCompany } from './records/accounts.ts'
import { addFlowTo, addFlowVersion } from './records/flows.ts'
import { addHook } from './records/hooks.ts'
import { add, insert, within } from './records/records.ts'
import type { World } from './test-service.ts'

export const APP_SECRET = 'test_app_secret'
export const ACCESS_TOKEN = 'test-access-token'
const VERIFY_TOKEN = 'my_verify_token'

export type Shop = {
  accountId: string
  companyId: string
  channelId: string
  phoneNumberId: string
  businessAccountId: string
  flowId: string
  versionId: string
  hookToken: string
  hookUrl: string
  endpointId: string
  secret: string
}

type Options = {
  plan?: Plan
  phoneNumberId?: string
  businessAccountId?: string
  displayNumber?: string
  country?: string
  eventTypes?: readonly EventType[]
  isConnected?: boolean
  /** Changes the flow of `ORDER_READY` before it is published. */
  steps?: Record<string, unknown>
  start?: string
  trigger?: Record<string, unknown>
}

/** Template, wait for the reply, end: the flow of most tests. */
export const ORDER_READY_STEPS = {
  tell: {
    kind: 'send_template',
    template: 'order_ready',
    language: 'ar',
    header: null,
    body: [
      { name: '1', text: '{{contact.name}}' },
      { name: '2', text: '{{vars.order}}' },
    ],
    next: 'ask',
  },
  ask: {
    kind: 'wait_for_reply',
    saveAs: 'answer',
    timeoutMinutes: 24 * 60,
    next: 'finish',
    onTimeout: 'finish',
  },
  finish: { kind: 'end' },
}

/** The trigger that starts a flow for an order that comes to a hook. */
export const ORDER_TRIGGER = {
  kind: 'webhook',
  phonePath: 'customer.phone',
  namePath: 'customer.name',
  languagePath: 'customer.language',
  keep: [{ name: 'order', path: 'order.number' }],
}

/** Returns the draft of a flow that an order starts, as the API accepts it, with the changes of `more`. */
export const orderDraft = ({ channelId }: Pick<Shop, 'channelId'>, more: object = {}) => ({
  channelId,
  trigger: ORDER_TRIGGER,
  start: 'tell',
  steps: ORDER_READY_STEPS,
  ...more,
})

/** Returns a step that sends the template in English, with a text as its first parameter. */
export const templateStep = (text: string, next: string | null = null) => ({
  ...ORDER_READY_STEPS.tell,
  language: 'en',
  body: [
    { name: '1', text },
    { name: '2', text: '{{vars.order}}' },
  ],
  next,
})

type Around = Pick<World, 'service' | 'receiver' | 'url'>

export async function createShop(world: Around, options: Options = {}): Promise<Shop> {
  const { db, ids, clock } = world.service.context
  const now = clock.now()
  const shop = {
    accountId: ids.uuid(),
    companyId: ids.uuid(),
    channelId: ids.uuid(),
    flowId: ids.uuid(),
    versionId: ids.uuid(),
    phoneNumberId: options.phoneNumberId ?? '106540352242922',
    businessAccountId: options.businessAccountId ?? '102290129340398',
    hookToken: `hook_${ids.token(32)}`,
  }
  const definition = FlowDefinition.parse({
    channelId: shop.channelId,
    trigger: options.trigger ?? ORDER_TRIGGER,
    start: options.start ?? 'tell',
    steps: options.steps ?? ORDER_READY_STEPS,
  })
  const endpoint = await transaction(db, async (tx) => {
    const rows = within(world, tx)
    const { accountId, companyId, channelId, flowId, versionId } = shop
    const plan = options.plan ?? 'business'
    await insert(rows, 'account', { id: accountId, plan, createdAt: now })
    await addCompany(rows, shop, { id: companyId })
    const secrets = { accessToken: ACCESS_TOKEN, appSecret: APP_SECRET, verifyToken: VERIFY_TOKEN }
    await insert(rows, 'channel', {
      id: channelId,
      companyId,
      type: 'whatsapp',
      providerRoute: shop.phoneNumberId,
      providerAccount: shop.businessAccountId,
      displayNumber: options.displayNumber ?? '15550783881',
      country: options.country ?? 'SA',
      credentials: world.service.keyRing.encrypt(
        JSON.stringify(secrets),
        credentialsContext(channelId, companyId),
      ),
      verifyTokenHash: createHash('sha256').update(VERIFY_TOKEN).digest(),
      isConnected: options.isConnected ?? true,
      isSimulated: true,
      createdAt: now,
      updatedAt: now,
    })
    for (const language of ['ar', 'en']) {
      await add(rows, 'template', {
        companyId,
        channelId,
        providerTemplateId: `t-${language}`,
        name: 'order_ready',
        language,
        category: 'UTILITY',
        status: 'APPROVED',
        parameterFormat: 'POSITIONAL',
        components: JSON.stringify(ORDER_READY_COMPONENTS),
        syncedAt: now,
      })
    }
    await addFlowTo(rows, { companyId }, { id: flowId, name: 'Order is ready' })
    const triggerKind = definition.trigger.kind
    const version = { id: versionId, channelId, definition, triggerKind, number: 1 }
    await addFlowVersion(rows, shop, version)
    await storeTriggers(tx, shop, { id: versionId, definition })
    await addHook(rows, shop, shop.hookToken)
    const { keyRing } = world.service
    const { eventTypes = EVENT_TYPES } = options
    const input = { companyId, name: 'Test receiver', url: world.receiver.url, eventTypes }
    return createEndpoint(tx, { ids, keyRing, now }, input)
  })
  return { ...shop, ...endpoint, hookUrl: `${world.url}/hooks/${shop.hookToken}` }
}

/** Creates a shop besides the others of its world, with a new number and a new account at the provider. */
export function createOwnShop(world: Around, options: Options = {}): Promise<Shop> {
  const own = world.service.context.ids.token(6)
  return createShop(world, { phoneNumberId: own, businessAccountId: own, ...options })
}

/** Creates this number of shops, one after the other. */
export async function createShops(
  world: Around,
  count: number,
  options?: Options,
): Promise<Shop[]> {
  const shops: Shop[] = []
  for (let nth = 0; nth < count; nth += 1) shops.push(await createOwnShop(world, options))
  return shops
}

export const ORDER_READY_COMPONENTS = [
  { type: 'BODY', text: 'Hello {{1}}, your order {{2}} is ready.' },
  {
    type: 'BUTTONS',
    buttons: [
      { type: 'QUICK_REPLY', text: 'Yes, today' },
      { type: 'QUICK_REPLY', text: 'Later' },
    ],
  },
]
