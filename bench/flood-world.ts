/** Parts that the flood's measurement and its test share: the service in a process, shops, a thousand channels. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { Service } from '../src/app/create-service.ts'
import { credentialsContext } from '../src/modules/channels/load-channel.ts'
import type { Shop } from '../test/support/shop.ts'
import { postWebhook, webhookOf, written } from '../test/support/whatsapp-webhook.ts'

/** The business account to which the flood is addressed. */
export const FLOODED_ACCOUNT = 'flooded-account'
const GIVE_UP_MS = 30_000

/** Options of Node as in `npm start`. */
export const NODE = {
  NODE_OPTIONS: '--max-semi-space-size=8',
  NODE_COMPILE_CACHE: path.join(import.meta.dirname, '../node_modules/.cache/node'),
}

/** Connects `count` channels to one account of the provider, each with a separate secret. */
export async function connectChannels(service: Service, companyId: string, count: number) {
  const { db, ids, clock } = service.context
  const now = clock.now()
  const rows = Array.from({ length: count }, (_, index) => {
    const id = ids.uuid()
    const secrets = {
      accessToken: 'a',
      appSecret: `secret ${index}`,
      verifyToken: `token ${index}`,
    }
    return {
      id,
      companyId,
      type: 'whatsapp',
      providerRoute: `flooded-${index}`,
      providerAccount: FLOODED_ACCOUNT,
      credentials: service.keyRing.encrypt(
        JSON.stringify(secrets),
        credentialsContext(id, companyId),
      ),
      verifyTokenHash: createHash('sha256').update(secrets.verifyToken).digest(),
      isConnected: true,
      createdAt: now,
      updatedAt: now,
    }
  })
  await db.kysely.insertInto('channel').values(rows).execute()
}

/** Runs a program of this folder in a separate process, and reads its lines. */
export function run(program: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, program)], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  const waiting: ((line: string) => void)[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    const next = waiting.shift()
    if (next) next(line)
    else lines.push(line)
  })
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)))
  })
  ended.catch(() => {})
  const line = () =>
    Promise.race([
      new Promise<string>((resolve) => {
        const ready = lines.shift()
        if (ready === undefined) waiting.push(resolve)
        else resolve(ready)
      }),
      ended,
    ])
  return {
    line,
    ask() {
      child.stdin.write('\n')
      return line()
    },
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      if (child.exitCode === null && child.kill('SIGTERM')) await gone
    },
  }
}

/** Figures of the service since the last line, as `flood-service-process.ts` prints them. */
export type Measured = {
  worstMs: number
  busiestMs: number
  /** Shares of a processor: of the service's thread, and of the process with its garbage collector. */
  share: number
  processShare: number
  peakMb: number
}
/** The responses that the flood received, and the share of a processor that it took. */
export type Flooded = { statuses: Record<string, number>; share: number }

/**
 * Sends two correctly signed webhooks a second, each with a message: one from a new address, one from a known
 * address. After a 503 each is repeated a second later, as the provider would. Returns the time of the slowest 200,
 * and the other responses.
 */
export async function sendSigned(
  origin: string,
  shop: Pick<Shop, 'phoneNumberId' | 'businessAccountId'>,
  { seconds }: { seconds: number },
) {
  const sent = { slowestMs: 0, known: {} as Statuses, unknown: {} as Statuses }
  async function send(statuses: Statuses, address: string, number: number) {
    const customer = { from: `96657${String(number).padStart(7, '0')}` }
    const body = webhookOf(shop, [written(customer)])
    const began = performance.now()
    let status = 0
    while (status !== 200 && performance.now() - began < GIVE_UP_MS) {
      if (status !== 0) await pause(1_000)
      status = await postWebhook({ url: origin }, body, { address }).catch(() => 0)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    sent.slowestMs = Math.max(sent.slowestMs, performance.now() - began)
  }
  const under: Promise<void>[] = []
  for (let second = 0; second < seconds; second += 1) {
    under.push(send(sent.known, '198.22.0.1', 2 * second))
    under.push(send(sent.unknown, `198.23.${second >> 8}.${second & 255}`, 2 * second + 1))
    await pause(1_000)
  }
  await Promise.all(under)
  return sent
}
type Statuses = Record<string, number>

/** Sends hook requests without pause over a number of connections, for a given time. */
export async function askHooks(
  origin: string,
  tokens: readonly string[],
  { seconds, connections, prefix }: { seconds: number; connections: number; prefix: number },
): Promise<{ rate: number; statuses: Record<string, number> }> {
  const { Pool } = await import('undici')
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const statuses: Record<string, number> = {}
  const began = performance.now()
  const end = began + seconds * 1_000
  let sent = 0
  async function askOn() {
    while (performance.now() < end) {
      const number = (sent += 1)
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: `/hooks/${tokens[number % tokens.length]}`,
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': `198.20.${(number >> 8) & 255}.${number & 255}`,
        },
        body: JSON.stringify({
          customer: { phone: `+9665${prefix}${String(number).padStart(6, '0')}`, name: 'سارة' },
          order: { number: `A-${number}` },
        }),
      })
      await body.dump()
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: connections }, askOn))
  const took = (performance.now() - began) / 1_000
  await pool.close()
  return { rate: (statuses[202] ?? 0) / took, statuses }
}
