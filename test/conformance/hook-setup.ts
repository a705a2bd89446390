import type { createAddressLimit } from '../../src/http/ip-rate-limiter.ts'
import { tokenHash } from '../../src/infra/secrets/token-hash.ts'
import { cleanText } from '../../src/rules/text/json-text.ts'
import type { Plan } from '../../src/core/vocabulary/accounts.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { allowTemplates } from '../support/records/accounts.ts'
import { setChannelType } from '../support/records/channels.ts'
import { addContact } from '../support/records/contacts.ts'
import { addConversation, conversationsOf } from '../support/records/conversations.ts'
import { takeTableAway } from '../support/records/faults.ts'
import { addFlowTo, switchFlow, unpublishFlow } from '../support/records/flows.ts'
import { addHook, pauseHooks, setRequestsOfHour } from '../support/records/hooks.ts'
import { addMessage } from '../support/records/messages.ts'
import { update } from '../support/records/records.ts'
import { addRun } from '../support/records/runs.ts'
import { countTemplate, setTemplatesToday } from '../support/records/templates.ts'
import { createShop, type Shop } from '../support/shop.ts'
import type { World } from '../support/world.ts'

export type HookSetup = {
  clock: string
  plan: Plan
  planTemplatesPerDay: number
  hooksPaused: boolean
  counterStore: 'ok' | 'down'
  token: 'valid' | 'replaced' | 'unknown'
  flow: { published: boolean; on: boolean; trigger: string; withinPlanNumber: boolean }
  channel: { type: string; connected: boolean; country: string }
  settings: {
    phone: string
    name: string | null
    language: string | null
    values: Record<string, string>
  }
  contact: 'none' | ContactSetup | ContactSetup[]
  conversation: string
  counters: {
    addressLast60s: number
    urlThisMinute: number
    accountThisHour: number
    accountTemplatesToday: number
    customerTemplatesLast24h: number
  }
  priorKey: string | null
  flows?: number
  accounts?: number
}

type ContactSetup = {
  phone: string
  name?: string | null
  language?: string | null
  tags?: string[]
  optedOut?: boolean
}

/** The state that a case was set up with, and the tokens that its requests may name. */
export type SetUp = {
  shop: Shop
  /** The customers that a request may concern. */
  companyIds: string[]
  priorRun: string | null
  tokens: Record<string, string>
  takeDown(): Promise<void>
}

/** A service, the network address of the case, the limit that counts the address, and the number of the case. */
export type AroundHook = {
  world: World
  address: string
  addressLimit: ReturnType<typeof createAddressLimit>
  index: number
}

const UNKNOWN_TOKEN = `hook_${'x'.repeat(43)}`

export async function setUpHook(around: AroundHook, setup: HookSetup): Promise<SetUp> {
  const { world, address, addressLimit, index } = around
  world.clock.moveTo(setup.clock)
  const now = world.clock.now()
  const shop = await makeShop(world, setup, `case-${index}`)
  const second = setup.flows === 2 ? await secondFlow(world, shop) : null
  const other = setup.accounts === 2 ? await makeShop(world, setup, `case-${index}-other`) : null

  await allowTemplates(world, shop, setup.planTemplatesPerDay)
  await pauseHooks(world, setup.hooksPaused)
  await setUpFlow(world, shop, setup)
  const contactId = await setUpContacts(world, shop, setup)
  const priorRun = setup.priorKey ? await writePriorRun(world, shop, setup.priorKey) : null
  await setUpCounters(world, shop, setup, contactId)
  for (let admitted = 0; admitted < setup.counters.addressLast60s; admitted += 1) {
    addressLimit.admit(address, now)
  }
  const takeDown =
    setup.counterStore === 'down' ? await takeTableAway(world, 'hook_url_count') : async () => {}
  const own =
    setup.token === 'valid'
      ? shop.hookToken
      : setup.token === 'replaced'
        ? await replaceToken(world, shop)
        : UNKNOWN_TOKEN
  return {
    shop,
    companyIds: [shop.companyId, ...(other ? [other.companyId] : [])],
    priorRun,
    tokens: {
      own,
      unknown: UNKNOWN_TOKEN,
      ...(second ? { 'flow 2': second } : {}),
      ...(other ? { 'flow of account 2': other.hookToken } : {}),
    },
    takeDown,
  }
}

function makeShop(world: World, setup: HookSetup, name: string): Promise<Shop> {
  const { settings } = setup
  return createShop(world, {
    plan: setup.plan,
    phoneNumberId: name,
    businessAccountId: name,
    country: setup.channel.country,
    isConnected: setup.channel.connected,
    trigger:
      setup.flow.trigger === 'keyword'
        ? { kind: 'keyword', words: ['hello'] }
        : {
            kind: 'webhook',
            phonePath: settings.phone,
            namePath: settings.name,
            languagePath: settings.language,
            keep: Object.entries(settings.values).map(([key, path]) => ({ name: key, path })),
          },
  })
}

async function setUpFlow(world: World, shop: Shop, { flow, channel }: HookSetup): Promise<void> {
  if (!flow.published) await unpublishFlow(world, shop)
  await switchFlow(world, shop, flow.on)
  await setChannelType(world, shop, channel.type)
  if (flow.withinPlanNumber) return
  // The account gets as many flows as the largest plan allows, all published before this one.
  const firstPublishedAt = new Date(world.clock.now().getTime() - DAY_MS)
  const older = { name: 'older', publishedVersionId: shop.versionId, firstPublishedAt }
  for (let nth = 0; nth < 25; nth += 1) await addFlowTo(world, shop, older)
}

async function setUpContacts(world: World, shop: Shop, setup: HookSetup): Promise<string | null> {
  const now = world.clock.now()
  const isCustomerKnown =
    setup.conversation !== 'none' || setup.counters.customerTemplatesLast24h > 0
  const contacts: ContactSetup[] =
    setup.contact === 'none'
      ? isCustomerKnown
        ? [{ phone: '+966501234567' }]
        : []
      : [setup.contact].flat()
  let contactId: string | null = null
  for (const contact of contacts) {
    contactId = await addContact(world, shop, {
      name: contact.name ?? null,
      phone: contact.phone,
      language: contact.language ?? null,
      tags: contact.tags ?? [],
      optedOutAt: contact.optedOut ? now : null,
    })
  }
  if (isCustomerKnown && contactId) {
    await addConversation(world, shop, {
      contactId,
      filedUnder: contacts.at(-1)!.phone.slice(1),
      handledBy: setup.conversation.includes('staff') ? 'staff' : 'assistant',
    })
  }
  return contactId
}

/** Writes a run of an earlier day that ended, which a repeated key refers to. */
async function writePriorRun(world: World, shop: Shop, key: string): Promise<string> {
  const phone = '+966555555555'
  const contactId = await addContact(world, shop, { phone })
  const filedUnder = phone.slice(1)
  const conversationId = await addConversation(world, shop, { contactId, filedUnder })
  const ended = { status: 'completed', endReason: 'completed', endedAt: world.clock.now() }
  const of = { conversationId, contactId, triggerKind: 'webhook' }
  return addRun(world, shop, { ...of, ...ended, idempotencyKey: cleanText(key) })
}

async function setUpCounters(
  world: World,
  shop: Shop,
  { counters }: HookSetup,
  contactId: string | null,
): Promise<void> {
  const now = world.clock.now()
  await world.database.db.pool.query(
    `insert into hook_url_count select id, company_id, date_trunc('minute', $2::timestamptz), $3
      from hook_url where flow_id = $1`,
    [shop.flowId, now, counters.urlThisMinute],
  )
  await setRequestsOfHour(world, shop, counters.accountThisHour)
  await setTemplatesToday(world, shop, counters.accountTemplatesToday)
  for (let sent = 0; sent < counters.customerTemplatesLast24h; sent += 1) {
    const [conversation] = await conversationsOf(world, { contactId })
    const where = { ...shop, conversationId: conversation!.id }
    const messageId = await addMessage(world, where, { sender: 'flow', status: 'sent' })
    const { accountId, companyId } = shop
    await countTemplate(world, { accountId, companyId, messageId, contactId: contactId! }, now)
  }
}

async function secondFlow(world: World, shop: Shop): Promise<string> {
  const token = `hook_${world.service.context.ids.token(32)}`
  const published = { publishedVersionId: shop.versionId, firstPublishedAt: world.clock.now() }
  const { flowId } = await addFlowTo(world, shop, { name: 'second', ...published })
  await addHook(world, { companyId: shop.companyId, flowId }, token)
  return token
}

async function replaceToken(world: World, shop: Shop): Promise<string> {
  const replaced = { tokenHash: tokenHash(`hook_${world.service.context.ids.token(32)}`) }
  await update(world, 'hookUrl', { flowId: shop.flowId }, replaced)
  return shop.hookToken
}
