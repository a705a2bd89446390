import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compactJson, readJson, type JsonValue } from '../../src/rules/text/json-text.ts'
import { REMOVED, createRedactor } from '../../src/infra/redaction/redactor.ts'
import { systemTest } from '../support/system-tests.ts'

const SECRET = 'tök/en+"se\\cret 1'
const redact = (text: string, secret = SECRET) => createRedactor([secret]).text(text)

const base64 = (text: string) => Buffer.from(text).toString('base64')
const percentAll = (text: string) =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
const json = (text: string) => JSON.stringify(text).slice(1, -1)
const unicodeEscaped = (text: string) =>
  text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
const ENTITIES: Record<string, string> = { '&': 'amp', '<': 'lt', '"': 'quot', "'": '#39' }
const html = (text: string) => text.replace(/[&<"']/g, (unit) => `&${ENTITIES[unit]!};`)

/** Ways in which a server writes a text back. */
const FORMS: Record<string, (text: string) => string> = {
  plain: (text) => text,
  percent: encodeURIComponent,
  'percent, every byte, lower case': percentAll,
  'percent, every byte, upper case': (text) =>
    percentAll(text).replace(/%../g, (unit) => unit.toUpperCase()),
  form: (text) => new URLSearchParams([['a', text]]).toString().slice(2),
  json,
  'json with escaped slashes': (text) => json(text).replaceAll('/', '\\/'),
  'json, every character': unicodeEscaped,
  html,
  'html numbers': (text) => Array.from(text, (point) => `&#${point.codePointAt(0)};`).join(''),
  'html hexadecimal numbers': (text) =>
    Array.from(text, (point) => `&#x${point.codePointAt(0)!.toString(16)};`).join(''),
  hex: (text) => Buffer.from(text).toString('hex'),
  'hex in upper case': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  base64,
  'base64 without padding': (text) => base64(text).replace(/=+$/, ''),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  'base64 after one byte': (text) => base64(`a${text}`),
  'base64 after two bytes, before more': (text) => base64(`ab${text}xyz`),
  'base64 in lines': (text) => base64(text.padStart(90, '.')).replace(/.{20}/g, '$&\r\n'),
  'percent of base64': (text) => encodeURIComponent(base64(text)),
  'json of base64': (text) => json(base64(text)).replaceAll('/', '\\/'),
  'json in json': (text) => json(json(text)),
  'percent in json': (text) => json(encodeURIComponent(text)),
  'html in json': (text) => json(html(text)),
  'percent twice': (text) => encodeURIComponent(encodeURIComponent(text)),
}

describe('a credential is removed from an answer in every form in which it can be returned', () => {
  test.each(Object.keys(FORMS))('%s', (name) => {
    const form = FORMS[name]!(SECRET)
    const text = redact(`{"echo": "${form}", "order": "شحن"}`)
    expect(text).toContain(REMOVED)
    expect(text).not.toContain(form)
    expect(text).toContain('"order": "شحن"}')
  })

  test.each([1, 2, 4, 5])(
    'with every letter of Base64 that has a bit of it, after %i bytes',
    (before) => {
      const length = Buffer.byteLength(SECRET)
      const letters = base64('a'.repeat(before) + SECRET + 'zzzz')
      const first = Math.floor((before * 8) / 6)
      const behind = Math.ceil(((before + length) * 8) / 6)
      const left = redact(letters).split(REMOVED)
      expect(letters.slice(0, first).startsWith(left[0]!)).toBe(true)
      expect(letters.slice(behind).endsWith(left[1]!)).toBe(true)
    },
  )

  test('several times, and several secrets together', () => {
    const redactor = createRedactor(['password-1', 'sara:password-1'])
    const pair = base64('sara:password-1')
    const text = redactor.text(`password-1 and password-1, Basic ${pair}, sara`)
    expect(text).toBe('_ and _, Basic _, sara'.replaceAll('_', REMOVED))
  })
})

describe('white space of a credential matches any kind and number of white space', () => {
  const secret = 'pass word of  the shop'
  const written = (space: string) => secret.replace(/ +/g, space)
  const SPACES = ['\n', '\r\n', '\t', ' \n ', '\v', '   ']
  test.each([...SPACES, '\u0085', '\u00a0', '\u2028', '\u2029', '\u3000'])('%j', (space) => {
    for (const form of [(text: string) => text, encodeURIComponent, json, unicodeEscaped]) {
      expect(redact(`<${form(written(space))}>`, secret)).toBe(`<${REMOVED}>`)
    }
    expect(redact(`${written(space)}keeper`, secret)).toBe(`${REMOVED}keeper`)
  })

  test('around it too: what trims an answer does not bring it back', () => {
    const around = '  pass word 1\u00a0'
    expect(redact('<pass word 1>', around)).toBe(`<${REMOVED}>`)
    expect(redact(`x${around}y`, around)).not.toContain('pass')
    expect(redact(base64(around), around)).toBe(REMOVED)
    expect(redact(base64('pass word 1'), around)).toBe(REMOVED)
    expect(redact('ab', ' ab ')).toBe(REMOVED)
    expect(redact(base64(' ab '), ' ab ')).toBe(REMOVED)
    expect(redact('a\nb', 'a b')).toBe(REMOVED)
  })

  test('other text keeps its own', () => {
    expect(redact('pass word\n\nof the\tshoe', secret)).toBe('pass word\n\nof the\tshoe')
    const around = redact('a\n\n\tb pass\nword of the shop c\n\td', secret)
    expect(around).toBe(`a\n\n\tb ${REMOVED} c\n\td`)
  })
})

test('a credential is removed in another letter case, as hexadecimal and base32 keys may have', () => {
  const key = 'deadbeef-00c0-ffee'
  for (const secret of [key, key.toUpperCase()]) {
    expect(redact('{"k":"DEADBEEF-00C0-FFEE"}', secret)).toBe(`{"k":"${REMOVED}"}`)
    expect(redact('{"k":"deadbeef-00c0-ffee"}', secret)).toBe(`{"k":"${REMOVED}"}`)
  }
  expect(redact('JBSWY3DP', 'jbswy3dp')).toBe(REMOVED)
})

describe('a credential that could itself be read as an encoding', () => {
  const SECRETS = ['pa%41ss&amp;word;<"x', 'a\\nb&#37;<c>/key=3D"12', '%25%34%31<&lt;>"tail-of-it']
  const LAYERS = [encodeURIComponent, json, html, unicodeEscaped, base64]
  test.each(SECRETS)('is removed through any two encodings: %j', (secret) => {
    for (const outer of LAYERS) {
      for (const inner of LAYERS) {
        const form = outer(inner(secret))
        const left = redact(`{"echo": "${form}", "order": "A-7"}`, secret)
        expect(left).toContain(REMOVED)
        expect(left).not.toContain(form)
      }
    }
  })
})

test('text that only looks like a part of it stays', () => {
  const text = 'Bearer tok, 100 % of \\u0041 &amp; more: tök/en+"se'
  expect(redact(text)).toBe(text)
  expect(createRedactor([]).text(text)).toBe(text)
  expect(createRedactor(['']).text(text)).toBe(text)
  expect(redact('a b', ' '.repeat(10))).toBe('a b')
  // Mostly white space: only the whole of it is a credential.
  expect(redact(`banana a${' '.repeat(9)}b`, `a${' '.repeat(9)}`)).toBe('banana [removed]b')
})

test('keys, strings and numbers of JSON are searched, at any depth', () => {
  const redactJson = (text: string, secret: string) => {
    const read = readJson(text)
    if (!read.ok) throw new Error('the test is wrong')
    return compactJson(createRedactor([secret]).json(read.value))
  }
  expect(redactJson('{"12345678":[12345678,123456780,{"a":"x12345678"}],"b":7}', '12345678')).toBe(
    `{"b":7,"${REMOVED}":["${REMOVED}","${REMOVED}",{"a":"x${REMOVED}"}]}`,
  )
  const number = '98765432109876543210'
  expect(redactJson(`[${number}]`, number)).toBe(`["${REMOVED}"]`)
  for (const written of ['12345678.0', '1.2345678e7', '1234567800E-2']) {
    expect(redactJson(`[${written},1.50]`, '12345678')).toBe(`["${REMOVED}",1.50]`)
  }
  const bytes = [...Buffer.from('secret-key')].map((byte) => `${byte}.0`).join()
  expect(redactJson(`[[${bytes}]]`, 'secret-key')).toBe(`["${REMOVED}"]`)
  expect(redactJson('{"__proto__":"secret-key","constructor":1}', 'secret-key')).toBe(
    `{"__proto__":"${REMOVED}","constructor":1}`,
  )
  const deep = `${'['.repeat(100_000)}"secret-key"${']'.repeat(100_000)}`
  expect(redactJson(deep, 'secret-key')).not.toContain('secret-key')
})

test('a credential under 8 characters is removed only where it is the whole value', () => {
  const redactor = createRedactor(['a'])
  const removed = REMOVED
  const left = redactor.json({ a: 'a', b: 'banana', c: ' a ', d: base64('a') })
  expect(left).toEqual({ [removed]: removed, b: 'banana', c: removed, d: removed })
  expect(redactor.text('a')).toBe(REMOVED)
  // The last byte of this letter is white space for some.
  expect(redact(' voilà\n', 'voilà')).toBe(REMOVED)
  expect(redactor.text('a man a plan')).toBe('a man a plan')
})

systemTest('no credential is left, in whatever form and surroundings', () => {
  const secret = fc
    .string({ unit: 'binary', minLength: 8, maxLength: 60 })
    .filter((text) => text.isWellFormed() && /[^\s\p{Cc}]/u.test(text))
  const around = fc.string({ maxLength: 12 })
  fc.assert(
    fc.property(secret, around, around, fc.constantFrom(...Object.keys(FORMS)), (...drawn) => {
      const [credential, before, after, name] = drawn
      const form = FORMS[name]!(credential)
      // The text in front must not run into the form: an escape, a letter of Base64.
      const out = redact(`${before} ${form} ${after}`, credential)
      expect(out).not.toContain(form)
      expect(out).toContain(REMOVED)
    }),
    { numRuns: 1_000 },
  )
})

test('an answer without the credential is unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value)
      expect(redact(text)).toBe(text)
      const copy = JSON.parse(text) as JsonValue
      expect(createRedactor([SECRET]).json(copy)).toEqual(JSON.parse(text))
    }),
  )
})

test('a long credential is found in an answer that repeats most of it', () => {
  const secret = `${'a'.repeat(2_000)}b${'a'.repeat(2_000)}`
  const text = 'a'.repeat(262_144)
  expect(redact(`${text}b${text}`, secret)).toHaveLength(2 * (262_144 - 2_000) + 9)
})

test('a long credential is removed too', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 40 })
  const secret = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 65, maxLength: 90 })
  fc.assert(
    fc.property(letters, secret, letters, (before, credential, after) => {
      const out = redact(before + credential + after, credential)
      expect(out).not.toContain(credential)
      expect(out).toContain(REMOVED)
    }),
  )
})

describe('A large hostile answer', () => {
  const ANSWER_BYTES = 262_144
  const fill = (unit: string) => unit.repeat(Math.ceil(ANSWER_BYTES / unit.length))

  test('has the same result in steps as in one pass, as a text and as JSON', () => {
    const redactor = createRedactor(['sk_live_credential'])
    const end = <Result>(steps: Generator<undefined, Result>): Result => {
      for (;;) {
        const step = steps.next()
        if (step.done) return step.value
      }
    }
    const text = `${fill('%41').slice(0, 3_000)} sk%5flive_credential`
    expect(end(redactor.textInSteps(text))).toBe(redactor.text(text))
    expect(redactor.text(text)).toContain('[removed]')
    const made = () => ({ a: [text, 12], sk_live_credential: 'x' })
    expect(end(redactor.jsonInSteps(made()))).toEqual(redactor.json(made()))
  })
})
