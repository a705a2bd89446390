/**
 * The yardstick of `journeys.ts`: one transaction a request, no rules. Takes a request, writes a run,
 * an event and a delivery, answers, posts the event signed over a kept-alive connection, records it.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import pg from 'pg'
import { Pool } from 'undici'
import { signWebhook } from '../src/webhooks/signature.ts'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 })
await pool.query(`
  create table if not exists limit_run (id uuid primary key, key text unique, body bytea);
  create table if not exists limit_event (id uuid primary key, run_id uuid, body bytea);
  create table if not exists limit_delivery (id uuid primary key, event_id uuid, state text);
`)
const target = new URL(process.env.RECEIVER_URL!)
const receiver = new Pool(target.origin, {
  connections: 32,
  connect: { ca: readFileSync(process.env.EXTRA_CA_FILE!, 'utf8') },
})

const server = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    accept(Buffer.concat(parts), request.headers['idempotency-key'] as string)
      .then((deliver) => {
        response.writeHead(202, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ id: null, status: 'accepted', detail: null }))
        return deliver()
      })
      .catch((error: unknown) => {
        console.error(error)
        process.exit(1)
      })
  })
})

async function accept(body: Buffer, key: string) {
  const [run, event, delivery] = [randomUUID(), randomUUID(), randomUUID()]
  const envelope = Buffer.from(
    JSON.stringify({
      id: event,
      type: 'flow.completed',
      data: { run, order: JSON.parse(body.toString()) as unknown },
    }),
  )
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query({
      name: 'run',
      text: 'insert into limit_run values ($1, $2, $3)',
      values: [run, key, body],
    })
    await client.query({
      name: 'event',
      text: 'insert into limit_event values ($1, $2, $3)',
      values: [event, run, envelope],
    })
    await client.query({
      name: 'delivery',
      text: `insert into limit_delivery values ($1, $2, 'pending')`,
      values: [delivery, event],
    })
    await client.query('commit')
  } finally {
    client.release()
  }
  return async () => {
    const answer = await receiver.request({
      method: 'POST',
      path: target.pathname,
      headers: { 'x-service-signature': signWebhook(envelope, ['whsec_limit'], new Date()) },
      body: envelope,
    })
    await answer.body.dump()
    await pool.query({
      name: 'settle',
      text: `update limit_delivery set state = 'delivered' where id = $1`,
      values: [delivery],
    })
  }
}

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  writeFileSync(path.join(process.env.DATA_FOLDER!, 'limit-port'), String(port))
  console.log(`ready ${port}`)
})
process.on('SIGTERM', () => process.exit(0))
