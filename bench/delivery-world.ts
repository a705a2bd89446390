/**
 * The environment of benches of deliveries: an embedded PostgreSQL with fsync, 200 shops with an endpoint each. One
 * process is their HTTPS server, another the service's daemon.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { generate } from 'selfsigned'
import { readConfig } from '../src/app/config.ts'
import { startEmbeddedPostgres } from '../src/infra/database/embedded/start-embedded-postgres.ts'
import { transaction } from '../src/infra/database/transaction.ts'
import { createService } from '../src/app/create-service.ts'
import { EVENT_TYPES } from '../src/core/vocabulary/events.ts'
import { createEndpoint } from '../src/modules/endpoints/create-endpoint.ts'

/** The number of shops, each with one endpoint. */
export const ENDPOINTS = 200

const folder = mkdtempSync(path.join(tmpdir(), 'wasla-bench-'))
/** Returns the path of a file in the bench's folder. */
export const file = (name: string) => path.join(folder, name)
const made = await generate([{ name: 'commonName', value: 'bench' }], {
  keyType: 'ec',
  curve: 'P-256',
  extensions: [
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
  ],
})
writeFileSync(file('key.pem'), made.private)
writeFileSync(file('cert.pem'), made.cert)
const postgres = await startEmbeddedPostgres({ dataFolder: folder })
const { host, user, database } = postgres.connection
/** The environment of the child processes. */
export const env: Record<string, string> = {
  PATH: process.env.PATH ?? '',
  DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
  DATA_FOLDER: folder,
  DEMONSTRATION: 'off',
  EGRESS_ALLOW: '127.0.0.0/8',
  EXTRA_CA_FILE: file('cert.pem'),
  KEY_FILE: file('key.pem'),
  CERT_FILE: file('cert.pem'),
  LOG_LEVEL: 'error',
  PORT: '0',
  // As `npm start` has them.
  NODE_OPTIONS: '--max-semi-space-size=8',
  NODE_COMPILE_CACHE: path.join(import.meta.dirname, '../node_modules/.cache/node'),
}
/** The service that creates the tables, the shops and the events. Its daemon is never started. */
export const service = await createService(readConfig(env, [], folder))
/** The context of the bench's own service. */
export const { db, ids, clock } = service.context

/** Starts a program of this folder as a child process. Resolves once it is ready. */
export async function start(program: string) {
  const child = fork(path.join(import.meta.dirname, program), {
    env,
    execArgv: [],
  })
  return { child, first: await hear(child) }
}
/** Resolves to the next message of a process. Rejects where it ends without one. */
export async function hear(child: ChildProcess): Promise<unknown> {
  const done = new AbortController()
  const { signal } = done
  const ended = once(child, 'exit', { signal }).then(([code]: unknown[]) => {
    throw new Error(`a process of the bench ended with ${String(code)}`)
  })
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal }), ended])) as [unknown]
    return message
  } finally {
    ended.catch(() => {})
    done.abort()
  }
}
/** Stops a child process and waits for its end. */
export async function stop(child: ChildProcess) {
  child.kill('SIGTERM')
  await once(child, 'exit')
}
/** The HTTPS server of all shops. */
export const receiver = await start('delivery-receiver-process.ts')
/** The URL that responds immediately, and the one that never responds. */
export const [answering, hanging] = (receiver.first as number[]).map(
  (port) => `https://127.0.0.1:${port}/events`,
)
/** Returns the receipts since the last report: the number of each message and its time. */
export async function report(): Promise<[number, number][]> {
  receiver.child.send('report')
  return (await hear(receiver.child)) as [number, number][]
}

/** Creates the shops with an endpoint each, all at one server. Returns the ids of their companies. */
export async function makeShops(): Promise<string[]> {
  const companyIds: string[] = []
  for (let shop = 0; shop < ENDPOINTS; shop += 1) {
    const [accountId, companyId] = [ids.uuid(), ids.uuid()]
    const now = clock.now()
    await transaction(db, async (tx) => {
      await tx
        .insertInto('account')
        .values({ id: accountId, plan: 'business', createdAt: now })
        .execute()
      await tx
        .insertInto('company')
        .values({ id: companyId, accountId, name: 'Shop', createdAt: now })
        .execute()
      const { keyRing } = service
      await createEndpoint(
        tx,
        { ids, keyRing, now },
        { companyId, name: 'Bench', url: answering!, eventTypes: EVENT_TYPES },
      )
    })
    companyIds.push(companyId)
  }
  return companyIds
}

/** Deletes all events and deliveries, and resets the endpoints and their health: all of them respond. */
export async function empty() {
  await sql`truncate webhook_delivery, delivery_queue, delivery_attempt, event, event_body,
    delivery_hour cascade`.execute(db.kysely)
  await sql`update endpoint set url = ${answering!}, is_on = true, off_at = null, off_reason = null`.execute(
    db.kysely,
  )
  await sql`update endpoint_health set failures_in_row = 0, failing_since = null, slots = 8`.execute(
    db.kysely,
  )
}

/** Inserts due deliveries, spread over the endpoints. */
export async function fill(count: number) {
  const now = clock.now()
  const body = Buffer.from(
    JSON.stringify({ data: { message: '0'.repeat(10) }, pad: 'x'.repeat(900) }),
  )
  for (let done = 0; done < count; done += 10_000) {
    await sql`
      with endpoint as (
        select id, company_id, row_number() over (order by id) - 1 as nth from endpoint
      ), raised as (
        insert into event (id, company_id, type, occurred_at)
        select new_uuid_v7(${now}), endpoint.company_id, 'ping', ${now}::timestamptz
        from generate_series(1, ${Math.min(10_000, count - done)}::int) as n
          join endpoint on endpoint.nth = n % ${ENDPOINTS}
        returning id, company_id
      ), body as (
        insert into event_body (id, api_version, body) select id, '2026-10', ${body} from raised
      ), made as (
        insert into webhook_delivery (id, company_id, endpoint_id, event_id, body_id, api_version,
          kind, state, created_at)
        select new_delivery_id(raised.id), raised.company_id, endpoint.id, raised.id, raised.id, '2026-10',
          'event', 'pending', ${now}::timestamptz
        from raised join endpoint using (company_id)
        returning id, company_id, endpoint_id
      )
      insert into delivery_queue (id, company_id, endpoint_id, kind, queue, due_at)
      select id, company_id, endpoint_id, 'event', 'first', ${now}::timestamptz from made
    `.execute(db.kysely)
  }
  await sql`vacuum analyze webhook_delivery, delivery_queue`.execute(db.kysely)
  await sql`analyze event, event_body, endpoint, endpoint_secret`.execute(db.kysely)
}

/** Stops the receiver, the service and PostgreSQL, and deletes the folder. */
export async function close() {
  await stop(receiver.child).catch(() => {})
  await service.stop()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
