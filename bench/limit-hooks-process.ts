/**
 * The yardstick of `hooks.ts`: the smallest program that accepts the same requests and writes the same rows in the
 * same batches, without rules. It assumes that each customer is new and that its flow runs, and checks, locks or
 * limits nothing.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { createClock } from '../src/core/clock.ts'
import { tokenHash } from '../src/infra/secrets/token-hash.ts'
import type { DB } from '../src/infra/database/tables.ts'
import type { NewRun } from '../src/modules/flows/runs/start-runs.ts'
import { writeAccepted, type Accepted } from '../src/modules/hooks/write-accepted.sql.ts'
import { createIds, systemRandom } from '../src/core/ids.ts'
import type { NewlyResolved } from '../src/modules/messaging/write-resolved.sql.ts'
import { raiseEvents, type EventToRaise } from '../src/modules/events/raise-event.ts'

type Hook = {
  hook_id: string
  account_id: string
  company_id: string
  name: string
  flow_id: string
  version_id: string
  channel_id: string
}
type Waiting = { token: string; key: string; body: Buffer; resolve(id: string): void }
type Body = { customer: { phone: string; name: string }; order: { number: string } }

const clock = createClock()
const ids = createIds(clock, systemRandom)
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 })
const kysely = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
const { rows } = await pool.query<Hook & { token_hash: Buffer }>(`
  select hook_url.token_hash, hook_url.id as hook_id, company.account_id,
    hook_url.company_id, company.name, flow.id as flow_id,
    flow.published_version_id as version_id, flow_version.channel_id
  from hook_url join flow on flow.id = hook_url.flow_id join company on company.id = hook_url.company_id
    join flow_version on flow_version.id = flow.published_version_id`)
const hooks = new Map(rows.map((row) => [row.token_hash.toString('hex'), row]))
const waiting: Waiting[] = []
let underWay = 0

function schedule() {
  if (waiting.length === 0 || underWay >= 3) return
  underWay += 1
  setImmediate(() => {
    const batch = waiting.splice(0, 64)
    write(batch)
      .catch((error: unknown) => {
        console.error(error)
        process.exit(1)
      })
      .finally(() => {
        underWay -= 1
        schedule()
      })
    schedule()
  })
}

async function write(batch: Waiting[]) {
  if (batch.length === 0) return
  const now = clock.now()
  const runs: NewRun[] = []
  const resolved: NewlyResolved = {
    contacts: [],
    identities: [],
    identifiers: [],
    conversations: [],
  }
  const events: EventToRaise[] = []
  const shapes = new Map<string, Accepted['shapes'][number]>()
  for (const { token, key, body } of batch) {
    const hook = hooks.get(tokenHash(token).toString('hex'))!
    const { customer, order } = JSON.parse(body.toString()) as Body
    const [contactId, conversationId, runId] = [ids.uuid(), `c_${ids.uuid()}`, ids.uuid()]
    const number = customer.phone.slice(1)
    const at = { companyId: hook.company_id, channelId: hook.channel_id }
    resolved.contacts.push({
      id: contactId,
      companyId: hook.company_id,
      name: customer.name,
      phone: customer.phone,
      whatsappId: null,
      language: 'en',
      tag: 'webhook',
      source: 'hook',
      optedOutAt: null,
    })
    const identityId = ids.uuid()
    resolved.identities.push({ id: identityId, companyId: hook.company_id, contactId })
    const identifier = { kind: 'number', key: number, value: number, scope: null } as const
    resolved.identifiers.push({
      ...identifier,
      companyId: hook.company_id,
      identityId,
      proof: 'hook',
      shownAt: null,
    })
    resolved.conversations.push({
      id: conversationId,
      ...at,
      channelType: 'whatsapp',
      contactId,
      identityId,
      filedUnder: number,
      isAnnounced: true,
    })
    runs.push({
      id: runId,
      accountId: hook.account_id,
      ...at,
      flowId: hook.flow_id,
      flowVersionId: hook.version_id,
      conversationId,
      contactId,
      triggerKind: 'webhook',
      triggerMessageId: null,
      idempotencyKey: key,
      language: 'en',
      variables: { order: order.number },
    })
    shapes.set(hook.hook_id, {
      hookId: hook.hook_id,
      companyId: hook.company_id,
      body: body.toString(),
      status: 'accepted',
    })
    const contact = { id: contactId, name: customer.name, phone: customer.phone }
    events.push(...eventsOf(hook, contact, conversationId, now))
  }
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query({ name: 'count', text: COUNT, values: [[...shapes.keys()].toSorted(), now] })
    await writeAccepted(kysely, client, { resolved, runs, shapes: [...shapes.values()] }, now)
    await raiseEvents(client, { ids, now }, events)
    await client.query('commit')
  } finally {
    client.release()
  }
  batch.forEach(({ resolve }, index) => resolve(runs[index]!.id))
}

function eventsOf(
  hook: Hook,
  contact: { id: string; name: string; phone: string },
  conversationId: string,
  now: Date,
): EventToRaise[] {
  const contactId = contact.id
  const company = { id: hook.company_id, name: hook.name }
  const rest = { whatsAppId: null, email: null, language: 'en', fields: {}, optedOut: false }
  return [
    {
      type: 'contact.created',
      company,
      occurredAt: now,
      contactId,
      data: { contact: { ...contact, ...rest, tags: ['webhook'] } },
    },
    {
      type: 'conversation.started',
      company,
      occurredAt: now,
      contactId,
      conversationId,
      data: {
        conversation: { id: conversationId, channelId: hook.channel_id, channelType: 'whatsapp' },
        contact: { ...contact, whatsAppId: contact.phone.slice(1) },
      },
    },
  ]
}

const COUNT = `
  with urls as (
    insert into hook_url_count select id, company_id, date_trunc('minute', $2::timestamptz), 1
    from unnest($1::uuid[]) as asked (id) join hook_url using (id) order by id
    on conflict (hook_url_id) do update set requests = hook_url_count.requests + 1
  )
  insert into company_hook_count
  select distinct company_id, date_trunc('hour', $2::timestamptz), 1
  from unnest($1::uuid[]) as asked (id) join hook_url using (id) order by company_id
  on conflict (company_id) do update set requests = company_hook_count.requests + 1`

const server = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    waiting.push({
      token: request.url!.slice('/hooks/'.length),
      key: request.headers['idempotency-key'] as string,
      body: Buffer.concat(parts),
      resolve(id) {
        const answer = JSON.stringify({ id, status: 'accepted', detail: null })
        response.writeHead(202, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(answer),
        })
        response.end(answer)
      },
    })
    schedule()
  })
})
server.listen(0, '127.0.0.1', () => console.log(`ready ${(server.address() as AddressInfo).port}`))
process.on('SIGTERM', () => process.exit(0))
