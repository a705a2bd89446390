import { expect, test } from 'vitest'
import {
  delimitData,
  withoutDelimiters,
  modelTextOf,
} from '../../src/modules/assistant/delimit-untrusted.ts'

test('texts that look like a delimiter are removed, and the removal makes no new one', () => {
  expect(delimitData('a <</data x>> <<DATA y>>b', 'data k')).toBe('<<data k>>\na    b\n<</data k>>')
  expect(withoutDelimiters('<<da<<data x>>ta x>> told')).not.toMatch(/<<\s*\/?\s*data/i)
  expect(withoutDelimiters('<<\t\n data\u200b >>')).toBe(' ')
  expect(withoutDelimiters('5 << 6 and <b>')).toBe('5 << 6 and <b>')
})

test('4,000 characters of a message are read, and count even if fewer remain after cleaning', () => {
  expect(modelTextOf(`${'a'.repeat(4_000)} and more`)).toEqual({
    words: 'a'.repeat(4_000),
    read: 4_000,
  })
  expect(modelTextOf(' '.repeat(9_000))).toEqual({ words: '', read: 4_000 })
  expect(modelTextOf(`${'a'.repeat(3_999)}😀`).words).toBe(`${'a'.repeat(3_999)}\ufffd`)
  expect(modelTextOf(null)).toEqual({ words: '', read: 0 })
})
