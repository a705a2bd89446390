/** The depth of redaction and its cost, the text that is withheld in doubt, and the text that is unchanged. */
import { createHash } from 'node:crypto'
import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createRandom } from '../support/random.ts'
import type { JsonValue } from '../../src/rules/text/json-text.ts'
import { createNeedles } from '../../src/infra/redaction/needles.ts'
import { createRedactor, REMOVED } from '../../src/infra/redaction/redactor.ts'
import { search } from '../../src/infra/redaction/search.ts'
import { viewOfTexts } from '../../src/infra/redaction/view.ts'

const SECRET = 'tok_9fQ2/x+Lm7Rz-sZ4'
const redactor = createRedactor([SECRET])
const base64 = (bytes: string | Uint8Array) => Buffer.from(bytes as string).toString('base64')
const hex = (text: string) => Buffer.from(text).toString('hex')

/** The same bytes in every run, without a pattern. */
const noise = (bytes: number): Buffer =>
  Buffer.concat(
    Array.from({ length: Math.ceil(bytes / 32) }, (_, at) =>
      createHash('sha256').update(String(at)).digest(),
    ),
  ).subarray(0, bytes)

describe('Nested encodings', () => {
  const LAYERS: [name: string, wrap: (text: string) => string][] = [
    ['Base64', (text) => base64(`k=${text};`)],
    ['hexadecimal', (text) => hex(`k=${text};`)],
    ['percent signs', (text) => text.replace(/[^]/g, (sign) => `%${hex(sign)}`)],
  ]
  test.each(LAYERS)('are decoded three levels deep within the JSON of an answer: %s', (_, wrap) => {
    const inner = wrap(wrap(wrap(SECRET)))
    const escaped = inner.replace(/[^]/g, (sign) => `\\u00${hex(sign)}`)
    expect(redactor.text(`{"status":"shipped","debug":"${escaped}"}`)).toBe(
      `{"status":"shipped","debug":"${REMOVED}"}`,
    )
    expect(redactor.json({ status: 'shipped', debug: inner })).toEqual({
      status: 'shipped',
      debug: REMOVED,
    })
  })
})

test('Text before a secret may combine with its first characters into an escape', () => {
  const secret = 'ab12cd34/ef56&gh78'
  const { text } = createRedactor([secret])
  for (const left of [
    text(`100 %4${encodeURIComponent(secret)} y`),
    text(`\\u${secret.replaceAll('/', '\\/')} y`),
    text(`x=${secret.replaceAll('&', '=26')} y`),
  ]) {
    expect(left).toContain(REMOVED)
    expect(left).not.toMatch(/cd34|ef56|gh78/)
  }
})

describe('A short secret is removed as a whole where an escape absorbs its first characters', () => {
  const SECRETS = ['4ab12cd/', 'ab12cd/9x', '1234/678', 'f00=bar/12', 'd83d/key&1', 'nb/345678']
  const BEFORE = [
    '100 %',
    '100 %4',
    'x=',
    '\\x',
    '\\u',
    '\\u0',
    '\\u00',
    '\\',
    '&#',
    '&#x',
    'a %25',
  ]
  const coded = (secret: string, unit: (code: string) => string) =>
    secret.replace(/[&/=]/g, (sign) => unit(hex(sign)))
  const PARTS: [name: string, write: (secret: string) => string][] = [
    ['percent signs', encodeURIComponent],
    ['percent signs twice', (secret) => encodeURIComponent(encodeURIComponent(secret))],
    ['HTML', (secret) => coded(secret, (code) => `&#x${code};`)],
    ['JSON', (secret) => coded(secret, (code) => `\\u00${code}`)],
    ['quoted-printable', (secret) => coded(secret, (code) => `=${code}`)],
  ]
  test.each(PARTS)('where the rest has signs in %s', (_, write) => {
    for (const secret of SECRETS) {
      const one = createRedactor([secret])
      for (const before of BEFORE) {
        const left = one.text(`${before}${write(secret)} y`)
        expect(left).toContain(REMOVED)
        expect(left).not.toContain(write(secret).slice(3))
        expect(left).not.toContain(secret.slice(3))
        expect(left).toMatch(/ y$/)
      }
    }
  })

  test('text that only ends like it stays', () => {
    for (const text of [
      '100 %20b12cd/',
      'x 2cd/ b12cd/',
      '%41b12cd/9',
      'Zab12cd/',
      'n 678 /678 4/678',
    ]) {
      for (const secret of SECRETS) expect(createRedactor([secret]).text(text)).toBe(text)
    }
  })
})

describe('Bytes as numbers are removed with their list', () => {
  const bytes = Buffer.from(`{"token":"${SECRET}"}`)
  test.each<[string, JsonValue]>([
    ['a list', [...bytes]],
    ['a list of signed bytes', [...new Int8Array(Buffer.from('كلمة-سر-المتجر-٧٧'))]],
    ['an object by its indices', { ...bytes } as unknown as JsonValue],
  ])('in JSON: %s', (_, list) => {
    const both = createRedactor([SECRET, 'كلمة-سر-المتجر-٧٧'])
    expect(both.json({ type: 'Buffer', data: structuredClone(list), n: 7 })).toEqual({
      type: 'Buffer',
      data: REMOVED,
      n: 7,
    })
    expect(both.json(JSON.stringify({ data: list }))).toContain(REMOVED)
    expect(both.text(base64(JSON.stringify({ data: list })))).toBe(REMOVED)
  })

  test('other lists stay', () => {
    const value = {
      data: [...Buffer.from('hello world')],
      sizes: [36, 38, 40, 42],
      far: [256, 116, 111, 107],
    }
    expect(redactor.json(structuredClone(value))).toEqual(value)
  })
})

describe('Compressed data', () => {
  test.each([
    ['gzip', gzipSync],
    ['zlib', deflateSync],
  ])(
    'by %s within Base64 is unpacked, also behind other letters and without its end',
    (_, pack) => {
      const packed = pack(
        `GET /orders HTTP/1.1\r\nauthorization: Bearer ${SECRET}\r\naccept: */*\r\n`.repeat(3),
      )
      for (const wrapped of [packed, packed.subarray(0, -6), Buffer.concat([noise(50), packed])]) {
        expect(redactor.json({ debug: `log-${base64(wrapped)}` })).toEqual({ debug: REMOVED })
      }
    },
  )

  test('is withheld when it unpacks to more than 64 KB, or is broken behind a valid header', () => {
    const large = gzipSync(Buffer.concat([Buffer.alloc(65_537), Buffer.from(SECRET)]))
    expect(redactor.text(`a ${base64(large)} b`)).toBe(`a ${REMOVED} b`)
    const broken = gzipSync(noise(500))
    broken.fill(0xff, 10, 60)
    expect(redactor.text(`a ${base64(broken)} b`)).toBe(`a ${REMOVED} b`)
    const small = gzipSync('nothing in it')
    expect(redactor.text(`a ${base64(small)} b`)).toBe(`a ${base64(small)} b`)
  })
})

/** Answers that are written to cost most. */
const HOSTILE = [
  '%25\\u005c&#38;',
  '%26amp;\\u0026QUJDREVGR0hJSktMTU5PUFFSU1Q=3D&#37;25',
  'H4sIAAAAAAAAA-',
  base64(base64(base64('order '.repeat(20)))),
  '3634663636353636',
  '116,111,107,95,',
  'eJw ',
  '=2525%3D26amp;amp;\\\\u0025%3D3D3D&#x26;#37;4x',
  '\\u{',
  'VVVV',
]

describe('An answer that is written to cost most', () => {
  const BYTES = 12_000
  const fill = (unit: string, bytes: number) =>
    unit.repeat(Math.ceil(bytes / unit.length)).slice(0, bytes)

  test.each(HOSTILE)(
    'costs what its size allows, and no more than a fixed amount for each byte: %j',
    (unit) => {
      const needles = createNeedles([SECRET], [])
      const cost = (bytes: number) => {
        const view = viewOfTexts([fill(unit, bytes)])
        const granted = bytes * 16 + 65_536
        const budget = { left: granted }
        let steps = 0
        const ignore = () => {}
        const finder = {
          foundIn: ignore,
          foundAt: ignore,
          foundAll: ignore,
          isFound: () => false,
          leftOut: ignore,
          numberRun: () => 0,
          isSettled: () => false,
        }
        for (const _ of search(view, needles, budget, finder)) steps++
        return { steps, decoded: granted - budget.left, max: granted + 4 * bytes }
      }
      const [once, fourTimes] = [cost(BYTES), cost(4 * BYTES)]
      expect(once.decoded).toBeLessThanOrEqual(once.max)
      expect(fourTimes.decoded).toBeLessThanOrEqual(fourTimes.max)
      expect(fourTimes.steps).toBeLessThanOrEqual(5 * once.steps + 50)
    },
  )

  test.each(HOSTILE)('does not hide a secret behind it: %j', (unit) => {
    const wrapped = base64(encodeURIComponent(base64(SECRET)))
    for (const text of [`${fill(unit, BYTES)} ${wrapped}`, `${wrapped} ${fill(unit, BYTES)}`]) {
      expect(redactor.text(text)).toContain(REMOVED)
      expect(redactor.text(text)).not.toContain(wrapped.slice(4, -4))
      const left = redactor.json({ hostile: text, debug: wrapped, status: 'shipped' })
      expect(left).toMatchObject({ debug: REMOVED, status: 'shipped' })
      expect(JSON.stringify(left)).not.toContain(wrapped.slice(4, -4))
    }
  })

  test('is withheld when it could not be searched completely, and its neighbours are not', () => {
    // Each piece begins as zlib does, and is tried.
    const hostile = fill('eJxLTEpOSU1Lz8jMys7JzcsvKCwqLiktK6.', BYTES)
    expect(redactor.text(hostile)).toBe(REMOVED)
    const value = { hostile, status: 'shipped', note: 'Keep the gate, 100 % sure' }
    expect(redactor.json({ ...value })).toEqual({ ...value, hostile: REMOVED })
  })
})

describe('A text without a secret is unchanged', () => {
  const redactors = [
    redactor,
    createRedactor(['كلمة-سر-المتجر-٧٧']),
    createRedactor(['pass word of the shop']),
    createRedactor(['zq81'], [{ before: 'X-Shop-Key', joint: 'field', secret: 'zq81' }]),
  ]
  const CERTIFICATE = `-----BEGIN CERTIFICATE-----\n${noise(900).toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----`
  test.each<[string, JsonValue]>([
    ['an order', { id: 'A-1043', total: 49.9, name: 'سارة', items: [{ sku: 'ABY-7', n: 2 }] }],
    ['a picture', `data:image/png;base64,${base64(noise(60_000))}`],
    ['a certificate', CERTIFICATE],
    [
      'a token',
      `eyJhbGciOiJIUzI1NiJ9.${base64('{"sub":"1234567890"}')}.${noise(32).toString('base64url')}`,
    ],
    [
      'hashes',
      Array.from({ length: 50 }, (_, at) => createHash('sha512').update(`${at}`).digest('hex')),
    ],
    [
      'identifiers',
      ['5f1c8a52-0d3e-4a8b-9c11-7be0a4d2f6c3', '00:1A:2B:3C:4D:5E', 'SA0380000000608010167519'],
    ],
    ['addresses', 'https://shop.example/orders?q=%D8%B4%D8%AD%D9%86&page=2&sort=-date#top'],
    ['signs', '100 % of 3 \\ 4 & 5; %zz \\q &bogus; a=b == c \\u12 &#x; &#'],
    ['half of it', { begins: 'tok_9fQ2/x+L', ends: 'Rz-sZ4', masked: 'tok_****************' }],
  ])('%s', (_, value) => {
    for (const one of redactors) {
      expect(one.json(structuredClone(value))).toEqual(value)
      expect(one.text(JSON.stringify(value))).toBe(JSON.stringify(value))
    }
  })

  test('in random texts', () => {
    const random = createRandom('answers without a secret')
    const pieces = [
      '%',
      '\\',
      '&',
      '=',
      '+',
      '/',
      ' ',
      '\n',
      '"',
      'شحن',
      '😀',
      '%41',
      '&amp;',
      '\\u0041',
      '=3D',
      '7',
      'Zz',
      'order',
      '12,34,56,78',
    ]
    for (let number = 0; number < 400; number++) {
      const length = Math.floor(random() * 80)
      const text = Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]).join(
        '',
      )
      for (const form of [text, base64(text), hex(text), encodeURIComponent(text)]) {
        for (const one of redactors) expect(one.text(form)).toBe(form)
      }
    }
  })
})
