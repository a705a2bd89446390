/** The programs of examples/start-a-flow and its guide: each one that this machine can run, against real services. */
import { execFile, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOOK_STATUS_HTTP, HOOK_STATUSES } from '../../src/core/vocabulary/hooks.ts'
import { contactOf } from '../support/records/contacts.ts'
import { runsOf } from '../support/records/runs.ts'
import { createWorld, type World } from '../support/test-service.ts'
import { createShop } from '../support/shop.ts'

const PROJECT = path.join(import.meta.dirname, '../..')
const FOLDER = path.join(PROJECT, 'examples/start-a-flow')
const GUIDE = readFileSync(path.join(PROJECT, 'docs/guides/starting-a-flow.md'), 'utf8')

const IS_PHP_8 = 'exit(PHP_VERSION_ID < 80000 ? 1 : 0);'
const PROGRAMS = [
  { file: 'start-flow.sh', fence: 'sh', run: 'sh', check: ['-c', 'command -v curl awk'] },
  { file: 'start-flow.mjs', fence: 'js', run: process.execPath, check: ['--version'] },
  { file: 'start-flow.php', fence: 'php', run: 'php', check: ['-n', '-r', IS_PHP_8] },
  { file: 'start-flow.py', fence: 'python', run: 'python3', check: ['--version'] },
]
/** Each program is copied alone into an empty folder, as a merchant would do it. */
const ALONE = mkdtempSync(path.join(tmpdir(), 'wasla-example-alone-'))
const alone = (file: string) => path.join(ALONE, path.extname(file).slice(1), file)
for (const { file } of PROGRAMS) {
  mkdirSync(path.dirname(alone(file)))
  copyFileSync(path.join(FOLDER, file), alone(file))
}
afterAll(() => rmSync(ALONE, { recursive: true, force: true }))
const PRESENT = PROGRAMS.filter(({ run, check }) => spawnSync(run, check).status === 0)

type Ended = { code: number; stdout: string; stderr: string }

function runProgram(
  { run, file }: (typeof PROGRAMS)[number],
  hookUrl: string,
  words: string[] = [],
  backoffSeconds = '0',
): Promise<Ended> {
  const env = { PATH: process.env.PATH, HOOK_URL: hookUrl, BACKOFF_SECONDS: backoffSeconds }
  const options = { env, cwd: path.dirname(alone(file)) }
  return new Promise((resolve) => {
    execFile(run, [alone(file), ...words], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}

type Asked = { key: string | undefined; type: string | undefined; body: string; at: number }

/** Starts a server on which each path gives its answers, once each; everything after is accepted. */
async function startServer() {
  const asked = new Map<string, Asked[]>()
  const tell = new Map<string, ((response: ServerResponse) => void)[]>()
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const place = request.url!
      const before = asked.get(place) ?? []
      asked.set(place, [
        ...before,
        {
          key: request.headers['idempotency-key'] as string | undefined,
          type: request.headers['content-type'],
          body: Buffer.concat(parts).toString('utf8'),
          at: performance.now(),
        },
      ])
      const answer = tell.get(place)?.shift() ?? says(202, 'accepted', RUN)
      answer(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let serial = 0
  return {
    /** Returns a URL that gives these answers in turn, and the requests that it got. */
    url(...answers: ((response: ServerResponse) => void)[]) {
      serial += 1
      const place = `/hooks/${serial}`
      tell.set(place, answers)
      return { url: `${origin}${place}`, asked: () => asked.get(place) ?? [] }
    },
    close() {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

const RUN = '019aa4c2-7d1e-7b7a-9c55-1f2f0a6f3a10'
const says =
  (http: number, status: string, id: string | null = null) =>
  (response: ServerResponse) =>
    response
      .writeHead(http, { 'content-type': 'application/json' })
      .end(JSON.stringify({ id, status, detail: `said "${status}"` }))
const writes = (http: number, body: string) => (response: ServerResponse) =>
  response.writeHead(http, { 'content-type': 'text/plain', location: '/elsewhere' }).end(body)

const LIMITS = ['rate_limited', 'template_limit_reached', 'customer_limit_reached']
const TRIED_AGAIN = [...LIMITS, 'channel_unavailable', 'service_unavailable']

test('the guide shows every program unchanged', () => {
  for (const { file, fence } of PROGRAMS) {
    const text = readFileSync(path.join(FOLDER, file), 'utf8')
    expect(GUIDE).toContain(`\`\`\`${fence}\n${text}\`\`\`\n`)
  }
})

test('node and a shell are here to run their programs', () => {
  const files = PRESENT.map(({ file }) => file)
  expect(files).toEqual(expect.arrayContaining(['start-flow.sh', 'start-flow.mjs']))
})

describe.for(PRESENT)('$file', (program) => {
  let world: World
  let server: Awaited<ReturnType<typeof startServer>>
  const folder = mkdtempSync(path.join(tmpdir(), 'wasla-example-'))
  beforeAll(async () => {
    world = await createWorld()
    server = await startServer()
  })
  afterAll(async () => {
    await server.close()
    await world.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('starts a flow of the service once, however often it is run', async () => {
    const shop = await createShop(world)
    const first = await runProgram(program, shop.hookUrl)
    expect(first.stdout).toMatch(/^accepted [0-9a-f-]{36}\n$/)
    expect(first.code).toBe(0)
    const second = await runProgram(program, shop.hookUrl)
    expect(second).toMatchObject({ code: 0, stdout: first.stdout.replace('accepted', 'duplicate') })
    const file = path.join(folder, 'body.json')
    writeFileSync(file, '{"customer":{"name":"سارة","phone":"٠٥٠ ١٢٣ ٤٥٦٧"},"order":{"number":7}}')
    const third = await runProgram(program, shop.hookUrl, [file, 'order-7'])
    expect(third.stdout).toMatch(/^accepted /)
    expect(third.stdout).not.toBe(first.stdout)
    const runs = await runsOf(world, shop)
    expect(runs.map((run) => run.idempotencyKey)).toEqual(['order-1043-ready', 'order-7'])
    const contacts = await Promise.all(runs.map((run) => contactOf(world, run.contactId!)))
    expect(contacts).toMatchObject([
      { phone: '+12025550143', name: 'Sara' },
      { phone: '+966501234567', name: 'سارة' },
    ])
    expect(first.stderr + third.stderr).toBe('')

    writeFileSync(file, '{"order":{"number":7}}')
    const refused = await runProgram(program, shop.hookUrl, [file, 'order-8'])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('HTTP 422 invalid_phone')
    expect(refused.stderr).not.toContain(shop.hookToken)
  })

  test('repeats after 503 with the same key and body, waiting twice as long each time', async () => {
    const busy = says(503, 'service_unavailable')
    const hook = server.url(busy, busy)
    const ended = await runProgram(program, hook.url, [], '0.05')
    expect(ended).toMatchObject({ code: 0, stdout: `accepted ${RUN}\n` })
    const [first, second, third, ...more] = hook.asked()
    expect(more).toEqual([])
    expect(first).toMatchObject({ key: 'order-1043-ready', type: 'application/json' })
    expect(JSON.parse(first!.body)).toMatchObject({ order: { number: '1043' } })
    for (const later of [second, third]) expect({ ...later, at: first!.at }).toEqual(first)
    expect(second!.at - first!.at).toBeGreaterThan(45)
    expect(third!.at - second!.at).toBeGreaterThan(95)
  })

  test('prints the whole detail of a refusal, quotes and Arabic letters too, and never the URL', async () => {
    const detail = 'No "phone" at C:\\order\\رقم, {"detail":"no"}'
    const answer = (response: ServerResponse) =>
      response.writeHead(422).end(JSON.stringify({ id: null, status: 'invalid_phone', detail }))
    const hook = server.url(answer)
    const { code, stderr } = await runProgram(program, hook.url)
    expect([code, stderr]).toEqual([1, `HTTP 422 invalid_phone: ${detail}\n`])
    const closed = 'http://127.0.0.1:1/hooks/hook_secret'
    const gone = await runProgram(program, closed)
    expect(gone.code).toBe(75)
    expect(gone.stderr).toMatch(/^HTTP 0/)
    expect(gone.stderr + gone.stdout).not.toContain('hook_secret')
  })

  test('repeats for exactly the statuses that a repetition can help', async () => {
    const statuses = HOOK_STATUSES.filter((status) => HOOK_STATUS_HTTP[status] >= 400)
    for (const status of statuses) {
      const hook = server.url(says(HOOK_STATUS_HTTP[status], status))
      const { code } = await runProgram(program, hook.url)
      const expected = TRIED_AGAIN.includes(status) ? [status, 0, 2] : [status, 1, 1]
      expect([status, code, hook.asked().length]).toEqual(expected)
    }
  })

  test('uses the HTTP status if the body has no status that it knows', async () => {
    const cases = [
      { answer: writes(429, 'Too many requests'), requests: 2 },
      { answer: writes(502, '<html>Bad Gateway</html>'), requests: 2 },
      { answer: says(500, 'a_new_status'), requests: 2 },
      { answer: (response: ServerResponse) => response.destroy(), requests: 2 },
      { answer: says(409, 'a_new_status'), requests: 1 },
      { answer: writes(404, '404 page not found'), requests: 1 },
      { answer: writes(302, ''), requests: 1 },
      { answer: says(202, 'a_new_status', RUN), requests: 1 },
    ]
    for (const [at, { answer, requests }] of cases.entries()) {
      const hook = server.url(answer)
      await runProgram(program, hook.url)
      expect({ at, requests: hook.asked().length }).toEqual({ at, requests })
    }
  })

  test('gives up after six requests and says that it can be run again', async () => {
    const busy = says(503, 'service_unavailable')
    const hook = server.url(busy, busy, busy, busy, busy, busy)
    expect((await runProgram(program, hook.url)).code).toBe(75)
    expect(hook.asked()).toHaveLength(6)
    expect((await runProgram(program, '')).code).toBe(2)
  })
})
