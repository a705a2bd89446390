/**
 * Two processes of the service on one database, both at work on the same few customers: hooks, what
 * customers write, STOP and START, receipts, turns, sends and deliveries. All take their locks in one order,
 * so that they only wait for each other: the database breaks nothing off.
 *
 * `SECONDS=60` asks for a time of one's own.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../../src/simulator/start-simulator.ts'
import { askHook, ORDER } from '../support/ask-hook.ts'
import { freePort } from '../support/free-port.ts'
import { createKillableService, type KillableService } from '../support/killable-service.ts'
import { connectionUrl, createWorld, type World } from '../support/service.ts'
import { ACCESS_TOKEN, APP_SECRET, createShop, type Shop } from '../support/shop.ts'
import { approved } from '../support/simulator.ts'
import { repeatWhile } from '../support/wait.ts'
import { postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { createRandom } from '../support/random.ts'
import { IS_FULL_SIZE } from '../support/full-size.ts'

const random = createRandom('lock-order')

const SECONDS = Number(process.env.SECONDS) || (IS_FULL_SIZE ? 10 : 4)
const SHOPS = 4
/** So few that requests of one meet all the time. */
const CUSTOMERS = 30

const encryptionKeys = `k1:${randomBytes(32).toString('base64')}`
const folder = mkdtempSync(path.join(tmpdir(), 'wasla-locks-'))
let world: World
let simulator: Simulator
let shops: Shop[]
const processes: { service: KillableService; url: string }[] = []

beforeAll(async () => {
  world = await createWorld({ encryptionKeys })
  // How many requests pass in a minute, and how many templates in a day, is not what is tested here.
  await world.database.db.pool.query(`
    create function forget() returns trigger language plpgsql
      as $$ begin new.requests := 0; return new; end $$;
    create trigger forget before insert or update on hook_url_count
      for each row execute function forget();
    create trigger forget before insert or update on company_hook_count
      for each row execute function forget();
    create function forget_customer() returns trigger language plpgsql
      as $$ begin new.contact_id := null; return new; end $$;
    create trigger forget_customer before insert on template_send
      for each row execute function forget_customer()`)
  const ports = [await freePort(), await freePort()]
  simulator = await startSimulator({
    port: 0,
    journalFile: null,
    clock: { now: () => new Date() },
    stepMs: 0,
    autoReply: { afterMs: 0 },
    log: () => {},
    numbers: [],
  })
  shops = []
  for (let nth = 0; nth < SHOPS; nth += 1) {
    const number = { phoneNumberId: `1000${nth}`, businessAccountId: `2000${nth}` }
    shops.push(await createShop(world, number))
    simulator.addNumber({
      ...number,
      displayPhoneNumber: '15550783881',
      verifiedName: 'Shop',
      accessToken: ACCESS_TOKEN,
      appSecret: APP_SECRET,
      webhookUrl: `http://127.0.0.1:${ports[nth % 2]}/webhooks/whatsapp`,
      templates: ['ar', 'en'].map((language) => approved('order_ready', language)),
    })
  }
  const caFile = path.join(folder, 'ca.pem')
  writeFileSync(caFile, world.receiver.certificate)
  for (const port of ports) {
    const service = createKillableService({
      DATABASE_URL: connectionUrl(world.database.connection),
      DATABASE_POOL: '8',
      DATA_FOLDER: path.join(folder, String(port)),
      DEMONSTRATION: 'off',
      EGRESS_ALLOW: '127.0.0.0/8',
      EXTRA_CA_FILE: caFile,
      ENCRYPTION_KEYS: encryptionKeys,
      PORT: String(port),
      TRUSTED_PROXIES: '127.0.0.0/8',
      SIMULATOR_URL: simulator.graphBaseUrl,
      LOG_LEVEL: 'warn',
    })
    processes.push({ service, url: `http://127.0.0.1:${port}` })
  }
  await Promise.all(processes.map(({ service }) => service.start()))
})
afterAll(async () => {
  await Promise.all(processes.map(({ service }) => service.stop()))
  await simulator.close()
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

let turns = 0
const any = (below: number) => Math.floor(random() * below)
const somebody = () => `96650${String(1_000_000 + any(CUSTOMERS))}`

async function order() {
  turns += 1
  const { url } = processes[turns % 2]!
  const shop = shops[any(SHOPS)]!
  const customer = { ...ORDER.customer, phone: `+${somebody()}` }
  const from = { 'x-forwarded-for': `198.18.${any(250)}.${any(250)}` }
  return askHook(`${url}/hooks/${shop.hookToken}`, { ...ORDER, customer }, from)
}

/** Several customers at once, in any order. */
async function write() {
  turns += 1
  const messages = Array.from({ length: 1 + any(4) }, () =>
    written({ from: somebody(), text: ['hello', 'hello', 'STOP', 'START'][any(4)]! }),
  )
  return postWebhook(processes[turns % 2]!, webhookOf(shops[any(SHOPS)]!, messages))
}

async function brokenOff(): Promise<number> {
  const { rows } = await world.database.db.pool.query<{ deadlocks: number }>(
    `select deadlocks::int from pg_stat_database where datname = current_database()`,
  )
  return rows[0]!.deadlocks
}

test(
  `over ${SECONDS} s of everything at once, no transaction is broken off`,
  async () => {
    const before = await brokenOff()
    const endsAt = performance.now() + SECONDS * 1_000
    const isGoingOn = () => performance.now() < endsAt
    const outcomes = { accepted: 0, taken: 0 }
    const patience = { withinMs: SECONDS * 1_000 + 60_000 }
    const orders = () =>
      repeatWhile(
        'orders',
        isGoingOn,
        async () => {
          const { http } = await order()
          if (http === 202) outcomes.accepted += 1
        },
        patience,
      )
    const messages = () =>
      repeatWhile(
        'messages',
        isGoingOn,
        async () => {
          if ((await write()) === 200) outcomes.taken += 1
        },
        patience,
      )
    await Promise.all([
      ...Array.from({ length: 8 }, orders),
      ...Array.from({ length: 8 }, messages),
    ])
    // A session that ends has told what it counted.
    await Promise.all(processes.map(({ service }) => service.stop()))
    expect((await brokenOff()) - before).toBe(0)
    expect(outcomes.accepted).toBeGreaterThan(SECONDS)
    expect(outcomes.taken).toBeGreaterThan(SECONDS)
    expect(processes.map(({ service }) => service.logged()).join('')).not.toMatch(/deadlock/)
  },
  SECONDS * 1_000 + 120_000,
)
