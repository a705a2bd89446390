/**
 * `npm run listen` forwards the demonstration's events to the reader's receiver, over plain HTTP on this machine,
 * signed and byte for byte. The service sees the answers of that receiver.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, expect, onTestFinished, test } from 'vitest'
import { attemptsOf, deliveriesOf } from '../support/records/deliveries.ts'
import { endpointsOf, markDeleted } from '../support/records/endpoints.ts'
import { ofEach, recordsIn } from '../support/records/records.ts'
import { verifySignature } from '../../examples/verify-signature.mjs'
import { DEMONSTRATION_COMPANY } from '../../demonstration/create-demonstration.ts'
import { start } from '../../src/start.ts'
import { NODE_COMPILE_CACHE } from '../support/compile-cache.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'
import { serveLocally } from '../support/local-server.ts'
import { makeFolder } from '../support/own-folder.ts'
import { demonstrationConfig } from '../support/demonstration.ts'

const PROJECT = path.join(import.meta.dirname, '../..')
const WITHIN_MS = 20_000

const { config, database, settings: given } = await demonstrationConfig(afterAll)
const demonstration = await start(config, () => {})
afterAll(() => demonstration.stop())
/** The settings that `npm start` and `npm run listen` share. */
const settings = {
  ...given,
  DATA_FOLDER: config.dataFolder,
  PORT: String(demonstration.port),
  SIMULATOR_PORT: new URL(demonstration.demonstration!.simulators.url).port,
}

/** Runs a program. Returns what it prints, and how it ends. */
function run(command: string[], env: Record<string, string>, cwd = PROJECT) {
  const [program, ...words] = command
  const child: ChildProcess = spawn(program!, words, {
    cwd,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  for (const stream of [child.stdout!, child.stderr!]) {
    createInterface({ input: stream }).on('line', (line) => lines.push(line))
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    lines,
    ended,
    kill: (signal: 'SIGINT' | 'SIGKILL') => child.kill(signal),
    async says(text: RegExp) {
      const line = () => lines.find((said) => text.test(said))
      await expect.poll(line, { timeout: WITHIN_MS }).toBeDefined()
      return line()!
    },
  }
}
const listen = (target: string, env: Record<string, string> = {}) =>
  run([process.execPath, path.join(PROJECT, 'scripts/listen.ts'), target], { ...settings, ...env })

const secretOf = async (listening: ReturnType<typeof listen>) =>
  (await listening.says(/whsec_/)).trim()

/** Starts a receiver that gives these answers in turn, then 204. */
async function startOwnReceiver(...answers: number[]) {
  const received: { headers: NodeJS.Dict<string | string[]>; body: Buffer }[] = []
  const { url, close } = await serveLocally(({ headers }, response, body) => {
    received.push({ headers, body })
    response.writeHead(answers.shift() ?? 204).end('what it says')
  })
  onTestFinished(close)
  return { received, port: new URL(url).port }
}

let keys = 0
async function startFlow(): Promise<void> {
  keys += 1
  const { hookToken } = demonstration.demonstration!
  const answer = await fetch(`http://127.0.0.1:${demonstration.port}/hooks/${hookToken}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': `listen-${keys}` },
    body: JSON.stringify({
      customer: { name: 'Sara', phone: `+1202555017${keys}`, language: 'en' },
      order: { number: '1043' },
    }),
  })
  expect(answer.status).toBe(202)
}

const recorded = recordsIn(database.db)
const company = { companyId: DEMONSTRATION_COMPANY }
const endpoints = () => endpointsOf(recorded, company)

afterEach(async () => {
  // A killed listener leaves its endpoint to the next one.
  for (const { id, url } of await endpoints()) {
    if (url.endsWith('/listen')) await markDeleted(recorded, { endpointId: id })
  }
})

test('the receiver of the examples verifies and stores the events of the demonstration', async () => {
  const alone = makeFolder('listen')
  const program = path.join(PROJECT, 'examples/receive-webhooks/receive.mjs')
  copyFileSync(program, path.join(alone, 'receive.mjs'))
  const free = await startOwnReceiver()
  const listening = listen(`http://localhost:${free.port}/webhooks`)
  const secret = await secretOf(listening)
  const stopped = listening.kill('SIGINT')
  expect([stopped, await listening.ended]).toEqual([true, 0])

  const env = { SIGNING_SECRETS: secret, PORT: '0', INBOX: path.join(alone, 'inbox') }
  const receiver = run([process.execPath, 'receive.mjs'], env, alone)
  const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(await receiver.says(/listening on/))!
  const again = listen(`${origin}/webhooks`)
  // The secret is the same at each start: the receiver was started with that of the first one.
  expect(await secretOf(again)).toBe(secret)
  await startFlow()
  for (const type of ['conversation.started', 'message.received', 'flow.completed']) {
    const stored = await receiver.says(new RegExp(`^stored ${type} evt_`))
    const id = stored.split(' ')[2]!
    expect(await again.says(new RegExp(id))).toMatch(
      new RegExp(`^\\d\\d:\\d\\d:\\d\\d  ${type} +${id}  204  \\d+ ms$`),
    )
  }
  expect(receiver.lines).not.toContain('refused')
})

test('each event is forwarded byte for byte with its headers, and the service sees the answer', async () => {
  const own = await startOwnReceiver(500)
  const listening = listen(`http://127.0.0.1:${own.port}/own/path?key=1`)
  const secret = await secretOf(listening)
  const [, endpoint] = await endpoints()
  expect(endpoint).toMatchObject({ isOn: true, apiVersion: '2026-10' })
  await startFlow()
  await listening.says(/ flow\.completed .* 204 /)
  await listening.says(/ 500 /)
  for (const { headers, body } of own.received) {
    const header = headers['x-service-signature']
    expect(verifySignature({ header, body, secrets: [secret] })).toBe(true)
    expect(headers).toMatchObject({
      host: `127.0.0.1:${own.port}`,
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Service-Webhooks/1.0',
      'x-service-event': (JSON.parse(body.toString('utf8')) as { type: string }).type,
      'content-length': String(body.length),
    })
  }
  const attempts = async () => {
    const all = await deliveriesOf(recorded, company, { endpointId: endpoint!.id })
    return ofEach(all, async ({ id, state }) =>
      (await attemptsOf(recorded, id)).map(({ httpStatus }) => ({ httpStatus, state })),
    )
  }
  await expect
    .poll(attempts, { timeout: WITHIN_MS })
    .toEqual(expect.arrayContaining([{ httpStatus: 500, state: 'pending' }]))
  expect(await attempts()).toContainEqual({ httpStatus: 204, state: 'delivered' })

  // Ctrl-C under npm sends a signal once from the terminal, and once from npm a moment later.
  listening.kill('SIGINT')
  await pause(5)
  listening.kill('SIGINT')
  expect(await listening.ended).toBe(0)
  expect((await endpoints()).map(({ name }) => name)).toEqual(['Demonstration receiver'])
  expect(await attempts()).toContainEqual({ httpStatus: 500, state: 'cancelled' })
})

test('the program says so when nothing listens at the target, and the service will try again', async () => {
  const listening = listen('http://[::1]:1/')
  await secretOf(listening)
  const [, endpoint] = await endpoints()
  await startFlow()
  await listening.says(/ no answer \(ECONNREFUSED\) /)
  const tried = async () =>
    (await deliveriesOf(recorded, company, { endpointId: endpoint!.id }))
      .filter(({ attempts }) => attempts === 1)
      .map(({ state }) => state)
  await expect.poll(tried, { timeout: WITHIN_MS }).toContain('pending')
})

test('a killed program leaves no second endpoint behind once another has started', async () => {
  const killed = listen('http://localhost:1/')
  await secretOf(killed)
  killed.kill('SIGKILL')
  await killed.ended
  expect(await endpoints()).toHaveLength(2)
  const next = listen('http://localhost:2/')
  await secretOf(next)
  const expected = ['Demonstration receiver', 'npm run listen, for localhost:2']
  expect((await endpoints()).map(({ name }) => name)).toEqual(expected)
})

test.for([
  { target: 'https://localhost:8080/', told: /must start with http:/ },
  { target: 'http://192.168.1.5:8080/', told: /name this machine/ },
  { target: 'http://localhost.example.com/', told: /name this machine/ },
  { target: 'localhost:8080', told: /must start with http:/ },
  { target: '8080', told: /Usage: npm run listen/ },
  { target: 'http://localhost:1/', env: { DEMONSTRATION: 'off' }, told: /which is off here/ },
  { target: 'http://localhost:1/', env: { PORT: '1' }, told: /does not run at http:\S+:1\./ },
  { target: 'http://localhost:1/', env: { SIMULATOR_PORT: '1' }, told: /was not found next to it/ },
  {
    target: 'http://localhost:1/',
    env: { DATA_FOLDER: '/nowhere' },
    told: /was not found next to/,
  },
])(
  '$target is refused in words, with $env, and nothing is registered',
  { timeout: 60_000 * TIMEOUT_FACTOR },
  async (one) => {
    const listening = listen(one.target, one.env ?? {})
    expect(await listening.ended).toBe(1)
    expect(listening.lines.join('\n')).toMatch(one.told)
    expect(await endpoints()).toHaveLength(1)
  },
)
