/** Hostile bodies, content types and keys. */
import { beforeEach, describe, expect, test } from 'vitest'
import { postHook } from '../support/post-hook.ts'
import { contactWith } from '../support/records/contacts.ts'
import { whatIsStored } from '../support/records/hooks.ts'
import { runOf } from '../support/records/runs.ts'
import { createOwnShop, createShop } from '../support/shop.ts'
import { requestText, talk } from './raw-http.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWorld } from '../support/open-world.ts'

const PHONE = '+966501234567'
const BARE = { kind: 'webhook', namePath: null, languagePath: null, keep: [] }
const world = await openWorld()
const shop = await createShop(world, {
  trigger: {
    ...BARE,
    phonePath: 'phone',
    namePath: 'name',
    keep: [
      { name: '__proto__', path: '__proto__.phone' },
      { name: 'constructor', path: 'constructor.prototype.x' },
      { name: 'length', path: 'phone.length' },
    ],
  },
})

beforeEach(() => world.clock.advance(60_000))

const look = () => whatIsStored(world, shop)
const ask = (body: string | Buffer, headers: Record<string, string> = {}) =>
  postHook(shop.hookUrl, body, headers)

describe('content types', () => {
  test.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json;charset=iso-8859-1',
    'application/vnd.api+json; ext="x"',
    'text/x+json',
    ' application/json ; a=b',
  ])('%j is JSON', async (type) => {
    const body = Buffer.from(`{"phone":"${PHONE}","name":"سارة"}`)
    expect(await ask(body, { 'content-type': type })).toMatchObject({ http: 202 })
  })

  test.each([
    '',
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/',
    'application/json+',
    'application/+json',
    '+json',
    'application/jsonx',
    'application/json, text/plain',
    'application/json/json',
  ])('%j is not: 415, before the token is looked at, not counted', async (type) => {
    const before = await look()
    const refusal = { http: 415, status: 'unsupported_media_type', id: null }
    expect(await ask(`{"phone":"${PHONE}"}`, { 'content-type': type })).toMatchObject(refusal)
    const unknown = `${world.url}/hooks/hook_${'x'.repeat(43)}`
    expect(await postHook(unknown, '{}', { 'content-type': type })).toMatchObject(refusal)
    expect(await look()).toEqual(before)
  })

  const ENCODINGS = ['gzip', 'br', 'deflate', 'GZIP', 'identity, gzip', 'x']
  test.each(ENCODINGS)('Content-Encoding %s is 415 and never decompressed', async (encoding) => {
    const before = await look()
    const headers = { 'content-encoding': encoding }
    expect(await ask(`{"phone":"${PHONE}"}`, headers)).toMatchObject({ http: 415 })
    expect(await look()).toEqual(before)
  })
})

describe('a body that is not JSON: 400; nothing queued, key unused, counted, kept shape unchanged', () => {
  test.each([
    ['a comma too many', '{"a":1,}'],
    ['a number alone', '1'],
    ['invalid UTF-8', Buffer.from('7b2261223a22ff227d', 'hex')],
    ['60,000 brackets that open', '['.repeat(60_000)],
  ])('%s', async (_, body) => {
    await ask(`{"phone":"${PHONE}","n":"kept"}`)
    world.clock.advance(60_000)
    const before = await look()
    const headers = { 'idempotency-key': `unused-${serial++}` }
    expect(await ask(body, headers)).toMatchObject({ http: 400, status: 'invalid_json', id: null })
    expect(await look()).toEqual({ ...before, ofUrl: 1, ofCompany: expect.any(Number) })
    expect(await ask(`{"phone":"${PHONE}","n":"kept"}`, headers)).toMatchObject({ http: 202 })
  })
  let serial = 0
})

describe('hostile JSON', () => {
  test('`__proto__` and `constructor` are ordinary keys, in bodies and as variables', async () => {
    const { id, http } = await ask(
      `{"__proto__":{"phone":"x","polluted":1},"constructor":{"prototype":{"x":1}},"phone":"${PHONE}"}`,
    )
    expect(http).toBe(202)
    const { variables } = await runOf(world, id!)
    expect(variables).toBe('{"__proto__":"x","constructor":"1","length":null}')
    const { shape } = await look()
    expect(shape).toContain('"__proto__":{"phone":"x","polluted":1}')
    expect(Object.keys({}.constructor.prototype as object)).toEqual([])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('a body without those keys gives those variables nothing', async () => {
    const { id } = await ask(`{"phone":"${PHONE}"}`)
    const { variables } = await runOf(world, id!)
    expect(variables).toBe('{"__proto__":null,"constructor":null,"length":null}')
  })

  systemTest('NUL and a lone surrogate are stored as U+FFFD, also in the event', async () => {
    const body = '{"phone":"+966501112233","name":"a\\ud800b\\u0000c"}'
    expect(await ask(body)).toMatchObject({ http: 202 })
    expect((await contactWith(world, shop, '+966501112233')).name).toBe('a\ufffdb\ufffdc')
    await world.service.processAll()
    const told = world.receiver.received.find(({ body: bytes }) => bytes.includes('966501112233'))
    const text = new TextDecoder('utf-8', { fatal: true }).decode(told!.body)
    expect(text).toContain('a\ufffdb\ufffdc')
  })

  test.each([
    ['7,000 keys', `{"phone":"${PHONE}",${keys(7_000)}}`, 202],
    [
      'numbers that would fill a disk',
      `{"phone":"${PHONE}","n":[${'1e131071,'.repeat(6_000)}1]}`,
      202,
    ],
    ['numbers beyond all numbers', `{"phone":"${PHONE}","a":1e400,"b":-1e999999999}`, 202],
    ['a whole number of 60,000 digits', `{"phone":"${PHONE}","n":${'9'.repeat(60_000)}}`, 202],
    ['10,000 objects in each other', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, 422],
    ['32,000 lists in each other', `${'['.repeat(32_000)}${']'.repeat(32_000)}`, 422],
    ['a byte order mark', `\ufeff{"phone":"${PHONE}"}`, 202],
    ['the phone twice: the last wins', `{"phone":"x","phone":"${PHONE}"}`, 202],
    ['a phone that is an object', `{"phone":{"toString":"${PHONE}"}}`, 422],
    ['a phone of 60,000 characters', `{"phone":"${'+9665'.repeat(12_000)}"}`, 422],
  ])('%s: a normal answer, and a small copy', async (_, body, http) => {
    expect(await ask(body)).toMatchObject({ http })
    expect((await look()).shape!.length).toBeLessThanOrEqual(65_536)
  })

  test('a name of 60 KB is cut to 200 characters, none of them in half', async () => {
    const name = '😀'.repeat(15_000)
    expect(await ask(JSON.stringify({ phone: '+966501112234', name }))).toMatchObject({ http: 202 })
    expect((await contactWith(world, shop, '+966501112234')).name).toBe('😀'.repeat(200))
    expect(JSON.parse((await look()).shape!)).toMatchObject({ name: '😀'.repeat(200) })
  })

  test('a list at the top is read by `[0].phone`', async () => {
    const list = await createOwnShop(world, { trigger: { ...BARE, phonePath: '[0].phone' } })
    expect(await postHook(list.hookUrl, `[{"phone":"${PHONE}"}]`)).toMatchObject({ http: 202 })
    expect(await postHook(list.hookUrl, `{"0":{"phone":"${PHONE}"}}`)).toMatchObject({ http: 422 })
  })
})

describe('hostile keys', () => {
  const askRawKey = async (...lines: string[]) => {
    const body = `{"phone":"${PHONE}"}`
    const request = requestText(`/hooks/${shop.hookToken}`, { body, isLast: true })
    const bytes = request.replace('\r\n\r\n', `\r\n${lines.join('\r\n')}\r\n\r\n`)
    const { responses } = await talk(world.url, Buffer.from(bytes, 'latin1'))
    return { http: responses[0]!.status, ...(JSON.parse(responses[0]!.body) as { id: string }) }
  }

  test('a header that is sent twice is one key, joined', async () => {
    const first = await askRawKey('Idempotency-Key: a', 'Idempotency-Key: b')
    expect(await runOf(world, first.id)).toMatchObject({ idempotencyKey: 'a, b' })
    expect(await askRawKey('idempotency-key: a, b')).toMatchObject({ http: 200, id: first.id })
    const half = 'k'.repeat(100)
    const joined = [`Idempotency-Key: ${half}`, `Idempotency-Key: ${half}`]
    expect(await askRawKey(...joined)).toMatchObject({ http: 400 })
  })

  test('a key of spaces is none: each request starts a run', async () => {
    expect(await askRawKey('Idempotency-Key:  \t ')).toMatchObject({ http: 202 })
    expect(await askRawKey('Idempotency-Key:  \t ')).toMatchObject({ http: 202 })
  })

  test('a key that looks like SQL or code is an ordinary key', async () => {
    const key = "'; drop table flow_run;-- %_* $1 \\x00 ${7*7}"
    const first = await askRawKey(`Idempotency-Key: ${key}`)
    expect(await runOf(world, first.id)).toMatchObject({ idempotencyKey: key })
    expect(await askRawKey(`Idempotency-Key: ${key}`)).toMatchObject({ http: 200, id: first.id })
    expect(await askRawKey(`Idempotency-Key: ${key}.`)).toMatchObject({ http: 202 })
  })
})

function keys(count: number): string {
  return Array.from({ length: count }, (_, at) => `"${at.toString(36)}":1`).join(',')
}
