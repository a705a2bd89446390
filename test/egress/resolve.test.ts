import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { createResolver } from '../../src/infra/egress/resolve.ts'
import { createNameServer } from './support/name-server.ts'
import { holdTimers } from '../support/held-timers.ts'
import { waitUntil } from '../support/wait.ts'

/** The time for which the second family is awaited once the first has answered. */
const OTHER_FAMILY_GRACE_MS = 250

const IPV6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c'

const addresses = (count: number) =>
  Array.from({ length: count }, (_, i) => `93.184.${i >> 8}.${i & 255}`)

const server = await createNameServer({
  'shop.example': { A: ['93.184.216.34', '93.184.216.35'], AAAA: [IPV6], ttl: 120 },
  'v4.example': { A: ['93.184.216.34'], fault: 'servfail', onlyAAAA: true },
  'half-dead.example': { A: ['93.184.216.34'], fault: 'silent', onlyAAAA: true },
  'v6.example': { AAAA: [IPV6] },
  'empty.example': {},
  'trouble.example': { fault: 'servfail' },
  'silent.example': { fault: 'silent' },
  'brief.example': { A: ['93.184.216.34'], ttl: 0 },
  'lasting.example': { A: ['93.184.216.34'], ttl: 86_400 },
  'many.example': {
    A: Array.from({ length: 25 }, (_, i) => `93.184.216.${i}`),
    AAAA: Array.from({ length: 15 }, (_, i) => `2606:2800:21f:cb07:6820:80da:af6b:${i}`),
  },
  'full.example': { A: addresses(256) },
  'flooded.example': { A: addresses(257) },
})
afterAll(() => server.close())

const signal = new AbortController().signal

/** Returns a resolver on the name server of this test, with a clock that the test moves. */
function resolverAt(time = { now: 0 }) {
  const resolve = createResolver({ servers: [server.address], now: () => time.now })
  return { time, find: (host: string, until = signal) => resolve(host, { signal: until }) }
}

/** Returns the result of a promise so far: its value, or the reason of its failure. */
function settled(promise: Promise<unknown>): { value?: unknown } {
  const result: { value?: unknown } = {}
  const keep = (value: unknown) => (result.value = value)
  promise.then(keep, keep)
  return result
}

/** Waits for the rounds of the event loop within which an answer of a server in this process arrives. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await nextTurn()
}

const questionsAbout = (name: string) =>
  server.questions.filter((question) => question.startsWith(name))

describe('a host name', () => {
  test('has all the addresses of both families, so that every one can be checked', async () => {
    const { find } = resolverAt()
    expect(await find('shop.example')).toEqual(['93.184.216.34', '93.184.216.35', IPV6])
    expect(await find('many.example')).toHaveLength(40)
    expect(await find('full.example')).toEqual(addresses(256))
  })

  test('may have one family only, and the other may fail or be silent', async () => {
    const { find } = resolverAt()
    expect(await find('v6.example')).toEqual([IPV6])
    expect(await find('v4.example')).toEqual(['93.184.216.34'])
    const timers = holdTimers(OTHER_FAMILY_GRACE_MS)
    const found = settled(find('half-dead.example'))
    await waitUntil('both questions', () => questionsAbout('half-dead.example ').length >= 2)
    await someTurns()
    expect(found.value).toBeUndefined()
    timers.elapse()
    await someTurns()
    timers.release()
    expect(found.value).toEqual(['93.184.216.34'])
  })

  test('with more than 256 addresses is refused', async () => {
    await expect(resolverAt().find('flooded.example')).rejects.toMatchObject({
      code: 'dns_failed',
      detail: { code: 'host_of_too_many_addresses' },
    })
  })

  test('is asked for unchanged: no hosts file, no search domain, no short spelling', async () => {
    const { find } = resolverAt()
    for (const name of ['localhost', 'kubernetes.default', '127.1', '2130706433']) {
      await expect(find(name)).rejects.toMatchObject({ code: 'dns_failed' })
      const names = questionsAbout(`${name} `).map((question) => question.split(' ')[0])
      expect(new Set(names)).toEqual(new Set([name]))
    }
    expect(questionsAbout('kubernetes.default.')).toEqual([])
  })
})

describe('a failure', () => {
  test.each(['unknown.example', 'empty.example', 'trouble.example'])(
    'is dns_failed and names no address (%s)',
    async (name) => {
      await expect(resolverAt().find(name)).rejects.toMatchObject({ code: 'dns_failed' })
    },
  )

  test('caused by the signal ends the wait immediately, with its reason', async () => {
    const controller = new AbortController()
    const found = resolverAt().find('silent.example', controller.signal)
    const reason = new Error('the time is over')
    const ended = settled(found)
    await nextTurn()
    controller.abort(reason)
    await someTurns()
    expect(ended.value).toBe(reason)
  })

  test('caused by the signal of one caller does not affect the others or the next look-up', async () => {
    const { find } = resolverAt()
    const controller = new AbortController()
    const [mine, theirs] = [controller.signal, signal].map((until) => find('shop.example', until))
    controller.abort(new Error('no time'))
    await expect(mine).rejects.toThrow('no time')
    expect(await theirs).toHaveLength(3)
    const alone = new AbortController()
    const given = resolverAt()
    const found = given.find('shop.example', alone.signal)
    alone.abort(new Error('no time'))
    await expect(found).rejects.toThrow('no time')
    // The look-up that was given up ends meanwhile.
    await nextTurn()
    expect(await given.find('shop.example')).toHaveLength(3)
  })
})

describe('an answer is remembered', () => {
  test('for its time to live, and concurrent look-ups share one question', async () => {
    const { find, time } = resolverAt()
    const before = questionsAbout('shop.example ').length
    await Promise.all([find('shop.example'), find('SHOP.example'), find('shop.example')])
    time.now = 119_999
    await find('shop.example')
    expect(questionsAbout('shop.example ').length - before).toBe(2)
    time.now = 120_001
    await find('shop.example')
    expect(questionsAbout('shop.example ').length - before).toBe(4)
  })

  test('for at least a second and at most five minutes', async () => {
    const { find, time } = resolverAt()
    await find('brief.example')
    await find('lasting.example')
    const before = server.questions.length
    time.now = 999
    await find('brief.example')
    expect(server.questions.length).toBe(before)
    time.now = 5 * 60_000 + 1
    await find('brief.example')
    await find('lasting.example')
    expect(server.questions.length).toBe(before + 4)
  })

  test('for 30 seconds if the name has no address, and shorter if its servers fail', async () => {
    const { find, time } = resolverAt()
    const failed = (name: string) =>
      expect(find(name)).rejects.toMatchObject({ code: 'dns_failed' })
    await failed('empty.example')
    await failed('trouble.example')
    const before = server.questions.length
    time.now = 1_999
    await failed('empty.example')
    await failed('trouble.example')
    expect(server.questions.length).toBe(before)
    time.now = 29_999
    await failed('empty.example')
    expect(server.questions.length).toBe(before)
    await failed('trouble.example')
    expect(server.questions.length).toBeGreaterThan(before)
  })
})
