/** Requests that are not as HTTP or a shop would send them. */
import { createConnection } from 'node:net'
import { beforeEach, describe, expect, test } from 'vitest'
import { createShop } from '../support/shop.ts'
import { requestText, talk } from './raw-http.ts'
import { whatIsStored } from '../support/records/hooks.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWorld } from '../support/open-world.ts'

type Refused = {
  path?: string
  method?: string
  body?: string
  headers?: Record<string, string>
  chunked?: boolean
}

const ORDER = '{"customer":{"phone":"+966501234567"}}'
const world = await openWorld()
const shop = await createShop(world)
const path = `/hooks/${shop.hookToken}`

// Each test has a separate minute, so that no rate limit interferes.
beforeEach(() => world.clock.advance(60_000))

const runs = async () => (await whatIsStored(world, shop)).runs
const statuses = async (bytes: Parameters<typeof talk>[1]) =>
  (await talk(world.url, bytes)).responses.map(({ status }) => status)

describe('a request that HTTP can read in two ways is refused and its connection closed', () => {
  const smuggled = () => requestText(path, { body: ORDER })
  test.each([
    [
      'Content-Length and Transfer-Encoding together',
      () =>
        `${requestText(path, {
          headers: { 'content-length': '5', 'transfer-encoding': 'chunked' },
        })}0\r\n\r\n${smuggled()}`,
    ],
    [
      'two different Content-Length',
      () => `${requestText(path, { headers: { 'content-length': '2', 'Content-Length': '3' } })}{}`,
    ],
    ['a negative Content-Length', () => requestText(path, { headers: { 'content-length': '-1' } })],
    [
      'a Transfer-Encoding that is not chunked',
      () => `${requestText(path, { headers: { 'transfer-encoding': 'cow' } })}${smuggled()}`,
    ],
    [
      'lines that end in a bare LF',
      () => requestText(path, { body: ORDER }).replaceAll('\r\n', '\n'),
    ],
    ['a header name with a space', () => requestText(path, { headers: { 'x y': '1' } })],
    ['a header that is folded', () => requestText(path, { headers: { 'x-a': '1\r\n 2' } })],
    ['a NUL in a header', () => requestText(path, { headers: { 'x-a': 'a\0b' } })],
    ['no Host', () => requestText(path, { body: ORDER }).replace(/host: .*\r\n/, '')],
    ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('%s', async (_, bytes) => {
    const before = await runs()
    expect(await statuses(bytes())).toEqual([400])
    expect(await runs()).toBe(before)
  })

  test('a chunk with a wrong length', async () => {
    const before = await runs()
    const headers = { 'transfer-encoding': 'chunked' }
    const head = requestText(path, { headers }).replace(/content-length: 0\r\n/, '')
    const answers = await statuses(`${head}5\r\n{"customer"}\r\n0\r\n\r\n`)
    expect(answers.filter((status) => status !== 400)).toEqual([])
    expect(await runs()).toBe(before)
  })
})

describe('requests that the parser refuses', () => {
  const refused = async (bytes: string) => {
    const { responses } = await talk(world.url, bytes)
    expect(responses).toHaveLength(1)
    const [{ status, head, body }] = responses as [(typeof responses)[0]]
    expect(head).toMatch(/^content-type: application\/json/im)
    expect(head).toMatch(/^connection: close/im)
    return { http: status, ...(JSON.parse(body) as object) }
  }

  test.each([
    ['no HTTP version that there is', () => `POST ${path} HTTP/9.9\r\n\r\n`],
    ['a header without a colon', () => `POST ${path} HTTP/1.1\r\nhost: a\r\nnonsense\r\n\r\n`],
    ['a length that is no number', () => requestText(path, { headers: { 'content-length': 'x' } })],
    [
      'a chunk of no length',
      () =>
        `POST ${path} HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\ncontent-type: application/json\r\n\r\nzz\r\n`,
    ],
    ['nothing that HTTP knows', () => '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03\r\n\r\n'],
    [
      'two hosts',
      () => requestText(path, { body: '{}' }).replace('\r\n', '\r\nHost: other.example\r\n'),
    ],
    [
      'the same host twice',
      () => requestText(path, { body: '{}' }).replace('\r\n', '\r\nhost: shop.example\r\n'),
    ],
    ...['gzip, chunked', 'identity, chunked', 'chunked, chunked', 'x-any, chunked'].map(
      (encoding) =>
        [
          `a body sent as ${encoding}`,
          () =>
            `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: ${encoding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
        ] as [string, () => string],
    ),
  ])('%s: 400 with the three fields', async (_, bytes) => {
    expect(await refused(bytes())).toEqual({
      http: 400,
      id: null,
      status: 'invalid_request',
      detail: expect.stringContaining('HTTP'),
    })
  })

  test.each([
    ['a header', () => requestText(path, { headers: { 'x-a': 'a'.repeat(20_000) } })],
    ['a URL', () => requestText(`/hooks/${'x'.repeat(20_000)}`)],
  ])('%s that is too long: 431 with the three fields, and the limit', async (_, bytes) => {
    expect(await refused(bytes())).toEqual({
      http: 431,
      id: null,
      status: 'invalid_request',
      detail: expect.stringContaining('16384 bytes'),
    })
  })

  test('elsewhere it has no body', async () => {
    const { responses } = await talk(world.url, 'GET /healthz HTTP/9.9\r\n\r\n')
    expect(responses).toMatchObject([{ status: 400, body: '' }])
  })
})

describe('floods', () => {
  test('3,000 headers: 431, connection closed', async () => {
    const headers = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`x-${i}`, 'a']))
    expect(await statuses(requestText(path, { body: ORDER, headers }))).toEqual([431])
  })

  systemTest(
    'a body of 20 MB is refused with 413 by its length, and the client sees it',
    async () => {
      for (let time = 0; time < 10; time += 1) {
        world.clock.advance(60_000)
        const response = await fetch(shop.hookUrl, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: new Uint8Array(20_000_000),
        })
        expect(response.status).toBe(413)
        expect(await response.json()).toMatchObject({ id: null, status: 'payload_too_large' })
      }
    },
  )

  test('chunks without an end: 413 once they are more than 65,536 bytes, then closed', async () => {
    const { responses } = await talk(world.url, (socket) => {
      socket.write(
        requestText(path, { headers: { 'transfer-encoding': 'chunked' } }).replace(
          /content-length: 0\r\n/,
          '',
        ),
      )
      const chunk = `1000\r\n${'x'.repeat(4_096)}\r\n`
      const timer = setInterval(() => socket.write(chunk), 1)
      socket.once('close', () => clearInterval(timer))
    })
    expect(responses).toMatchObject([{ status: 413, head: expect.stringMatching(/close/i) }])
  })
})

describe('one connection, several requests', () => {
  test('requests that are sent together are answered one by one, in their order', async () => {
    const before = await runs()
    const { responses } = await talk(
      world.url,
      requestText(path, { body: ORDER }) +
        requestText('/hooks/none', { body: ORDER }) +
        requestText(path, { body: '{' }) +
        requestText(path, { body: ORDER, isLast: true }),
    )
    expect(responses.map(({ status }) => status)).toEqual([202, 404, 400, 202])
    expect(await runs()).toBe(before + 2)
  })

  test.each<[string, Refused, number]>([
    ['400', { body: '{' }, 400],
    ['404', { path: '/hooks/none', body: ORDER }, 404],
    ['405', { method: 'PUT' }, 405],
    ['422', { body: '{}' }, 422],
    ['415', { body: 'SMUGGLED', headers: { 'content-type': 'text/plain' } }, 415],
    ['413', { body: `SMUGGLED${' '.repeat(70_000)}` }, 413],
    [
      'a chunked 415',
      { headers: { 'transfer-encoding': 'chunked', 'content-type': 'x/y' }, chunked: true },
      415,
    ],
  ])(
    'after a %s the next request is answered on its own, or not at all',
    async (_, parts, status) => {
      const before = await runs()
      const inner = requestText(path, { body: ORDER })
      const body = (parts.body ?? '').replace('SMUGGLED', inner)
      let refused = requestText(parts.path ?? path, { ...parts, body })
      if (parts.chunked) {
        refused = `${refused.replace(/content-length: 0\r\n/, '')}2\r\n{}\r\n0\r\n\r\n`
      }
      const { responses } = await talk(
        world.url,
        refused + requestText(path, { body: ORDER, isLast: true }),
      )
      expect(responses[0]!.status).toBe(status)
      const later = responses.slice(1).map((response) => response.status)
      expect(later).toEqual(/^connection: close/im.test(responses[0]!.head) ? [] : [202])
      expect(await runs()).toBe(before + later.length)
    },
  )

  test('a client that breaks off in the middle of its body starts nothing', async () => {
    const before = await runs()
    for (const end of ['end', 'destroy', 'resetAndDestroy'] as const) {
      await new Promise<void>((resolve) => {
        const socket = createConnection(Number(new URL(world.url).port), '127.0.0.1')
        socket.on('error', () => {})
        socket.on('close', () => resolve())
        socket.resume()
        const bytes = requestText(path, { body: ORDER, headers: { 'content-length': '99' } })
        socket.write(bytes, () => socket[end]())
      })
    }
    expect(await runs()).toBe(before)
  })
})

describe('Expect', () => {
  test('a refused length gets no `100 Continue`', async () => {
    const headers = { expect: '100-continue', 'content-length': '65537' }
    const answers = await statuses(requestText(path, { headers, isLast: true }))
    expect(answers).toEqual([413])
  })

  test('`100-continue` gets a `100 Continue`, and then its answer', async () => {
    const { responses } = await talk(world.url, (socket) => {
      const headers = { expect: '100-continue', 'content-length': String(ORDER.length) }
      socket.write(requestText(path, { headers, isLast: true }))
      socket.once('data', () => socket.write(ORDER))
    })
    expect(responses.map(({ status }) => status)).toEqual([100, 202])
  })

  test('an unknown expectation changes nothing', async () => {
    const headers = { expect: 'the-unexpected' }
    expect(await statuses(requestText(path, { body: ORDER, headers, isLast: true }))).toEqual([202])
  })
})

describe('methods', () => {
  const METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']
  test.each(METHODS)('%s is 405 with `Allow: POST`, and no header of CORS', async (method) => {
    const before = await whatIsStored(world, shop)
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    const { text } = await talk(world.url, requestText(path, { method, headers, isLast: true }))
    const [head = '', body] = text.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 405 /)
    expect(head).toMatch(/^allow: POST\r$/im)
    expect(head).not.toMatch(/^access-control/im)
    if (method === 'HEAD') expect(body).toBe('')
    else expect(JSON.parse(body!)).toMatchObject({ id: null, status: 'method_not_allowed' })
    expect(text).not.toContain('origin')
    expect(await whatIsStored(world, shop)).toEqual(before)
  })

  test('CONNECT is not answered', async () => {
    const before = await runs()
    expect(await statuses(requestText('shop.example:443', { method: 'CONNECT' }))).toEqual([])
    expect(await runs()).toBe(before)
  })

  test.each(['websocket', 'h2c'])('an upgrade to %s is ignored', async (upgrade) => {
    const headers = { connection: 'upgrade, close', upgrade, 'http2-settings': 'AAMAAABk' }
    expect(await statuses(requestText(path, { body: ORDER, headers }))).toEqual([202])
  })

  test('a header `__proto__` changes nothing', async () => {
    const headers = { ['__proto__']: 'a', constructor: 'b' }
    expect(await statuses(requestText(path, { body: ORDER, headers, isLast: true }))).toEqual([202])
    expect(({} as Record<string, unknown>).a).toBeUndefined()
  })
})

describe('paths', () => {
  const T = 'hook_TOKEN'
  const sent = (form: string) =>
    form
      .replaceAll('{upper}', shop.hookToken.toUpperCase())
      .replaceAll('{escaped}', shop.hookToken.replaceAll('_', '%5F').replaceAll('-', '%2d'))
      .replaceAll(T, shop.hookToken)

  test.each([
    [`/hooks/${T}?x=1`, 'a query is ignored'],
    [`/hooks/${T}?`, 'so is an empty one'],
    ['/hooks/{escaped}', 'escaped characters are the same characters'],
    [`http://evil.example/hooks/${T}`, 'a whole URL is its path'],
    [`HTTPS://user:secret@evil.example:1/hooks/${T}?x`, 'whatever its host'],
  ])('%s: %s', async (form) => {
    const { responses, text } = await talk(
      world.url,
      requestText(sent(form), { body: ORDER, isLast: true }),
    )
    expect(responses).toMatchObject([{ status: 202 }])
    expect(text).not.toMatch(/evil|location/i)
  })

  test.each([
    '/hooks',
    '/hooks/',
    `/hooks/${T}/`,
    `/hooks//${T}`,
    `/hooks/${T}/more`,
    `/hooks/${T}%2F`,
    `/hooks/${T}%00`,
    `/hooks/${T}%20`,
    `/hooks/ ${T}`.replace(' ', '%20'),
    `/hooks/${T};x=1`,
    `/hooks/../hooks/${T}`,
    `/hooks/./${T}`,
    '/hooks/{upper}',
    '/hooks/%00',
    '/hooks/hook_%2F..',
    '/hooks/%E0%A4%A',
    '/hooks/%ff',
    `/hooks?token=${T}`,
    `/hooks/hook_${'x'.repeat(36)}`,
    `/hooks/hook_${'x'.repeat(96)}`,
    `/hooks/hook_${'x'.repeat(43)}`,
    'http://evil.example/hooks/',
  ])('%s is no hook', async (form) => {
    const before = await runs()
    const { responses } = await talk(
      world.url,
      requestText(sent(form), { body: ORDER, isLast: true }),
    )
    expect(responses.map(({ status }) => status)).toEqual([404])
    expect(JSON.parse(responses[0]!.body)).toEqual({
      id: null,
      status: 'not_found',
      detail: 'No hook has this token. Copy the current URL, or replace it in the flow builder.',
    })
    expect(await runs()).toBe(before)
  })

  const OTHER_PATHS = ['/HOOKS', '//hooks', '/v1/hooks', '/hook', '/hooksx']
  test.each(OTHER_PATHS)('%s is no path of the service', async (form) => {
    const before = await runs()
    const request = requestText(sent(`${form}/${T}`), { body: ORDER, isLast: true })
    expect(await statuses(request)).toEqual([404])
    expect(await runs()).toBe(before)
  })
})

test('the token is in no log and in no answer', async () => {
  const { text } = await talk(world.url, requestText(`${path}/x`, { body: ORDER, isLast: true }))
  expect(text).not.toContain(shop.hookToken)
  expect(world.logged.join('\n')).not.toContain(shop.hookToken.slice(5, 20))
})
