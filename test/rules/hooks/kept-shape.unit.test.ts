import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readJson, type JsonValue } from '../../../src/rules/text/json-text.ts'
import { keptShape } from '../../../src/rules/hooks/kept-shape.ts'

const shape = (json: string) => {
  const read = readJson(json)
  return read.ok ? keptShape(read.value) : null
}

test('long lists are cut to the first 3 items, long strings to the first 200 characters', () => {
  expect(shape('{"a":[1,2,3,4],"b":{"c":[[1,2,3,4]]}}')).toBe('{"a":[1,2,3],"b":{"c":[[1,2,3]]}}')
  expect(shape(`["${'é'.repeat(300)}"]`)).toBe(`["${'é'.repeat(200)}"]`)
  expect(shape(`["${'😀'.repeat(300)}"]`)).toBe(`["${'😀'.repeat(200)}"]`)
})

test('values stay as they were sent: large numbers, Arabic, odd keys', () => {
  const json = '{"__proto__":{"x":1},"id":12345678901234567890,"اسم":"سارة","n":null,"t":true}'
  expect(shape(json)).toBe(json)
})

test('32 levels are kept, and nothing of what lies deeper', () => {
  const nested = (levels: number, inmost: string) =>
    '['.repeat(levels) + inmost + ']'.repeat(levels)
  expect(shape(nested(32, '7'))).toBe(nested(32, '7'))
  expect(shape(nested(33, '7'))).toBe(nested(32, 'null'))
  expect(shape(nested(32, '{"a":1}'))).toBe(nested(32, 'null'))
})

test('no depth throws', () => {
  expect(shape('['.repeat(20_000) + ']'.repeat(20_000))).toMatch(/^\[+null\]+$/)
})

test('whatever the body, the shape is JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(() => JSON.parse(keptShape(value as JsonValue)) as unknown).not.toThrow()
    }),
  )
})
