/**
 * The programs of examples/receive-webhooks that this machine can run, with deliveries that the service has really
 * sent and signed. A TLS proxy would pass them on like this: same headers, same bytes.
 */
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { request } from 'undici'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createClock } from '../../src/core/clock.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { EVENT_TYPES } from '../../src/core/vocabulary/events.ts'
import { raiseEvent, type EventToRaise } from '../../src/modules/events/raise-event.ts'
import { sampleData } from '../../src/modules/events/sample-events.ts'
import { signWebhook } from '../../src/modules/deliveries/signature.ts'
import type { ReceivedDelivery } from '../support/receiver.ts'
import { createWorld } from '../support/test-service.ts'
import { createShop } from '../support/shop.ts'
import { inTime } from '../support/wait.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'

const PROJECT = path.join(import.meta.dirname, '../..')
const FOLDER = path.join(PROJECT, 'examples/receive-webhooks')
const VECTORS = path.join(PROJECT, 'docs/test-vectors.json')
const WORK = mkdtempSync(path.join(tmpdir(), 'wasla-receivers-'))

type Program = {
  file: string
  check: string[]
  /** The command of the receiver, the command of its worker if that is another, and the one for test vectors. */
  serve: string[]
  work?: string[]
  vectors: string[]
  build?: string[]
}
/** Returns the path of a program, which is copied alone into an empty folder, as its header allows. */
const at = (file: string) => path.join(WORK, path.extname(file).slice(1), file)
const GO = path.join(WORK, 'receive')
const PROGRAMS: Program[] = [
  {
    file: 'receive.mjs',
    check: [process.execPath, '--version'],
    serve: [process.execPath, at('receive.mjs')],
    vectors: [process.execPath, at('receive.mjs'), 'vectors'],
  },
  {
    file: 'receive.py',
    check: ['python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 8))'],
    serve: ['python3', at('receive.py')],
    vectors: ['python3', at('receive.py'), 'vectors'],
  },
  {
    file: 'receive.php',
    check: ['php', '-r', 'exit(PHP_VERSION_ID < 80100 ? 1 : 0);'],
    serve: ['php', '-S', '127.0.0.1:0', at('receive.php')],
    work: ['php', at('receive.php'), 'work'],
    vectors: ['php', at('receive.php'), 'vectors'],
  },
  {
    file: 'receive.go',
    check: ['go', 'version'],
    build: ['go', 'build', '-o', GO, at('receive.go')],
    serve: [GO],
    vectors: [GO, 'vectors'],
  },
]
for (const { file } of PROGRAMS) {
  mkdirSync(path.dirname(at(file)))
  copyFileSync(path.join(FOLDER, file), at(file))
}
const PRESENT = PROGRAMS.filter(({ check: [command, ...words] }) => {
  return spawnSync(command!, words, { stdio: 'ignore' }).status === 0
})

const environment = (more: Record<string, string> = {}) => ({
  PATH: process.env.PATH,
  // Go keeps its compiled code here; otherwise it would compile its whole library again.
  HOME: process.env.HOME ?? WORK,
  GOCACHE: process.env.GOCACHE,
  GO111MODULE: 'off',
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONUTF8: '1',
  ...more,
})

function runOnce([command, ...words]: string[], more: Record<string, string> = {}) {
  return spawnSync(command!, words, { env: environment(more), encoding: 'utf8', cwd: WORK })
}

/** Starts a receiver. Returns its output, and its answer to a delivery that it is given. */
async function startReceiver(program: Program, inbox: string, secrets: string) {
  const [command, ...words] = program.serve
  const child: ChildProcess = spawn(command!, words, {
    env: environment({ SIGNING_SECRETS: secrets, INBOX: inbox, PORT: '0' }),
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: WORK,
  })
  const said: string[] = []
  const waiting: { text: RegExp; resolve: (line: string) => void }[] = []
  const hear = (line: string) => {
    said.push(line)
    for (const { text, resolve } of waiting) if (text.test(line)) resolve(line)
  }
  createInterface({ input: child.stdout! }).on('line', hear)
  createInterface({ input: child.stderr! }).on('line', hear)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const says = (text: RegExp) => {
    const heard = Promise.race([
      new Promise<string>((resolve) => {
        const found = said.find((line) => text.test(line))
        if (found === undefined) waiting.push({ text, resolve })
        else resolve(found)
      }),
      ended.then(() => {
        throw new Error(`${program.file} ended: ${said.join('\n')}`)
      }),
    ])
    return inTime(`${program.file} says ${text}`, heard, 60_000)
  }
  const [, origin] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(await says(/http:\/\/127\.0\.0\.1:\d+/))!
  return {
    said,
    says,
    async give({ headers, body }: Pick<ReceivedDelivery, 'headers' | 'body'>, method = 'POST') {
      const kept = { ...headers }
      for (const name of ['host', 'connection', 'content-length']) delete kept[name]
      const answer = await request(`${origin}/webhooks`, {
        method: method as 'POST',
        headers: kept,
        body: method === 'GET' ? null : body,
        reset: true,
      })
      await answer.body.dump()
      return answer.statusCode
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

let sent: ReceivedDelivery[]
let secret: string
// A first build takes minutes, and a signature is valid for five, so the events are sent after it. The watchdog ends a
// worker whose event loop is blocked for that long.
beforeAll(async () => {
  for (const { build } of PRESENT) {
    if (build === undefined) continue
    const [command, ...words] = build
    await promisify(execFile)(command!, words, { env: environment(), cwd: WORK })
  }
}, 180_000 * TIMEOUT_FACTOR)
beforeAll(async () => {
  const world = await createWorld({ clock: createClock(), databasePool: '8' })
  try {
    const shop = await createShop(world)
    secret = shop.secret
    const { db, ids, clock } = world.service.context
    for (const type of EVENT_TYPES) {
      await transaction(db, (tx) =>
        raiseEvent(tx, { ids, now: clock.now() }, {
          type,
          company: { id: shop.companyId, name: 'متجر' },
          data: sampleData(type, clock.now()),
          occurredAt: clock.now(),
        } as EventToRaise),
      )
    }
    await world.service.processAll()
    sent = world.receiver.received
  } finally {
    await world.close()
  }
})
afterAll(() => rmSync(WORK, { recursive: true, force: true }))

test('node is here to run its program; all 14 events were sent', () => {
  expect(PRESENT.map(({ file }) => file)).toContain('receive.mjs')
  expect(sent.map(({ event }) => event.type).toSorted()).toEqual(EVENT_TYPES.toSorted())
})

const ABSENT = PROGRAMS.filter((program) => !PRESENT.includes(program))
test.for(ABSENT)('$file is not run: its interpreter is missing here', ({ check }) => {
  expect(runOnce(check).status).not.toBe(0)
})

describe.for(PRESENT)('$file', (program) => {
  let inbox: string
  let running: Awaited<ReturnType<typeof startReceiver>> | undefined
  const start = async (secrets = secret) => {
    running = await startReceiver(program, inbox, secrets)
    return running
  }
  /** PHP works in a separate process, from cron. */
  const workDone = async (id: string) => {
    if (program.work === undefined) await running!.says(new RegExp(`^done \\S+ ${id}$`))
    else expect(runOnce(program.work, { INBOX: inbox }).stdout).toContain(` ${id}\n`)
  }
  const eventsStored = () => readdirSync(inbox).filter((name) => name.endsWith('.json'))

  beforeEach(() => {
    inbox = mkdtempSync(path.join(WORK, 'inbox-'))
  })
  afterEach(() => running?.kill())

  test('agrees with every test vector, and finds a wrong one', () => {
    const whole = JSON.parse(readFileSync(VECTORS, 'utf8')) as { vectors: { valid: boolean }[] }
    const count = whole.vectors.length
    const right = runOnce([...program.vectors, VECTORS])
    expect([right.stdout.trim(), right.status]).toEqual([`${count} of ${count} vectors`, 0])
    whole.vectors[0]!.valid = false
    const file = path.join(inbox, 'vectors.json')
    writeFileSync(file, JSON.stringify(whole))
    const wrong = runOnce([...program.vectors, file])
    expect([wrong.stdout.includes(`${count - 1} of ${count} vectors`), wrong.status]).toEqual([
      true,
      1,
    ])
  })

  test('stores and processes every kind of event once, however often it arrives, also after a crash', async () => {
    const receiver = await start()
    for (const delivery of sent) expect(await receiver.give(delivery)).toBe(204)
    await workDone(sent.at(-1)!.event.id)
    for (const { event } of sent) {
      await receiver.says(new RegExp(`stored ${event.type} ${event.id}`))
      expect(readFileSync(path.join(inbox, `${event.id}.json`), 'utf8')).toBe(JSON.stringify(event))
    }
    expect(await receiver.give(sent[0]!)).toBe(204)
    await receiver.says(new RegExp(`again \\S+ ${sent[0]!.event.id}`))
    await receiver.kill()
    const restarted = await start()
    const twice = await Promise.all([restarted.give(sent[1]!), restarted.give(sent[1]!)])
    expect(twice).toEqual([204, 204])
    await restarted.says(new RegExp(`again \\S+ ${sent[1]!.event.id}`))
    expect(restarted.said.join('\n')).not.toContain('stored')
    expect(eventsStored()).toHaveLength(sent.length)
    expect(readdirSync(inbox).filter((name) => name.includes('part'))).toEqual([])
  })

  test('processes events stored before it was killed, and skips one that it cannot process', async () => {
    const { event, body } = sent[0]!
    const broken = `evt_${'0'.repeat(32)}.json`
    writeFileSync(path.join(inbox, broken), 'not JSON')
    writeFileSync(path.join(inbox, `${event.id}.json`), body)
    const receiver = await start()
    await workDone(event.id)
    expect(await receiver.give(sent[1]!)).toBe(204)
    await workDone(sent[1]!.event.id)
    expect(eventsStored()).toHaveLength(3)
    expect(readdirSync(inbox)).not.toContain(broken.replace('json', 'done'))
  })

  test('refuses deliveries that are unsigned, changed on the way, or too old', async () => {
    const receiver = await start()
    const { headers, body } = sent[0]!
    const signed = (header: string | undefined) => ({ ...headers, 'x-service-signature': header })
    const old = signWebhook(body, [secret], new Date(createClock().now().getTime() - 310_000))
    const foreign = signWebhook(body, ['whsec_another'], createClock().now())
    const changed = Buffer.concat([body, Buffer.from('\n')])
    expect(await receiver.give({ headers, body: changed })).toBe(401)
    expect(await receiver.give({ headers: signed(old), body })).toBe(401)
    expect(await receiver.give({ headers: signed(foreign), body })).toBe(401)
    expect(await receiver.give({ headers: signed(undefined), body })).toBe(401)
    expect(await receiver.give({ headers, body }, 'GET')).toBeGreaterThanOrEqual(400)
    expect(eventsStored()).toEqual([])
  })

  test('accepts either secret during a rotation, and keeps no sample', async () => {
    const fresh = 'whsec_Uu3gV0Qk5mB2nH7sXyZ1cD4eF6aJ8pL9rT_wKoI-qEt'
    const receiver = await start(`${secret} ${fresh}`)
    const { headers, event } = sent[0]!
    const now = createClock().now()
    const give = (secrets: string[], body: Buffer) =>
      receiver.give({
        headers: { ...headers, 'x-service-signature': signWebhook(body, secrets, now) },
        body,
      })
    const body = Buffer.from(JSON.stringify({ ...event, test: true }))
    expect(await give([fresh], body)).toBe(204)
    expect(await give([secret, fresh], body)).toBe(204)
    await receiver.says(new RegExp(`test ${event.type} ${event.id}`))
    expect(eventsStored()).toEqual([])
    expect(await give(['whsec_older', fresh], sent[0]!.body)).toBe(204)
    expect(eventsStored()).toEqual([`${event.id}.json`])
  })

  test('never answers 2XX for an event that it could not store', async () => {
    const receiver = await start()
    rmSync(inbox, { recursive: true })
    // PHP makes the folder again, and then may store.
    const status = await receiver.give(sent[0]!)
    const isStored = program.file === 'receive.php' && eventsStored().length === 1
    expect(status).toBe(isStored ? 204 : 500)
  })
})

test('a receiver without a secret does not start', () => {
  for (const { file, serve } of PRESENT.filter((one) => one.file !== 'receive.php')) {
    expect([file, runOnce(serve, { INBOX: WORK, PORT: '0' }).status]).toEqual([file, 2])
  }
})
