/**
 * Two processes of the service on one database, asked at the same moment: what the specification
 * promises of keys, customers and URLs holds over both, also when one of them is killed.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { replaceHookUrl } from '../../src/hooks/replace-hook-url.ts'
import { askHook, ORDER } from '../support/ask-hook.ts'
import { signedIn } from '../support/dashboard.ts'
import { freePort } from '../support/free-port.ts'
import { createKillableService, type KillableService } from '../support/killable-service.ts'
import { connectionUrl, createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { repeatWhile } from '../support/wait.ts'
import { PATIENCE } from '../support/patience.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'wasla-two-'))
let world: World
let shop: Shop
const processes: { service: KillableService; url: string }[] = []

beforeAll(async () => {
  const encryptionKeys = `k1:${randomBytes(32).toString('base64')}`
  world = await createWorld({ encryptionKeys })
  // How many requests pass in a minute and an hour is not what is tested here: in this database the
  // counters forget every request, so that hundreds may ask at one moment.
  await world.database.db.pool.query(`
    create function forget_requests() returns trigger language plpgsql
      as $$ begin new.requests := 0; return new; end $$;
    create trigger forget_requests before insert or update on hook_url_count
      for each row execute function forget_requests();
    create trigger forget_requests before insert or update on company_hook_count
      for each row execute function forget_requests()`)
  // Runs that send nothing: a customer's templates of a day are not the limit here either.
  shop = await createShop(world, { start: 'finish', steps: { finish: { kind: 'end' } } })
  for (const name of ['first', 'second']) {
    const port = await freePort()
    const service = createKillableService({
      DATABASE_URL: connectionUrl(world.database.connection),
      DATABASE_POOL: '8',
      DATA_FOLDER: path.join(folder, name),
      DEMONSTRATION: 'off',
      ENCRYPTION_KEYS: encryptionKeys,
      PORT: String(port),
      TRUSTED_PROXIES: '127.0.0.0/8',
      LOG_LEVEL: 'warn',
    })
    processes.push({ service, url: `http://127.0.0.1:${port}` })
  }
  await Promise.all(processes.map(({ service }) => service.start()))
})
afterAll(async () => {
  await Promise.all(processes.map(({ service }) => service.stop()))
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

let requests = 0
/** Asks the processes in turn, each time from another address. */
async function ask(phone: string, headers: Record<string, string> = {}, token = shop.hookToken) {
  requests += 1
  const { url } = processes[requests % processes.length]!
  const from = { 'x-forwarded-for': `198.18.${(requests >> 8) & 255}.${requests & 255}` }
  const order = { ...ORDER, customer: { ...ORDER.customer, phone } }
  const askOnce = () => askHook(`${url}/hooks/${token}`, order, { ...from, ...headers })
  let answer = await askOnce()
  // On a starved machine the desk gives up after 1.5 s, and a shop sends it again.
  for (let retry = 0; answer.http === 503 && retry < 10; retry += 1) answer = await askOnce()
  return answer
}

async function countRows(table: 'contact' | 'conversation' | 'event', where = 'true') {
  const { rows } = await world.database.db.pool.query<{ count: number }>(
    `select count(*)::int as count from ${table} where company_id = $1 and ${where}`,
    [shop.companyId],
  )
  return rows[0]!.count
}

async function runs(): Promise<{ id: string; key: string | null }[]> {
  const { rows } = await world.database.db.pool.query<{ id: string; key: string | null }>(
    'select id, idempotency_key as key from flow_run where company_id = $1',
    [shop.companyId],
  )
  return rows
}

test('200 simultaneous requests with one key: one 202, 199 × 200 with its id, one run', async () => {
  const key = { 'idempotency-key': 'one-for-all' }
  const answers = await Promise.all(
    // Half of them name another customer: the key decides.
    Array.from({ length: 200 }, (_, at) => ask(`+96650100${at % 4 > 1 ? '0001' : '0002'}`, key)),
  )
  expect(answers.filter(({ http }) => http === 202)).toHaveLength(1)
  expect(answers.filter(({ http }) => http === 200)).toHaveLength(199)
  const ids = new Set(answers.map(({ id }) => id))
  expect(ids.size).toBe(1)
  expect((await runs()).filter((run) => run.key === 'one-for-all')).toEqual([
    { id: [...ids][0], key: 'one-for-all' },
  ])
})

test('100 simultaneous requests with different keys for one new customer: one contact, one conversation, 100 runs', async () => {
  const before = {
    runs: (await runs()).length,
    contacts: await countRows('contact'),
    conversations: await countRows('conversation'),
    events: await countRows('event', `type in ('contact.created', 'conversation.started')`),
  }
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, at) =>
      ask('+966501000100', { 'idempotency-key': `new-${at}` }),
    ),
  )
  expect(answers.filter(({ http }) => http === 202)).toHaveLength(100)
  expect(new Set(answers.map(({ id }) => id)).size).toBe(100)
  expect({
    runs: (await runs()).length,
    contacts: await countRows('contact'),
    conversations: await countRows('conversation'),
    events: await countRows('event', `type in ('contact.created', 'conversation.started')`),
  }).toEqual({
    runs: before.runs + 100,
    contacts: before.contacts + 1,
    conversations: before.conversations + 1,
    events: before.events + 2,
  })
})

test(
  'one process is killed in the middle: every 202 has its run, and repeats answer its id',
  async () => {
    const told = new Map<string, string>()
    let answered = 0
    let isAsking = true
    let orders = 0
    /** However long a start takes: each is asked for twice more below. */
    let mostOrders = 0
    async function askOn() {
      await repeatWhile('orders', () => isAsking, askOnce, { withinMs: 120_000, everyMs: 2 })
    }
    async function askOnce() {
      if (orders >= mostOrders) return
      const key = `crash-${(orders += 1)}`
      const phone = `+9665020${String(orders).padStart(5, '0')}`
      const answer = await ask(phone, { 'idempotency-key': key }).catch(() => null)
      if (answer) answered += 1
      if (answer?.http === 202) told.set(key, answer.id!)
    }
    const asking = Array.from({ length: 16 }, () => askOn())
    try {
      for (let crash = 1; crash <= 3; crash += 1) {
        mostOrders = crash * 150
        await expect
          .poll(() => answered, { timeout: 60_000 * PATIENCE })
          .toBeGreaterThan(crash * 60)
        await processes[0]!.service.kill()
        await processes[0]!.service.start()
      }
    } finally {
      isAsking = false
    }
    await Promise.all(asking)

    const kept = new Map((await runs()).map((run) => [run.key, run.id]))
    expect(told.size).toBeGreaterThan(100)
    for (const [key, id] of told) expect(kept.get(key)).toBe(id)
    // Also those whose answer was lost with the process: each starts one run in all, whoever is asked.
    const ids = new Map<string, string>()
    for (let time = 0; time < 2; time += 1) {
      for (let first = 1; first <= orders; first += 100) {
        const numbers = Array.from(
          { length: Math.min(100, orders - first + 1) },
          (_, at) => first + at,
        )
        await Promise.all(
          numbers.map(async (order) => {
            const key = `crash-${order}`
            const phone = `+9665020${String(order).padStart(5, '0')}`
            const { http, id } = await ask(phone, { 'idempotency-key': key })
            expect(http === 200 || (http === 202 && !kept.has(key) && time === 0)).toBe(true)
            expect(id).toBe(ids.get(key) ?? kept.get(key) ?? id)
            ids.set(key, id!)
          }),
        )
      }
    }
    expect((await runs()).filter((run) => run.key?.startsWith('crash-'))).toHaveLength(orders)
  },
  180_000 * PATIENCE,
)

test('a URL that is replaced is 404 at once on both, the new one works, and keys are kept', async () => {
  const { accountId } = shop
  const member = await signedIn(world, { accountId })
  const { rows } = await world.database.db.pool.query<{ id: string }>(
    'select id from hook_url where flow_id = $1',
    [shop.flowId],
  )
  const key = { 'idempotency-key': 'before-the-change' }
  const first = await ask('+966501000300', key)
  expect(first.http).toBe(202)
  const { url } = await replaceHookUrl(
    { ...world.service.context, publicUrl: () => world.url },
    { accountId, personId: member.personId, role: 'owner', name: null, email: member.email },
    { companyId: shop.companyId, hookUrlId: rows[0]!.id },
  )
  const token = url.split('/').at(-1)!
  for (const asked of await Promise.all([ask('+966501000300'), ask('+966501000300')])) {
    expect(asked).toMatchObject({ http: 404, status: 'not_found' })
  }
  for (const asked of await Promise.all([
    ask('+966501000300', key, token),
    ask('+966501000300', key, token),
  ])) {
    expect(asked).toMatchObject({ http: 200, id: first.id })
  }
  expect(processes.map(({ service }) => service.logged()).join('')).not.toMatch(/hook_[\w-]{37}/)
})
