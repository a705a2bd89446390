import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readJson, type JsonValue } from '../../../src/rules/text/json-text.ts'
import { readAt, readPathExpression } from '../../../src/rules/hooks/path-expression.ts'
import { systemTest } from '../../support/system-tests.ts'

function at(path: string, body: string): string {
  const steps = readPathExpression(path)
  const json = readJson(body)
  if (!steps.ok || !json.ok) throw new Error('the test is wrong')
  return readAt(json.value, steps.value)
}

const refusal = (path: string) => {
  const read = readPathExpression(path)
  return read.ok ? 'accepted' : read.reason
}

describe('property names joined by dots, array positions in square brackets', () => {
  test.each([
    ['a.b', '{"a":{"b":"x"}}', 'x'],
    ['items[0].name', '{"items":[{"name":"x"}]}', 'x'],
    ['$.order.id', '{"order":{"id":"x"}}', 'x'],
    ['$order.id', '{"order":{"id":"x"}}', 'x'],
    ['$[0].id', '[{"id":"x"}]', 'x'],
    ['[0][1]', '[["a","x"]]', 'x'],
    ['customer-phone', '{"customer-phone":"x"}', 'x'],
    ['العميل.الجوال', '{"العميل":{"الجوال":"x"}}', 'x'],
    ['*', '{"*":"x"}', 'x'],
  ])('%s reads %s', (path, body, text) => expect(at(path, body)).toBe(text))
})

describe('a path is refused when it is saved', () => {
  test.each([
    ['empty', ['', '$', '$.']],
    ['space', ['a b']],
    ['empty_name', ['a..b', '.a', 'a.', 'a.[0]']],
    ['bad_bracket', ['a[', 'a]', ']', 'a.]', 'a[0]b']],
    ['bad_position', ['a[01]', 'a[-1]', 'a[٠]', 'a[x]']],
    ['too_long', ['a'.repeat(201)]],
    ['too_many_steps', ['a.b.c.d.e.f.g.h.i.j.k.l.m', `a${'[0]'.repeat(12)}`]],
  ])('as %s: %j', (reason, paths) => {
    expect(paths.map(refusal)).toEqual(paths.map(() => reason))
  })

  test('a leading $ is no step: 12 steps may follow it', () => {
    expect(refusal('$.a.b.c.d.e.f.g.h.i.j.k.l')).toBe('accepted')
  })
})

describe('a value reads as text', () => {
  test.each([
    ['"  Sara  "', 'Sara'],
    ['125.50', '125.50'],
    ['1e3', '1e3'],
    ['12345678901234567890', '12345678901234567890'],
    ['-98765432109876543210', '-98765432109876543210'],
    ['9007199254740991', '9007199254740991'],
    ['true', 'true'],
    // False and 0 are values, not empty.
    ['false', 'false'],
    ['0', '0'],
    ['-0', '-0'],
    ['0.0', '0.0'],
    ['null', ''],
    ['"   "', ''],
    ['1e400', '1e400'],
    ['{"price":49.90}', '{"price":49.90}'],
    ['{ "b" : 1 , "c" : [ true , null ] }', '{"b":1,"c":[true,null]}'],
    ['{"id":12345678901234567890}', '{"id":12345678901234567890}'],
    ['"a\\u0000b\\ud800"', 'a\ufffdb\ufffd'],
  ])('%s', (value, text) => expect(at('a', `{"a":${value}}`)).toBe(text))
})

describe('only values of the document itself are found', () => {
  test.each([
    ['items.0', '{"items":["x"]}'],
    ['items.length', '{"items":["x"]}'],
    ['a[0]', '{"a":{"0":"x"}}'],
    ['a[0]', '{"a":"text"}'],
    ['__proto__.toString', '{"a":1}'],
    ['constructor', '{"a":1}'],
    ['a[99999999999999999999]', '{"a":["x"]}'],
    ['a.b', '{"a":null}'],
  ])('%s finds nothing in %s', (path, body) => expect(at(path, body)).toBe(''))

  test('an own __proto__ is a name like any other, and changes no prototype', () => {
    expect(at('__proto__.phone', '{"__proto__":{"phone":"+1"}}')).toBe('+1')
    expect(({} as { phone?: string }).phone).toBeUndefined()
  })
})

systemTest('no path and no document throw', () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), (path, json) => {
      const steps = readPathExpression(path)
      const text = readAt(json as JsonValue, steps.ok ? steps.value : [path])
      expect(typeof text).toBe('string')
    }),
    { numRuns: 2_000 },
  )
})

test('every path that is built from names and positions reads what it names', () => {
  const name = fc.stringMatching(/^[^.[\]\s$]{1,6}$/)
  const steps = fc.array(fc.oneof(name, fc.nat({ max: 3 })), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(steps, (path) => {
      let json: JsonValue = 'found'
      for (const step of path.toReversed()) {
        json =
          typeof step === 'number' ? [...Array<JsonValue>(step).fill(null), json] : { [step]: json }
      }
      const text = path
        .map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`))
        .join('')
      const read = readPathExpression(text)
      expect(read).toEqual({ ok: true, value: path })
      expect(readAt(json, path)).toBe('found')
    }),
  )
})
