import type { createAddressLimit } from '../../src/http/ip-rate-limiter.ts'
import { tokenHash } from '../../src/infra/secrets/token-hash.ts'
import { cleanText } from '../../src/rules/text/json-text.ts'
import type { Plan } from '../../src/core/vocabulary/accounts.ts'
import { addContact } from '../support/records/contacts.ts'
import { addConversation } from '../support/records/conversations.ts'
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

/** What a case has been set up with, and the tokens that its requests may name. */
export type SetUp = {
  shop: Shop
  priorRun: string | null
  tokens: Record<string, string>
  takeDown(): Promise<void>
}

type Around = {
  world: World
  address: string
  addressLimit: ReturnType<typeof createAddressLimit>
  index: number
}

const UNKNOWN_TOKEN = `hook_${'x'.repeat(43)}`

export async function setUpHook(around: Around, setup: HookSetup): Promise<SetUp> {
  const { world, address, addressLimit, index } = around
  const { pool } = world.database.db
  world.clock.moveTo(setup.clock)
  const now = world.clock.now()
  const shop = await makeShop(world, setup, `case-${index}`)
  const second = setup.flows === 2 ? await secondFlow(world, shop) : null
  const other = setup.accounts === 2 ? await makeShop(world, setup, `case-${index}-other`) : null

  await pool.query(`update account set templates_per_day = $2 where id = $1`, [
    shop.accountId,
    setup.planTemplatesPerDay,
  ])
  await pool.query(
    `insert into operator_switch values ('hooks_paused', $1, $2)
      on conflict (name) do update set is_on = excluded.is_on`,
    [setup.hooksPaused, now],
  )
  await setUpFlow(world, shop, setup)
  const contactId = await setUpContacts(world, shop, setup)
  const priorRun = setup.priorKey ? await writePriorRun(world, shop, setup.priorKey) : null
  await setUpCounters(world, shop, setup, contactId)
  for (let admitted = 0; admitted < setup.counters.addressLast60s; admitted += 1) {
    addressLimit.admit(address, now)
  }
  if (setup.counterStore === 'down') await pool.query('alter table hook_url_count rename to away')
  const own =
    setup.token === 'valid'
      ? shop.hookToken
      : setup.token === 'replaced'
        ? await replaceToken(world, shop)
        : UNKNOWN_TOKEN
  return {
    shop,
    priorRun,
    tokens: {
      own,
      unknown: UNKNOWN_TOKEN,
      ...(second ? { 'flow 2': second } : {}),
      ...(other ? { 'flow of account 2': other.hookToken } : {}),
    },
    async takeDown() {
      if (setup.counterStore === 'down') {
        await pool.query('alter table away rename to hook_url_count')
      }
    },
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
  const { pool } = world.database.db
  if (!flow.published) {
    await pool.query('update flow set published_version_id = null where id = $1', [shop.flowId])
  }
  await pool.query('update flow set is_on = $2 where id = $1', [shop.flowId, flow.on])
  await pool.query('update channel set type = $2 where id = $1', [shop.channelId, channel.type])
  if (flow.withinPlanNumber) return
  // As many flows as the largest plan has, published before this one.
  await pool.query(
    `insert into flow (id, company_id, name, is_on, published_version_id, first_published_at,
        created_at, updated_at)
      select gen_random_uuid(), company_id, 'older', true, published_version_id,
        first_published_at - interval '1 day', created_at, updated_at
      from flow, generate_series(1, 25) where id = $1`,
    [shop.flowId],
  )
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

/** A run of an earlier day that ended, as the key of a repeat finds it. */
async function writePriorRun(world: World, shop: Shop, key: string): Promise<string> {
  const { pool } = world.database.db
  const { ids } = world.service.context
  const now = world.clock.now()
  const [phone, runId] = ['+966555555555', ids.uuid()]
  const contactId = await addContact(world, shop, { phone })
  const filedUnder = phone.slice(1)
  const conversationId = await addConversation(world, shop, { contactId, filedUnder })
  await pool.query(
    `insert into flow_run (id, company_id, flow_id, flow_version_id, channel_id, conversation_id,
        contact_id, trigger_kind, idempotency_key, status, end_reason, created_at, ended_at)
      values ($6, $2, $7, $8, $5, $4, $1, 'webhook', $9, 'completed', 'completed', $3, $3)`,
    [
      contactId,
      shop.companyId,
      now,
      conversationId,
      shop.channelId,
      runId,
      shop.flowId,
      shop.versionId,
      cleanText(key),
    ],
  )
  return runId
}

async function setUpCounters(
  world: World,
  shop: Shop,
  { counters }: HookSetup,
  contactId: string | null,
): Promise<void> {
  const { pool } = world.database.db
  const now = world.clock.now()
  await pool.query(
    `insert into hook_url_count select id, company_id, date_trunc('minute', $2::timestamptz), $3
      from hook_url where flow_id = $1`,
    [shop.flowId, now, counters.urlThisMinute],
  )
  await pool.query(
    `insert into company_hook_count values ($1, date_trunc('hour', $2::timestamptz), $3)`,
    [shop.companyId, now, counters.accountThisHour],
  )
  await pool.query(
    `insert into template_day values ($1, ($2::timestamptz at time zone 'UTC')::date, $3)`,
    [shop.accountId, now, counters.accountTemplatesToday],
  )
  for (let sent = 0; sent < counters.customerTemplatesLast24h; sent += 1) {
    const messageId = `o_${world.service.context.ids.uuid()}`
    await pool.query(
      `insert into message (id, company_id, conversation_id, channel_id, direction, sender, type,
          status, occurred_at, created_at)
        select $1, $2, conversation.id, $3, 'out', 'flow', 'text', 'sent', $4, $4
        from conversation where contact_id = $5 limit 1`,
      [messageId, shop.companyId, shop.channelId, now, contactId],
    )
    await pool.query(`insert into template_send values ($1, $2, $3, $4, $5, $6)`, [
      messageId,
      shop.accountId,
      shop.companyId,
      contactId,
      world.service.context.ids.uuid(),
      now,
    ])
  }
}

async function secondFlow(world: World, shop: Shop): Promise<string> {
  const { pool } = world.database.db
  const { ids } = world.service.context
  const token = `hook_${ids.token(32)}`
  await pool.query(
    `with flows as (
        insert into flow (id, company_id, name, published_version_id, first_published_at, created_at,
          updated_at)
        select $2, company_id, 'second', published_version_id, first_published_at, created_at,
          updated_at from flow where id = $1 returning id, company_id, created_at
      )
      insert into hook_url (id, company_id, flow_id, token_hash, token_last_four, created_at)
      select $3, company_id, id, $4, $5, created_at from flows`,
    [shop.flowId, ids.uuid(), ids.uuid(), tokenHash(token), token.slice(-4)],
  )
  return token
}

async function replaceToken(world: World, shop: Shop): Promise<string> {
  const token = `hook_${world.service.context.ids.token(32)}`
  await world.database.db.pool.query('update hook_url set token_hash = $2 where flow_id = $1', [
    shop.flowId,
    tokenHash(token),
  ])
  return shop.hookToken
}
