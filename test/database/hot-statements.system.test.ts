/**
 * Statements that the service repeats all the time use an index, however large the tables have grown. This also
 * holds for a plan that is made once for all values, and on tables with statistics.
 */
import { afterAll, expect, test } from 'vitest'
import { newPhone } from '../support/simulator.ts'
import { postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { watchStatements } from '../support/statements.ts'
import { emptyPartitions, multiply } from '../support/records/bulk.ts'
import { addDeliveries } from '../support/records/deliveries.ts'
import { addReply } from '../support/records/assistant.ts'
import { addConversation } from '../support/records/conversations.ts'
import { addFile } from '../support/records/files.ts'
import { addSources } from '../support/records/knowledge.ts'
import { addNotice } from '../support/records/notices.ts'

const ROWS = 3_000
/** Columns that differ in each row that is copied from an existing one. */
const LARGE: Record<string, string> = {
  contact: `'id', gen_random_uuid(), 'phone', '+9661' || n, 'whatsapp_id', 'made-' || n`,
  identity: `'id', gen_random_uuid(), 'contact_id', gen_random_uuid()`,
  identifier: `'key', 'made-' || n, 'identity_id', gen_random_uuid()`,
  conversation: `'id', 'c_' || n, 'filed_under', 'made-' || n, 'contact_id', gen_random_uuid(),
    'identity_id', gen_random_uuid()`,
  message: `'id', 'm_' || n, 'provider_message_id', 'made-' || n, 'send_key', 'made-' || n,
    'conversation_id', 'c_' || n, 'run_id', gen_random_uuid()`,
  template_send: `'message_id', 'made-' || n, 'contact_id', gen_random_uuid()`,
  flow_run: `'id', gen_random_uuid(), 'idempotency_key', 'made-' || n, 'conversation_id', 'c_' || n,
    'contact_id', gen_random_uuid()`,
  run_queue: `'id', gen_random_uuid()`,
  flow_run_step: `'run_id', gen_random_uuid()`,
  flow_run_reply: `'run_id', gen_random_uuid(), 'message_id', 'm_' || n`,
  event: `'id', new_uuid_v7(one.occurred_at), 'company_id', gen_random_uuid()`,
  assistant_reply: `'id', gen_random_uuid(), 'conversation_id', 'c_' || n`,
  file: `'id', gen_random_uuid()`,
  knowledge_source: `'id', gen_random_uuid()`,
  notice: `'id', gen_random_uuid()`,
  webhook_delivery: `'id', new_uuid_v7(one.created_at), 'endpoint_id', gen_random_uuid(),
    'company_id', gen_random_uuid(), 'event_id', gen_random_uuid()`,
  delivery_queue: `'id', gen_random_uuid(), 'endpoint_id', gen_random_uuid(),
    'company_id', gen_random_uuid()`,
}

/** The statements with parameters that were sent. */
const asked = new Set<string>()
/** Old rows are deleted every hour, in batches that are a large part of these tables. */
const SWEEP = /^\s*with picked as .* delete from /s
const BEGIN = /^(?:begin|start transaction)/
let isListening = false

const stopWatching = watchStatements(({ name, text }) => {
  if (isListening && name && !BEGIN.test(text)) asked.add(text)
})
const { world, whatsApp } = await openWhatsApp({ hasOwnDatabase: true })
const shop = await whatsApp.openShop()
afterAll(stopWatching)

/** Plays a hook, its template, receipts, a reply, the end, and all delivered events; twice, for a known customer. */
async function walk() {
  const phone = newPhone()
  for (const text of ['Yes, today', 'Later']) {
    await shop.order(phone)
    await whatsApp.settle()
    const reply = written({ from: phone.slice(1), text })
    expect(await postWebhook(world, webhookOf(shop, [reply]))).toBe(200)
    await whatsApp.settle()
  }
}

test('No statement of a scenario scans a large table, or all claimed rows, from end to end', async () => {
  const conversationId = await addConversation(world, shop)
  await addReply(world, { ...shop, conversationId }, { state: 'sent', endedAt: world.clock.now() })
  await addFile(world, shop)
  await addSources(world, shop, [{ state: 'ready' }])
  await addNotice(world, shop, { kind: 'mentioned' })
  await addDeliveries(world, shop, ['pending'])
  isListening = true
  await walk()
  isListening = false
  const client = await world.database.db.pool.connect()
  try {
    await client.query(`set session_replication_role = 'replica'`)
    for (const [table, unlike] of Object.entries(LARGE)) {
      await multiply(client, table, unlike, ROWS)
    }
    await client.query(`set session_replication_role = 'origin'`)
    await client.query(`analyze ${Object.keys(LARGE).join(', ')}`)
    // A partition of coming days is planned again when its first rows are analyzed.
    const ofComingDays = await emptyPartitions(client)
    const scans: string[] = []
    for (const text of asked) {
      if (SWEEP.test(text)) continue
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain (generic_plan) ${text}`,
      )
      for (const { 'QUERY PLAN': line } of rows) {
        const scanned = /Seq Scan on (\w+)/.exec(line)?.[1] ?? ''
        const table = ofComingDays.has(scanned) ? '' : scanned.replace(/_\d{8}$/, '')
        if (table in LARGE) scans.push(`${table}: ${text.replaceAll(/\s+/g, ' ')}`)
      }
      // A row with a known key has another index; a statement that reads all claimed rows names that condition.
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      const whole = /Scan using (\w+_(?:in_flight|claimed)) .*\n(?!.*Index Cond)/.exec(plan)?.[1]
      if (whole && !text.includes('claim_id is not null'))
        scans.push(`${whole}: ${text.replaceAll(/\s+/g, ' ')}`)
    }
    expect(scans).toEqual([])
    expect(asked.size).toBeGreaterThan(40)
  } finally {
    client.release()
  }
})
