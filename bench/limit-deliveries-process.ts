/**
 * The yardstick of `deliveries.ts`: the smallest program that claims the same rows in the same batches, signs them,
 * posts them over kept-alive connections, and writes the same attempts. It has no rules: no fair shares, queues,
 * health, guard or totals.
 */
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { Agent, request } from 'undici'
import { createKeyRing } from '../src/infra/secrets/key-ring.ts'
import { createClock } from '../src/core/clock.ts'
import { createIds, systemRandom } from '../src/core/ids.ts'
import { encryptionContext } from '../src/modules/endpoints/create-endpoint.ts'
import { signWebhook } from '../src/modules/deliveries/signature.ts'
import { loadKeys } from '../src/infra/secrets/load-keys.ts'
import { readConfig } from '../src/app/config.ts'
import { OUTBOUND_SOCKETS } from '../src/core/limits/outbound.ts'

type Row = {
  id: string
  company_id: string
  url: string
  type: string
  body: Buffer
  secret_id: string
  secret: string
}
type Done = { row: Row; status: number; startedAt: Date; ms: number }

const clock = createClock()
const ids = createIds(clock, systemRandom)
const keyRing = createKeyRing(
  loadKeys(readConfig(process.env, [], import.meta.dirname), systemRandom),
  systemRandom,
)
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const agent = new Agent({
  connections: OUTBOUND_SOCKETS.deliveries.maxSocketsPerOrigin,
  connect: { ca: readFileSync(process.env.EXTRA_CA_FILE!) },
})
const IN_FLIGHT = 320
let inFlight = 0
let done: Done[] = []

const CLAIM = `
  with picked as (
    select id from delivery_queue where claim_id is null and queue = 'first' and due_at <= $2
    limit $3 for update skip locked
  ), claimed as (
    update delivery_queue set claim_id = $1, lease_expires_at = $2::timestamptz + interval '30 s'
    where id = any(array(select id from picked))
    returning id, company_id, endpoint_id
  )
  select claimed.id, claimed.company_id, endpoint.url, event.type, body.body,
    secret.id as secret_id, secret.secret
  from claimed join webhook_delivery delivery on delivery.id = claimed.id
    join endpoint on endpoint.id = claimed.endpoint_id
    join event on event.id = delivery.event_id
    join event_body body on body.id = delivery.body_id and body.api_version = delivery.api_version
    join endpoint_secret secret on secret.endpoint_id = claimed.endpoint_id`

const SETTLE = `
  with done as (
    delete from delivery_queue where id = any($2::uuid[])
  ), moved as (
    update webhook_delivery set state = 'delivered', attempts = 1, last_status = t.status, ended_at = $1
    from unnest($2::uuid[], $3::smallint[]) as t (id, status) where webhook_delivery.id = t.id
  )
  insert into delivery_attempt (id, company_id, delivery_id, number, url, started_at,
    duration_ms, http_status, signed_with)
  select id, company_id, delivery_id, 1, url, started_at, ms, status, 'abcd'
  from unnest($4::uuid[], $5::uuid[], $2::uuid[], $6::text[], $7::timestamptz[], $8::int[], $3::smallint[])
    as t (id, company_id, delivery_id, url, started_at, ms, status)`

async function attempt(row: Row) {
  const startedAt = clock.now()
  const secret = keyRing.decrypt(row.secret, encryptionContext(row.secret_id, row.company_id))
  const { statusCode, body } = await request(row.url, {
    dispatcher: agent,
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Service-Webhooks/1.0',
      'x-service-signature': signWebhook(row.body, [secret], startedAt),
      'x-service-event': row.type,
      'x-service-delivery': row.id,
    },
    body: row.body,
  })
  await body.dump()
  const ms = Math.round(clock.now().getTime() - startedAt.getTime())
  done.push({ row, status: statusCode, startedAt, ms })
  inFlight -= 1
  if (done.length >= 64) await settle()
}

async function settle() {
  const batch = done
  done = []
  if (batch.length === 0) return
  await pool.query({
    name: 'settle',
    text: SETTLE,
    values: [
      clock.now(),
      batch.map(({ row }) => row.id),
      batch.map(({ status }) => status),
      batch.map(() => ids.uuid()),
      batch.map(({ row }) => row.company_id),
      batch.map(({ row }) => row.url),
      batch.map(({ startedAt }) => startedAt),
      batch.map(({ ms }) => ms),
    ],
  })
}

function fail(error: unknown): never {
  console.error(error)
  process.exit(1)
}

async function work() {
  for (;;) {
    const free = IN_FLIGHT - inFlight
    const { rows } =
      free > 0
        ? await pool.query<Row>({
            name: 'claim',
            text: CLAIM,
            values: [ids.uuid(), clock.now(), free],
          })
        : { rows: [] }
    inFlight += rows.length
    for (const row of rows) attempt(row).catch(fail)
    if (rows.length === 0 && inFlight === 0) await settle()
    await new Promise((resolve) => setTimeout(resolve, 3))
  }
}

setInterval(() => void settle().catch(fail), 2)
await pool.query('select 1')
process.send!('ready')
process.once('message', () => void work().catch(fail))
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
