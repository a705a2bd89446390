/** How long it takes to refuse a password. These tests measure the processor's time. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  hashPassword,
  isPassword,
  PASSWORD_COST,
  setPasswordCost,
} from '../../src/modules/accounts/password.ts'
import { CHEAP_PASSWORDS } from '../support/cheap-passwords.ts'
import { startCpuWatch } from '../support/stopwatch.ts'

const PASSWORD = 'a long enough password'

beforeAll(() => setPasswordCost(PASSWORD_COST))
afterAll(() => setPasswordCost(CHEAP_PASSWORDS))

test('a password of a person who has none takes as long to refuse as a wrong one', async () => {
  const kept = await hashPassword(PASSWORD)
  await isPassword(null, PASSWORD)
  // The processor's time includes the threads that hash, and leaves out what other processes do meanwhile.
  const work = async (hash: string | null) => {
    let least = Infinity
    for (let n = 0; n < 5; n++) {
      const tookMs = startCpuWatch()
      expect(await isPassword(hash, 'a guess of it')).toBe(false)
      least = Math.min(least, tookMs())
    }
    return least
  }
  const [known, unknown] = [await work(kept), await work(null)]
  // Without the dummy hash the difference is a hundredfold.
  expect(unknown).toBeGreaterThan(known / 4)
})
