import { numberIdentifier } from '../../rules/identity/identifier.ts'
import type pg from 'pg'
import type { HookResponse } from '../../contract/hook-response.ts'
import { withAfterCommit } from '../../infra/database/after-commit.ts'
import type { Database } from '../../infra/database/connect.ts'
import { createMissingPartition } from '../../infra/database/missing-partition.ts'
import type { Ids } from '../../core/ids.ts'
import { customerLockKey, advisoryLockKey } from '../messaging/lock-customer.ts'
import { contactsToLock, lockContactRows } from '../messaging/look-up-customers.sql.ts'
import { raiseEvents } from '../events/raise-event.ts'
import type { AdmittedRequest } from './check-request.ts'
import { planBatch } from './plan-batch.ts'
import { loadExisting, type KnownRow, type ExistingLookup } from './load-existing.sql.ts'
import { withConnection } from './with-connection.ts'
import { writeAccepted, type NewShape } from './write-accepted.sql.ts'

const RETRIES = 5

/** SQLSTATEs to retry: deadlock, serialization failure, and a key that another transaction has inserted meanwhile. */
const RETRYABLE = new Set(['40P01', '40001', '23505'])

/**
 * Makes checks 9 to 13 of the requests of a batch, and writes the accepted ones, in one transaction of five round trips:
 * lock, read, write, raise, commit. Returns the responses in the candidates' order, once committed.
 *
 * @param shapes returns the shapes to write for the given responses.
 * @param signal aborts everything until the commit has been sent.
 * @throws when the database is unavailable or the signal aborts: nothing was accepted.
 */
export async function acceptBatch(
  { db, ids, signal }: { db: Database; ids: Ids; signal: AbortSignal },
  now: Date,
  candidates: readonly AdmittedRequest[],
  shapes: (answers: readonly HookResponse[]) => NewShape[],
): Promise<HookResponse[]> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await withAfterCommit(db, (begun, committing) =>
        withConnection(db.pool, signal, async (client, keep) => {
          begun(client)
          await client.query(lockCandidates(candidates))
          const known = await loadAndLock(db.kysely, client, candidates, now)
          const { answers, writes, events } = planBatch({ ids, now }, candidates, known)
          await writeAccepted(db.kysely, client, { ...writes, shapes: shapes(answers) }, now)
          await raiseEvents(client, { ids, now }, events)
          keep()
          committing()
          await client.query('commit')
          return answers
        }),
      )
    } catch (error) {
      if (retry === RETRIES) throw error
      if (await createMissingPartition(db.kysely, error)) continue
      if (!RETRYABLE.has((error as { code?: string }).code ?? '')) {
        throw error
      }
    }
  }
}

/**
 * Returns the statement that begins the transaction and takes advisory locks on all keys and customers of the batch.
 * One order of locks makes batches that share some wait for each other instead of deadlocking. The lock numbers are
 * computed here, so the statement contains no untrusted text.
 */
export function lockCandidates(candidates: readonly AdmittedRequest[]): string {
  const keys = new Set<bigint>()
  for (const { hook, idempotencyKey, phone } of candidates) {
    if (idempotencyKey !== null) {
      keys.add(advisoryLockKey(`${hook.flow.id}|key|${idempotencyKey}`))
    }
    if (phone !== '') {
      keys.add(customerLockKey(hook.company.id, numberIdentifier(phone.slice(1))))
    }
  }
  const sorted = [...keys].toSorted((a, b) => (a < b ? -1 : 1))
  return `begin; select pg_advisory_xact_lock(key) from unnest(array[${sorted.join(',')}]::bigint[]) as key`
}

/** Loads what exists for a batch. Contacts that get a conversation are locked first, at two more round trips. */
async function loadAndLock(
  kysely: Database['kysely'],
  client: pg.PoolClient,
  candidates: readonly AdmittedRequest[],
  now: Date,
): Promise<KnownRow[]> {
  const lookups = candidates.map(lookupOf)
  const known = await loadExisting(client, lookups, now)
  const toLock = contactsToLock(known)
  if (toLock.length === 0) return known
  const { sql: text, parameters } = lockContactRows(toLock).compile(kysely)
  await client.query(text, [...parameters])
  return loadExisting(client, lookups, now)
}

/** Returns the look-up of what exists for a candidate. */
export function lookupOf({
  hook,
  idempotencyKey,
  phone,
  refusal,
}: AdmittedRequest): ExistingLookup {
  const number = numberIdentifier(phone.slice(1))
  return {
    flowId: hook.flow.id,
    key: idempotencyKey,
    accountId: hook.accountId,
    customer:
      refusal || !hook.channel
        ? null
        : { companyId: hook.company.id, channelId: hook.channel.id, identifiers: [number] },
  }
}
