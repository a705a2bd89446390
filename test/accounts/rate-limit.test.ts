import { expect, test } from 'vitest'
import { consumeRateLimit } from '../../src/modules/accounts/consume-rate-limit.sql.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { openWorld } from '../support/open-world.ts'
import { addAccount } from '../support/records/accounts.ts'

const MINUTE = Date.parse('2026-11-21T09:00:00.000Z')

const world = await openWorld()
const [one, other] = [await addAccount(world), await addAccount(world)]

const take = (
  atMs: number,
  accountId = one,
  what: 'tests_and_resends' | 'connection_tests' = 'tests_and_resends',
) => {
  const asked = { accountId, what, now: new Date(MINUTE + atMs) }
  return consumeRateLimit(world.service.context.db.kysely, asked)
}

test('an account uses its quota once in a clock minute, also with concurrent requests', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 25 }, () => take(59_999)))
  const refused = answers.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(15)
  const freeAt = new Date(MINUTE + MINUTE_MS).toISOString()
  expect(refused[0]).toMatchObject({
    reason: { reason: { params: { max: 10, freeAt } }, retryAfterMs: 1 },
  })
  // Another account, another kind and the next minute each have a separate quota.
  await take(59_999, other)
  await take(59_999, one, 'connection_tests')
  await take(60_000)
})
