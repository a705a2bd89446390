/** Builds a valid shop: a Business company with a connected WhatsApp number, a flow and an endpoint. */
import { createHash } from 'node:crypto'
import { credentialsPlace } from '../../src/channels/load-channel.ts'
import { FlowDefinition } from '../../src/contract/flow-definition.ts'
import { transaction } from '../../src/database/transaction.ts'
import type { Plan } from '../../src/vocabulary/accounts.ts'
import { EVENT_TYPES, type EventType } from '../../src/vocabulary/events.ts'
import { storeTriggers } from '../../src/flows/design/store-triggers.ts'
import { createEndpoint } from '../../src/endpoints/create-endpoint.ts'
import type { World } from './service.ts'

export const APP_SECRET = 'test_app_secret'
export const ACCESS_TOKEN = 'test-access-token'

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

/** What of a world a shop needs. */
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
    trigger: options.trigger ?? {
      kind: 'webhook',
      phonePath: 'customer.phone',
      namePath: 'customer.name',
      languagePath: 'customer.language',
      keep: [{ name: 'order', path: 'order.number' }],
    },
    start: options.start ?? 'tell',
    steps: options.steps ?? ORDER_READY_STEPS,
  })
  const endpoint = await transaction(db, async (tx) => {
    await tx
      .insertInto('account')
      .values({ id: shop.accountId, plan: options.plan ?? 'business', createdAt: now })
      .execute()
    await tx
      .insertInto('company')
      .values({ id: shop.companyId, accountId: shop.accountId, name: 'Shop', createdAt: now })
      .execute()
    await tx
      .insertInto('channel')
      .values({
        id: shop.channelId,
        companyId: shop.companyId,
        type: 'whatsapp',
        providerRoute: shop.phoneNumberId,
        providerAccount: shop.businessAccountId,
        displayNumber: options.displayNumber ?? '15550783881',
        country: options.country ?? 'SA',
        credentials: world.service.keyRing.encrypt(
          JSON.stringify({
            accessToken: ACCESS_TOKEN,
            appSecret: APP_SECRET,
            verifyToken: 'my_verify_token',
          }),
          credentialsPlace(shop.channelId, shop.companyId),
        ),
        verifyTokenHash: createHash('sha256').update('my_verify_token').digest(),
        isConnected: options.isConnected ?? true,
        isSimulated: true,
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    for (const language of ['ar', 'en']) {
      await tx
        .insertInto('template')
        .values({
          id: ids.uuid(),
          companyId: shop.companyId,
          channelId: shop.channelId,
          providerTemplateId: `t-${language}`,
          name: 'order_ready',
          language,
          category: 'UTILITY',
          status: 'APPROVED',
          parameterFormat: 'POSITIONAL',
          components: JSON.stringify(ORDER_READY_COMPONENTS),
          syncedAt: now,
        })
        .execute()
    }
    await tx
      .insertInto('flow')
      .values({
        id: shop.flowId,
        companyId: shop.companyId,
        name: 'Order is ready',
        firstPublishedAt: now,
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    await tx
      .insertInto('flowVersion')
      .values({
        id: shop.versionId,
        companyId: shop.companyId,
        flowId: shop.flowId,
        number: 1,
        definition: JSON.stringify(definition),
        triggerKind: definition.trigger.kind,
        channelId: shop.channelId,
        publishedAt: now,
        createdAt: now,
      })
      .execute()
    await tx
      .updateTable('flow')
      .set({ publishedVersionId: shop.versionId })
      .where('id', '=', shop.flowId)
      .execute()
    await storeTriggers(tx, shop, { id: shop.versionId, definition })
    await tx
      .insertInto('hookUrl')
      .values({
        id: ids.uuid(),
        companyId: shop.companyId,
        flowId: shop.flowId,
        tokenHash: createHash('sha256').update(shop.hookToken).digest(),
        tokenLastFour: shop.hookToken.slice(-4),
        createdAt: now,
      })
      .execute()
    return createEndpoint(
      tx,
      { ids, keyRing: world.service.keyRing, now },
      {
        companyId: shop.companyId,
        name: 'Test receiver',
        url: world.receiver.url,
        eventTypes: options.eventTypes ?? EVENT_TYPES,
      },
    )
  })
  return { ...shop, ...endpoint, hookUrl: `${world.url}/hooks/${shop.hookToken}` }
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
