import { describe, expect, test } from 'vitest'
import { readIdempotencyKey } from '../../../src/rules/hooks/idempotency-key.ts'

/** Returns the header as Node returns it: each byte one character. */
const header = (text: string) => Buffer.from(text, 'utf8').toString('latin1')
const key = (text: string | undefined) => {
  const read = readIdempotencyKey(text)
  return read.ok ? read.value : read.reason
}

describe('an Idempotency-Key', () => {
  test('is trimmed of spaces and otherwise kept exactly, case included', () => {
    expect(key('  Order-1\t')).toBe('Order-1')
    expect(key('order 1')).toBe('order 1')
    expect(key('k-1, k-1')).toBe('k-1, k-1')
  })

  test('is none when it is missing, empty or only spaces', () => {
    for (const none of [undefined, '', '   ', '\t']) expect(key(none)).toBeNull()
  })

  test('has at most 200 characters after trimming, counted after UTF-8 decoding', () => {
    expect(key(`  ${'k'.repeat(200)} `)).toBe('k'.repeat(200))
    expect(key('k'.repeat(201))).toBe('idempotency_key_too_long')
    expect(key(header('م'.repeat(200)))).toBe('م'.repeat(200))
    expect(key(header('😀'.repeat(200)))).toBe('😀'.repeat(200))
    expect(key(header('م'.repeat(201)))).toBe('idempotency_key_too_long')
  })

  test('keeps a letter whose last byte looks like a space', () => {
    expect(key(header('voilà'))).toBe('voilà')
  })

  test('keeps a byte order mark: with one and without are two keys', () => {
    expect(key(header('\ufeffé'))).toBe('\ufeffé')
  })

  test('differs from every UTF-8 spelling when its bytes are not UTF-8', () => {
    expect(key('\u00e9')).not.toBe(key(header('é')))
    expect(key('\u00e9')).not.toBe(key('\u00e8'))
    expect(key('\u00e9')).toHaveLength(1)
  })
})
