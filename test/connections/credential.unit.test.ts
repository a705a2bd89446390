import { describe, expect, test } from 'vitest'
import { REMOVED } from '../../src/infra/redaction/redactor.ts'
import {
  credentialPart,
  redactorOf,
  type Credential,
} from '../../src/modules/connections/credential.ts'

const redact = (credential: Credential, text: string) =>
  redactorOf({ auth: { kind: 'basic', name: null }, headers: [] }, credential).text(text)

/** Returns the value after `Basic` in the header. */
function sent(credential: Credential): string {
  const { header } = credentialPart({ kind: 'basic', name: null }, credential)
  return header![1].replace('Basic ', '')
}

describe('The value of a Basic header is removed from answers', () => {
  test.each(['sk_12ab', 'sk_12abc'])('for the key %s without a password', (username) => {
    const credential = { username, password: '' }
    expect(sent(credential)).toBe(btoa(`${username}:`))
    expect(redact(credential, sent(credential))).toBe(REMOVED)
    expect(redact(credential, `{"Authorization":"Basic ${sent(credential)}"}`)).toBe(
      `{"Authorization":"Basic ${REMOVED}"}`,
    )
    expect(redact(credential, username)).toBe(REMOVED)
  })

  test('for an even shorter key only as a whole value', () => {
    const credential = { username: 'k1', password: '' }
    expect(redact(credential, sent(credential))).toBe(REMOVED)
    expect(redact(credential, `no ${sent(credential)} here`)).toContain(sent(credential))
  })

  test('for a user name with a password, whereas the name stays', () => {
    const credential = { username: 'sara', password: 'pass-word-1' }
    expect(redact(credential, `sara, pass-word-1, ${sent(credential)}`)).toBe(
      `sara, ${REMOVED}, ${REMOVED}`,
    )
  })
})

type Auth = { kind: 'bearer' | 'basic' | 'header' | 'query'; name: string | null }
const SHORT: [auth: Auth, credential: Credential, sent: string[], unlike: string[]][] = [
  [
    { kind: 'bearer', name: null },
    { token: 'abc1234' },
    ['Bearer abc1234', 'authorization: bearer\n abc1234', 'Bearer%20abc1234'],
    ['Bearer abc12345', 'xBearer abc1234', 'code abc1234 of it', 'Bearer'],
  ],
  [
    { kind: 'header', name: 'X-Shop-Key' },
    { token: 'zq81' },
    [
      'x-shop-key: zq81',
      'X-SHOP-KEY=zq81',
      '{"x-shop-key":"zq81"}',
      '{\\"X-Shop-Key\\": \\"zq81\\"}',
      'HTTP_X_SHOP_KEY => zq81',
      '"X-Shop-Key":["zq81"]',
      '["X-Shop-Key","zq81"]',
    ],
    ['X-Shop-Key: zq812', 'X-Shop-Keys: zq81', 'the X-Shop-Key zq81', 'sku zq81 of it'],
  ],
  [
    { kind: 'query', name: 'key' },
    { token: 'k/y9' },
    ['/orders?key=k%2Fy9&page=2', 'a&amp;key=k/y9', '{"key":"k/y9"}'],
    ['monkey=k/y9', 'key=k/y99', 'key=&x=k/y9 of it'],
  ],
  [
    { kind: 'basic', name: null },
    { username: 'ab', password: 'cd12' },
    ['ab:cd12', 'https://ab:cd12@shop.example/', 'Basic YWI6Y2QxMg==', 'the YWI6Y2QxMg of it'],
    ['ab:cd123', 'xab:cd12', 'ab', 'ab cd12', 'Basic'],
  ],
]

describe.each(SHORT)('A short credential (%j)', (auth, credential, forms, unlike) => {
  const redactor = redactorOf({ auth, headers: [] }, credential)
  const secret = 'token' in credential ? credential.token : credential.password

  test.each(forms)('is removed as it was sent: %j, and from encodings of that text', (text) => {
    expect(redactor.text(`<${text}>`)).toContain(REMOVED)
    expect(redactor.text(`<${text}>`)).not.toContain(secret)
    const dump = Buffer.from(`GET /orders ${text} HTTP/1.1`)
    const wrapped = { debug: dump.toString('base64'), log: dump.toString('hex'), n: 1 }
    expect(redactor.json(wrapped)).toEqual({ debug: REMOVED, log: REMOVED, n: 1 })
  })

  test.each(unlike)('leaves similar texts alone: %j', (text) => {
    expect(redactor.text(`<${text}>`)).toBe(`<${text}>`)
  })

  test('is removed as a whole value, in any encoding', () => {
    const value = {
      a: secret,
      b: ` ${secret}\n`,
      c: btoa(secret),
      d: encodeURIComponent(secret),
      e: 1,
    }
    const removed = { a: REMOVED, b: REMOVED, c: REMOVED, d: REMOVED, e: 1 }
    expect(redactor.json(value)).toEqual(removed)
  })
})

describe('A default header whose name suggests a secret', () => {
  const redactor = (name: string, value: string) =>
    redactorOf({ auth: { kind: 'none', name: null }, headers: [{ name, value }] }, null)

  const SPEAKING = ['X-Api-Key', 'shop-token', 'Client-Secret', 'X-Auth', 'X-Authorization']
  test.each(SPEAKING)('%s is removed from answers', (name) => {
    const { text } = redactor(name, 'second-secret-9')
    expect(text('it was second-secret-9')).toBe(`it was ${REMOVED}`)
    expect(text(btoa(`${name}: second-secret-9`))).toBe(REMOVED)
    expect(redactor(name, 'ab1').text(`<${name}: ab1>`)).toBe(`<${REMOVED}>`)
    expect(redactor(name, 'Token another-secret').text('another-secret')).toBe(REMOVED)
  })

  test.each(['X-Author', 'X-Shop', 'Accept-Language'])('does not include %s', (name) => {
    expect(redactor(name, 'second-secret-9').text('second-secret-9')).toBe('second-secret-9')
  })
})
