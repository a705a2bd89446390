import { formatFact } from '../../src/i18n/format-fact.ts'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { valuesToSave } from '../../src/modules/connections/values-to-save.ts'
import { CALL_LIMITS } from '../../src/core/limits/calls.ts'
import { holdTimers, type HeldTimers } from '../support/held-timers.ts'
import { API_TOKEN as TOKEN, json } from '../support/shop-api.ts'
import { openCallBench, post } from './call-bench.ts'
import { freePort } from '../support/free-port.ts'
import { systemTest } from '../support/system-tests.ts'

const bench = await openCallBench()

/** Sets the answer of the API from here on. */
const answerWith = (body: string | Buffer, status = 200, headers: Record<string, string> = {}) =>
  bench.api.reply((_, response) => response.writeHead(status, headers).end(body))
const called = async (more?: Parameters<typeof bench.call>[1]) =>
  bench.call(await bench.connect(), more)

describe('An answer', () => {
  test('is a success without kept values if it is not JSON', async () => {
    answerWith('<h1>ok</h1>')
    const made = await called()
    expect(made).toMatchObject({ outcome: 'success', answer: null, answerText: '<h1>ok</h1>' })
    expect(valuesToSave(made.answer, [{ name: 'a', path: 'a' }])).toEqual({ a: null })
  })

  test('gives values by path, as text, and numbers as they are written', async () => {
    bench.api.reply((_, response) =>
      response.end(
        '{"order":{"status":"shipped","items":[{"name":"x"}],"total":12.50,"paid":true,"o":{"a":1},"id":12345678901234567890,"none":null}}',
      ),
    )
    const { answer } = await called()
    const paths = ['status', 'items[0].name', 'total', 'paid', 'o', 'id', 'none', 'missing']
    const keep = paths.map((path) => ({ name: path[0]!, path: `order.${path}` }))
    expect(paths.map((path, i) => valuesToSave(answer, [keep[i]!])[path[0]!])).toEqual([
      'shipped',
      'x',
      '12.50',
      'true',
      '{"a":1}',
      '12345678901234567890',
      null,
      null,
    ])
  })

  test('with hostile JSON is read like any other, and a path finds only its own properties', async () => {
    const id = await bench.connect()
    const kept = async (body: string, path: string) => {
      answerWith(body)
      const made = await bench.call(id)
      expect(made).toMatchObject({ outcome: 'success', httpStatus: 200 })
      return valuesToSave(made.answer, [{ name: 'a', path }])['a']
    }
    expect(await kept('{"__proto__":{"a":"own"}}', '__proto__.a')).toBe('own')
    expect(await kept('{"__proto__":{"a":"own"}}', 'a')).toBeNull()
    for (const path of ['constructor.name', 'list.length', 'text[0]', 'toString']) {
      expect(await kept('{"list":[1],"text":"x"}', path)).toBeNull()
    }
    expect(await kept('{"a":"x\\u0000\\ud800y"}', 'a')).toBe('x\ufffd\ufffdy')
    expect(await kept('{"a":1e999,"b":1}', 'a')).toBe('1e999')
    expect(await kept('{"a":123456789012345678901234567890}', 'a')).toBe(
      '123456789012345678901234567890',
    )
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(await kept(`{"a":${deep},"b":"here"}`, 'b')).toBe('here')
    expect(await kept(`{"a":1,"a":2}`, 'a')).toBe('2')
  })

  const text = '{"a":"مرحبا","key":"' + TOKEN + '","long":"' + 'x'.repeat(20_000) + '"}'
  const packed = (encoding: string, body: Buffer, status?: number) =>
    answerWith(body, status, { 'content-encoding': encoding })
  const failed = { outcome: 'failed', httpStatus: 200, answer: null, answerText: null }
  const tooLarge = { ...failed, failure: 'answer_too_large', attempts: 1 }

  const padded = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`
  test('is read up to 262,144 bytes, counted after decompression', async () => {
    answerWith(padded(CALL_LIMITS.answerBytes))
    const made = await called()
    expect(made).toMatchObject({ outcome: 'success', httpStatus: 200 })
    expect((made.answer!.json as { a: string }).a).toHaveLength(CALL_LIMITS.answerBytes - 8)
    expect(made.answerText).toHaveLength(CALL_LIMITS.answerShownChars)
    packed('gzip', gzipSync(padded(CALL_LIMITS.answerBytes)))
    expect(await called()).toMatchObject({ outcome: 'success' })
  })

  test('one byte larger is a failure with its status, is not retried, and is not kept', async () => {
    answerWith(padded(CALL_LIMITS.answerBytes + 1))
    expect(await called()).toMatchObject(tooLarge)
  })

  test.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['GZip , identity', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', Buffer.from(text)],
  ])(
    'may be compressed: %s is decompressed, and the credential removed from it',
    async (name, body) => {
      packed(name, body)
      const made = await called()
      expect(made).toMatchObject({ outcome: 'success', answer: { json: { a: 'مرحبا' } } })
      expect(JSON.stringify(made)).not.toContain(TOKEN)
      expect(bench.api.requests[0]!.headers['accept-encoding']).toBe('gzip, deflate, br')
    },
  )

  test('is decompressed also if its encoding comes after more headers than are kept', async () => {
    const headers = { 'set-cookie': 'x'.repeat(9_000), 'content-encoding': 'br' }
    answerWith(brotliCompressSync(text), 200, headers)
    const made = await called()
    expect(made).toMatchObject({ outcome: 'success', answer: { json: { a: 'مرحبا' } } })
    expect(JSON.stringify(made)).not.toContain(TOKEN)
  })

  test('with an error may be compressed too, and is shown', async () => {
    packed('gzip', gzipSync(`no such order for ${TOKEN}`), 404)
    const made = await called()
    expect(made).toMatchObject({ failure: 'http_error', answerText: 'no such order for [removed]' })
  })

  test.each([
    ['gzip', gzipSync(padded(CALL_LIMITS.answerBytes + 1))],
    ['gzip', gzipSync(Buffer.alloc(50_000_000))],
    ['br', brotliCompressSync(Buffer.alloc(200_000_000))],
    ['deflate', deflateRawSync(Buffer.alloc(50_000_000))],
  ])('one byte larger, or a bomb, is cut there and too large (%s)', async (name, body) => {
    packed(name, body)
    const id = await bench.connect()
    const before = process.memoryUsage.rss()
    expect(await bench.call(id)).toMatchObject(tooLarge)
    expect(process.memoryUsage.rss() - before).toBeLessThan(40_000_000)
  })

  test.each([
    ['zstd', Buffer.from('(\xb5/\xfd', 'latin1'), 'zstd'],
    ['gzip, br', gzipSync('{}'), 'gzip, br'],
    ['<b>', Buffer.from('{}'), 'unknown'],
    ['gzip', Buffer.from('{"a":1}'), 'gzip'],
    ['gzip', gzipSync(text).subarray(0, 60), 'gzip'],
    ['deflate', Buffer.from('{"a":1}'), 'deflate'],
    ['br', Buffer.from('{"a":1}'), 'br'],
    ['utf-8', Buffer.from('{"a":1}'), 'utf-8'],
    ['none', Buffer.from('{"a":1}'), 'none'],
    ['binary', Buffer.from('{"a":1}'), 'binary'],
    ['UTF-8', Buffer.from('ok'), 'utf-8'],
    ['gzip', gzipSync(text).fill(0, 20, 40), 'gzip'],
    ['aws-chunked', Buffer.from('7\r\n'), 'aws-chunked'],
  ])('in an unreadable encoding (%s) is a success with that detail', async (name, body, told) => {
    packed(name, body)
    const made = await called()
    expect(made).toMatchObject({ ...failed, outcome: 'success', failure: null, attempts: 1 })
    expect(formatFact(made.detail!, 'en')).toContain(told)
    expect(JSON.stringify(made.detail)).not.toContain('<')
  })

  test.each([
    [
      'windows-1256',
      Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xe3, 0xd1, 0xcd, 0xc8, 0xc7, 0x22, 0x7d]),
      'مرحبا',
    ],
    ['"Windows-1256"', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xe3, 0x22, 0x7d]), 'م'],
    ['iso-8859-6', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xe5, 0x22, 0x7d]), 'م'],
    ['utf-16le', Buffer.from('{"a":"مرحبا"}', 'utf16le'), 'مرحبا'],
    ['shift_jis', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0x82, 0xa0, 0x22, 0x7d]), 'あ'],
    // Many servers declare this charset for everything that they send.
    ['iso-8859-1', Buffer.from('{"a":"مرحبا"}'), 'مرحبا'],
    ['iso-8859-1', Buffer.from('{"a":"caf\u00e9"}', 'latin1'), 'caf\u00e9'],
    ['no-such-charset', Buffer.from('{"a":"مرحبا"}'), 'مرحبا'],
  ])('in the charset %s is decoded from it', async (charset, body, value) => {
    answerWith(body, 200, { 'content-type': `application/json; charset=${charset}` })
    const { answer, answerText } = await called()
    expect(answer).toEqual({ json: { a: value } })
    expect(answerText).toContain(value)
  })

  test('with text in another charset is decoded, and the credential removed from it', async () => {
    answerWith(Buffer.from(`مرحبا ${TOKEN}`, 'utf16le'), 200, {
      'content-type': 'text/plain;charset="UTF-16LE"',
    })
    expect(await called()).toMatchObject({ answerText: 'مرحبا [removed]' })
  })

  test('without a body has nothing to decompress', async () => {
    bench.api.reply((_, response) => response.writeHead(204, { 'content-encoding': 'gzip' }).end())
    expect(await called()).toMatchObject({ outcome: 'success' })
  })
})

describe('A GET is retried once', () => {
  /** The held timers let a request without an answer time out. */
  let timers: HeldTimers
  beforeEach(() => {
    timers = holdTimers(CALL_LIMITS.timeoutMaxMs)
    return () => timers.release()
  })

  test('after a 500', async () => {
    bench.api.reply(json(500))
    const made = await called()
    expect(made).toMatchObject({ outcome: 'failed', httpStatus: 500, attempts: 2 })
    expect(bench.api.requests).toHaveLength(2)
    expect(await bench.usedToday()).toBe(2)
  })

  test('after a timeout', async () => {
    let asked = 0
    bench.api.reply((request, response) => {
      if (++asked > 1) json(200, { ok: true })(request, response)
      else timers.elapse()
    })
    const made = await bench.call(await bench.connect({ timeoutMs: CALL_LIMITS.timeoutMaxMs }))
    expect(made).toMatchObject({ outcome: 'success', attempts: 2, answer: { json: { ok: true } } })
  })

  test('after a failed connection, and both attempts count', async () => {
    const baseUrl = bench.api.baseUrl.replace(/:\d+/, `:${await freePort()}`)
    const made = await bench.call(await bench.connect({ baseUrl }))
    expect(made).toMatchObject({ failure: 'connect_refused', httpStatus: null, attempts: 2 })
    expect(await bench.usedToday()).toBe(2)
    const rows = await bench.logged()
    expect(rows.map((row) => [row.isRepeat, row.status, row.error])).toEqual([
      [false, null, 'connect_refused'],
      [true, null, 'connect_refused'],
    ])
  })

  test('after a kept-alive connection turns out to be closed, but no other method is', async () => {
    const id = await bench.connect()
    let asked = 0
    bench.api.reply((request, response) => {
      if (++asked === 2) response.destroy()
      else json(200)(request, response)
    })
    await bench.call(id)
    expect(await bench.call(id)).toMatchObject({ outcome: 'success', attempts: 2 })
    asked = 0
    await bench.call(id, post)
    expect(await bench.call(id, post)).toMatchObject({ failure: 'connection_reset', attempts: 1 })
  })

  test('with the status of the last attempt that had one', async () => {
    let asked = 0
    bench.api.reply((request, response) => {
      if (++asked === 1) json(503)(request, response)
      else timers.elapse()
    })
    const made = await bench.call(await bench.connect({ timeoutMs: CALL_LIMITS.timeoutMaxMs }))
    expect(made).toMatchObject({ failure: 'timeout', httpStatus: 503, attempts: 2 })
  })

  test('unless its caller forbids it, or the quota ends with the first attempt', async () => {
    bench.api.reply(json(500))
    const id = await bench.connect()
    expect(await bench.call(id, { mayRepeat: false })).toMatchObject({ attempts: 1 })
    await bench.useUp(CALL_LIMITS.perAccountPerDay - 1)
    const once = { attempts: 1, failure: 'http_error', httpStatus: 500 }
    expect(await bench.call(id)).toMatchObject(once)
    expect(bench.api.requests).toHaveLength(2)
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('but a %s is not', async (method) => {
    const id = await bench.connect()
    bench.api.reply(json(500))
    const made = () => bench.call(id, { request: { method } })
    expect(await made()).toMatchObject({ attempts: 1 })
    bench.api.reply((_, response) => response.destroy())
    expect(await made()).toMatchObject({ attempts: 1, failure: 'connection_reset' })
    expect(bench.api.requests).toHaveLength(2)
  })
})

describe('The credential is removed from any answer before it is read', () => {
  test('from JSON, from text, and from the answer of a failure', async () => {
    const id = await bench.connect()
    const echoes = [TOKEN, Buffer.from(`x${TOKEN}`).toString('base64'), encodeURIComponent(TOKEN)]
    for (const status of [200, 400]) {
      for (const echo of echoes) {
        const asJson = JSON.stringify({ [echo]: `<${echo}>`, list: [echo] })
        for (const body of [asJson, `echo: ${echo}`]) {
          answerWith(body, status)
          const made = await bench.call(id)
          expect(JSON.stringify(made)).not.toContain(echo)
          expect(made.answerText).toContain('[removed]')
        }
      }
    }
    expect(JSON.stringify(await bench.logged())).not.toContain(TOKEN)
    expect(JSON.stringify(bench.world.logged)).not.toContain(TOKEN)
  })

  test('including every detail of a failure', async () => {
    const baseUrl = bench.api.baseUrl.replace(/:\d+/, `:${await freePort()}`)
    const auth = { kind: 'query', name: 'key', key: TOKEN } as const
    const [id, away] = [await bench.connect({ auth }), await bench.connect({ auth, baseUrl })]
    const told = [await bench.call(away, post)]
    const location = `https://public.merchant.example/?key=${TOKEN}`
    for (const status of [302, 400, 500]) {
      bench.api.reply(({ url }, response) => response.writeHead(status, { location }).end(url))
      told.push(await bench.call(id, post))
    }
    bench.api.reply((_, response) => response.destroy())
    told.push(await bench.call(id, post))
    expect(told.every(({ failure, detail }) => failure !== null && detail !== null)).toBe(true)
    expect(JSON.stringify([told, await bench.logged(), bench.world.logged])).not.toContain(TOKEN)
  })

  systemTest('before any cutting', async () => {
    const id = await bench.connect()
    for (let back = 1; back < TOKEN.length; back += 4) {
      const before = 'x'.repeat(CALL_LIMITS.answerShownChars - back)
      answerWith(`${before}${TOKEN}`)
      expect((await bench.call(id)).answerText).not.toContain('sk_')
      answerWith(JSON.stringify({ a: before + TOKEN }))
      const made = await bench.call(id)
      expect(made.answerText).not.toContain('sk_')
      expect(valuesToSave(made.answer, [{ name: 'a', path: 'a' }])['a']).toBe(`${before}[removed]`)
      const large = 'x'.repeat(CALL_LIMITS.answerBytes - back)
      answerWith(`${large}${TOKEN}`)
      expect(JSON.stringify(await bench.call(id))).not.toContain('sk_')
    }
  })

  test('in another encoding than UTF-8 too', async () => {
    const id = await bench.connect({ auth: { kind: 'bearer', token: 'clé-très-secrète' } })
    answerWith(Buffer.from('é clé-très-secrète', 'latin1'))
    expect((await bench.call(id)).answerText).toBe('é [removed]')
    answerWith(Buffer.from(`a clé-très-secrète`, 'utf16le'))
    expect((await bench.call(id)).answerText).toBeNull()
  })

  test('including the password and the pair of Basic, but not the user name', async () => {
    const id = await bench.connect({ auth: { kind: 'basic', username: 'sara', password: 'pass' } })
    const pair = Buffer.from('sara:pass').toString('base64')
    bench.api.reply(
      json(200, { user: 'sara', pair, both: 'x sara:pass', password: 'pass', a: 'passed' }),
    )
    expect((await bench.call(id)).answer!.json).toEqual({
      user: 'sara',
      pair: '[removed]',
      both: 'x [removed]',
      password: '[removed]',
      a: 'passed',
    })
  })
})
