import { expect, test } from 'vitest'
import { createIds } from '../../src/core/ids.ts'
import type { Database } from '../../src/infra/database/connect.ts'
import { acceptBatch } from '../../src/modules/hooks/accept-batch.ts'
import type { AdmittedRequest } from '../../src/modules/hooks/check-request.ts'
import { customerLockKey } from '../../src/modules/messaging/lock-customer.ts'
import { numberIdentifier } from '../../src/rules/identity/identifier.ts'

const now = new Date('2026-11-21T09:00:00.000Z')
const request = (idempotencyKey: string | null, phone: string) =>
  ({ hook: { flow: { id: 'f' }, company: { id: 'c' } }, idempotencyKey, phone }) as AdmittedRequest

/** Lets a database fail with this code at the first statement, and returns the statements that it got. */
async function statementsUntil(code: string | undefined, candidates: AdmittedRequest[] = []) {
  const statements: string[] = []
  const client = {
    query(text: string) {
      statements.push(text)
      throw Object.assign(new Error('failed'), { code })
    },
    release() {},
  }
  const db = { pool: { connect: () => Promise.resolve(client) }, afterCommit: {} }
  const { signal } = new AbortController()
  const deps = {
    db: db as unknown as Database,
    ids: createIds({ now: () => now }, () => {}),
    signal,
  }
  await expect(acceptBatch(deps, now, candidates, () => [])).rejects.toThrow('failed')
  return statements
}

test.each([
  ['a deadlock', '40P01', 6],
  ['a serialization failure', '40001', 6],
  ['a key that another transaction has inserted', '23505', 6],
  ['a lost connection', '08006', 1],
  ['an error without a code', undefined, 1],
])('a batch that fails by %s (%s) is tried %i times', async (_, code, times) => {
  expect(await statementsUntil(code)).toHaveLength(times)
})

const keysIn = (statement: string) =>
  /array\[([-\d,]*)\]/.exec(statement)![1]!.split(',').map(BigInt)

test('a batch locks a customer as every other writer does: by company and number', async () => {
  const [statement = ''] = await statementsUntil('08006', [request(null, '+966501112233')])
  expect(keysIn(statement)).toEqual([customerLockKey('c', numberIdentifier('966501112233'))])
})

test.each<[string, AdmittedRequest[], number]>([
  ['the key and the customer of a request', [request('k', '+966501112233')], 2],
  ['no key of a request without one', [request(null, '+966501112233')], 1],
  ['no customer of a request without a phone number', [request('k', '')], 1],
  ['each key once', [request('k', ''), request('k', '')], 1],
  ['every key', ['k', 'l', 'm', 'n'].map((key) => request(key, '')), 4],
])('a batch locks %s, in one order', async (_, candidates, count) => {
  const [statement = ''] = await statementsUntil('08006', candidates)
  const keys = keysIn(statement)
  expect(keys).toHaveLength(count)
  expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? -1 : 1)))
})
