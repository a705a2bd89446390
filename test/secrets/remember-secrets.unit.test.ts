import { expect, test } from 'vitest'
import { rememberSecrets } from '../../src/infra/secrets/remember-secrets.ts'
import { SecretUnreadable } from '../../src/infra/secrets/key-ring.ts'

const place = { table: 'endpoint_secret', column: 'secret', rowId: 'one', companyId: 'shop' }

function counting() {
  const asked: string[] = []
  return {
    asked,
    decrypt(text: string, { rowId }: { rowId: string }) {
      asked.push(`${text} of ${rowId}`)
      if (text === 'unreadable') throw new SecretUnreadable('as the test says')
      return `plain ${text}`
    },
  }
}

test('a secret is decrypted once, for its text and its place', () => {
  const ring = counting()
  const secrets = rememberSecrets(ring, 10)
  for (let times = 0; times < 3; times += 1) {
    expect(secrets.decrypt('sealed', place)).toBe('plain sealed')
    secrets.decrypt('rotated', place)
    secrets.decrypt('sealed', { ...place, rowId: 'two' })
  }
  expect(ring.asked).toEqual(['sealed of one', 'rotated of one', 'sealed of two'])
})

test('a limited number of secrets is remembered', () => {
  const ring = counting()
  const secrets = rememberSecrets(ring, 2)
  for (const text of ['a', 'b', 'c', 'c', 'a']) secrets.decrypt(text, place)
  expect(ring.asked.map((asked) => asked[0])).toEqual(['a', 'b', 'c', 'a'])
})

test('a secret that cannot be read is decrypted again', () => {
  const ring = counting()
  const secrets = rememberSecrets(ring, 2)
  for (let times = 0; times < 2; times += 1) {
    expect(() => secrets.decrypt('unreadable', place)).toThrow(SecretUnreadable)
  }
  expect(ring.asked).toHaveLength(2)
})
