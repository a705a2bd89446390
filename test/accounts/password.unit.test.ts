import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  hashPassword,
  isPassword,
  PASSWORD_COST,
  setPasswordCost,
} from '../../src/modules/accounts/password.ts'
import { ServiceError } from '../../src/core/service-error.ts'
import { CHEAP_PASSWORDS } from '../support/cheap-passwords.ts'
import { systemTest } from '../support/system-tests.ts'

const PASSWORD = 'a long enough password'

beforeAll(() => setPasswordCost(PASSWORD_COST))
afterAll(() => setPasswordCost(CHEAP_PASSWORDS))

describe('a password', () => {
  test('is stored as argon2id with 19 MiB, two passes and one lane, with a new salt each time', async () => {
    const [one, other] = await Promise.all([hashPassword(PASSWORD), hashPassword(PASSWORD)])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(other).not.toBe(one)
    expect(await isPassword(one, PASSWORD)).toBe(true)
    expect(await isPassword(one, `${PASSWORD} `)).toBe(false)
  })

  test('matches however a keyboard composes its characters', async () => {
    const kept = await hashPassword('crème brûlée at nine'.normalize('NFC'))
    expect(await isPassword(kept, 'crème brûlée at nine'.normalize('NFD'))).toBe(true)
  })

  test('never matches for a person who has none', async () => {
    expect(await isPassword(null, 'a guess of it')).toBe(false)
    expect(await isPassword(null, 'a password that nobody has')).toBe(false)
  })

  test('over 1,024 bytes is not hashed', async () => {
    const kept = await hashPassword(PASSWORD)
    expect(await isPassword(kept, 'x'.repeat(1_000_000))).toBe(false)
  })

  systemTest('is refused while more than 100 others wait for their hash', async () => {
    const asked = await Promise.allSettled(
      Array.from({ length: 110 }, () => hashPassword(PASSWORD)),
    )
    const refused = asked.filter((one) => one.status === 'rejected')
    expect(refused).toHaveLength(7)
    expect(refused[0]!.reason).toBeInstanceOf(ServiceError)
    expect(await isPassword(await hashPassword(PASSWORD), PASSWORD)).toBe(true)
  })
})
