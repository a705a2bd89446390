import { describe, expect, test } from 'vitest'
import { systemRandom } from '../../src/core/ids.ts'
import { createKeyRing, readKeys, SecretUnreadable } from '../../src/infra/secrets/key-ring.ts'

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const ring = (text: string) => createKeyRing(readKeys(text), systemRandom)
const place = { table: 'endpoint_secret', column: 'secret', rowId: 'row', companyId: 'company' }

describe('encrypted secrets', () => {
  test('decrypt to what they were, and never look the same twice', () => {
    const keys = ring(`k1:${key(1)}`)
    const [a, b] = [keys.encrypt('whsec_سر', place), keys.encrypt('whsec_سر', place)]
    expect(a).not.toBe(b)
    expect(keys.decrypt(a, place)).toBe('whsec_سر')
  })

  test.each([
    ['another row', { rowId: 'other' }],
    ['another column', { column: 'credentials' }],
    ['another company', { companyId: 'other' }],
    ['another table', { table: 'channel' }],
  ])('a value moved to %s does not decrypt', (_, change) => {
    const keys = ring(`k1:${key(1)}`)
    const value = keys.encrypt('secret', place)
    expect(() => keys.decrypt(value, { ...place, ...change })).toThrow(SecretUnreadable)
  })

  test('the first key encrypts and every key decrypts', () => {
    const old = ring(`k1:${key(1)}`).encrypt('secret', place)
    const rotated = ring(`k2:${key(2)},k1:${key(1)}`)
    expect(rotated.decrypt(old, place)).toBe('secret')
    expect(rotated.encrypt('secret', place)).toMatch(/^v1\.k2\./)
    expect(() => ring(`k2:${key(2)}`).decrypt(old, place)).toThrow('"k1" is not in the ring')
  })

  test('a value that was tampered with does not decrypt', () => {
    const keys = ring(`k1:${key(1)}`)
    const value = keys.encrypt('secret', place)
    const changed = [...value].map(
      (letter, at) => `${value.slice(0, at)}${letter === 'A' ? 'B' : 'A'}${value.slice(at + 1)}`,
    )
    for (const bad of ['', 'v1.k1', 'v2.k1.a.b', 'v1.k1.AAAA.AAAA', `${value}.`, ...changed]) {
      expect(() => keys.decrypt(bad, place)).toThrow(SecretUnreadable)
    }
  })

  test('a value has one spelling: other letters for the same bytes do not decrypt', () => {
    const keys = ring(`k1:${key(1)}`)
    const value = keys.encrypt('secret', place)
    const spelt = Buffer.from(value.slice(value.lastIndexOf('.') + 1), 'base64url')
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const others = [...letters]
      .map((letter) => value.slice(0, -1) + letter)
      .filter((other) => other !== value)
      .filter((other) =>
        Buffer.from(other.slice(other.lastIndexOf('.') + 1), 'base64url').equals(spelt),
      )
    expect(others.length).toBeGreaterThan(0)
    for (const other of others) expect(() => keys.decrypt(other, place)).toThrow(SecretUnreadable)
  })

  test.each([
    ['k1', 'entry 1 is not "id:base64"'],
    ['k1:AAAA', 'key "k1" has 3 bytes, 32 are needed'],
    [`k1:${key(1)},k1:${key(2)}`, 'two keys have one id'],
  ])('a ring that is wrong is refused without showing a key: %#', (text, message) => {
    expect(() => readKeys(text)).toThrow(message)
  })
})
