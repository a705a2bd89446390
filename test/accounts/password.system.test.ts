/** The time it takes to refuse a password, measured as time of the processor. */
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

test('refusing a password takes as long for a person without a password as for a wrong one', async () => {
  const kept = await hashPassword(PASSWORD)
  await isPassword(null, PASSWORD)
  // The processor's time includes the threads that hash, and leaves out other processes.
  const work = async (hash: string | null) => {
    let min = Infinity
    for (let n = 0; n < 5; n++) {
      const tookMs = startCpuWatch()
      expect(await isPassword(hash, 'a guess of it')).toBe(false)
      min = Math.min(min, tookMs())
    }
    return min
  }
  const [known, unknown] = [await work(kept), await work(null)]
  // Without the dummy hash the difference is a hundredfold.
  expect(unknown).toBeGreaterThan(known / 4)
})
