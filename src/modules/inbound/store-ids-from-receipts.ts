import { sql } from 'kysely'
import { loadChannelsOfEvents, scopeOf } from '../channels/load-channel.ts'
import type { Context } from '../../infra/context.ts'
import type { Database } from '../../infra/database/connect.ts'
import { createBatcher } from '../../infra/database/batcher.ts'
import { oneStatement, transaction } from '../../infra/database/transaction.ts'
import { customerLockKey } from '../messaging/lock-customer.ts'
import { settleIdentity } from '../identity/settle-identity.ts'
import { INBOUND_LIMITS } from '../../core/limits/messaging.ts'
import { identifiersOf, type Identifier } from '../../rules/identity/identifier.ts'
import { readProviderTime } from '../../rules/messaging/provider-time.ts'
import type { ChannelEvent } from './ingest-batch.ts'

type Deps = Pick<Context, 'db' | 'ids' | 'clock' | 'log'>
type Lookup = { companyId: string; scope: string; identifiers: readonly Identifier[] }

/**
 * Creates a function that stores the identifiers in a receipt: the recipient's number and ids are one account, also
 * when the response to the send had only the number. It never creates a contact, and raises no event: a new id of a
 * known number is shown from the customer's next message on. Identifiers that this process has stored recently cost no
 * query.
 *
 * Spec: Contacts › Who a customer is.
 */
export function createReceiptIdRecorder({ db, ids, clock, log }: Deps) {
  const known = new Set<string>()
  const lookups = createBatcher<Lookup, boolean>({
    maxSize: INBOUND_LIMITS.maxBatchSize,
    maxConcurrent: 1,
    bisectOnError: true,
    run: (batch) => storeUncontested(db, batch, clock.now()),
  })
  return async ({ channel, event }: ChannelEvent): Promise<void> => {
    if (event.kind !== 'receipt' || !event.customer) return
    const identifiers = identifiersOf(event.customer, channel)
    if (identifiers.length < 2) return
    const name = [channel.id, ...identifiers.map(({ kind, key }) => `${kind} ${key}`)].join('|')
    if (known.has(name)) return
    const scope = scopeOf(channel)
    if (await lookups.add({ companyId: channel.companyId, scope, identifiers })) {
      await transaction(db, async (tx) => {
        const now = clock.now()
        const found = (await loadChannelsOfEvents(tx, [channel]))(channel)
        if (!found) return
        const at = readProviderTime(event.at, now)
        const shown = { type: 'answer', now: identifiers, before: [], scope, at } as const
        await settleIdentity(tx, { ids, now, log }, found.company, shown)
      })
    }
    if (known.size >= INBOUND_LIMITS.knownRecipients) known.clear()
    known.add(name)
  }
}

/**
 * Stores additional identifiers of known numbers if they contradict nothing. Returns for each look-up whether
 * `settleIdentity` is needed: for identifiers of several identities, a new number, or a second identifier of a unique
 * kind.
 *
 * Isolation: one statement at read committed. It waits for no lock on an identifier, so the lock order does not
 * matter. Found identifiers are locked, so that a concurrent erasure or merge comes entirely before or after.
 */
async function storeUncontested(
  db: Pick<Database, 'kysely'>,
  batch: readonly Lookup[],
  now: Date,
): Promise<boolean[]> {
  const inputs = batch.flatMap(({ companyId, scope, identifiers }, index) =>
    identifiers.map(({ kind, key, value }) => {
      const lock = String(customerLockKey(companyId, { kind, key }))
      return { index, companyId, scope, kind, key, value, lock }
    }),
  )
  const { rows } = await oneStatement(db, (kysely) =>
    sql<{ index: number }>`
    with input as (
      select * from unnest(${inputs.map(({ index }) => index)}::int[],
        ${inputs.map(({ companyId }) => companyId)}::uuid[], ${inputs.map(({ scope }) => scope)}::text[],
        ${inputs.map(({ kind }) => kind)}::text[], ${inputs.map(({ key }) => key)}::text[],
        ${inputs.map(({ value }) => value)}::text[], ${inputs.map(({ lock }) => lock)}::bigint[])
        as input (index, company_id, scope, kind, key, value, lock)
    ), held as materialized (
      select input.index, input.kind, identity_id, proof, state
      from input join identifier on identifier.company_id = input.company_id
        and identifier.kind = input.kind and identifier.key = input.key and identifier.state <> 'left'
      order by identifier.kind, identifier.key for update of identifier
    ), looked_up as (
      select index, min(identity_id::text)::uuid as identity_id,
        count(distinct identity_id) = 1 and bool_or(kind = 'number')
          and not bool_or(state = 'former') as is_plain
      from held group by index
    ), missing as (
      select input.*, looked_up.identity_id, looked_up.is_plain
          and input.kind <> 'number' and not exists (select from identifier rival
            where rival.identity_id = looked_up.identity_id and rival.kind = input.kind
              and rival.state = 'current' and rival.scope is not distinct from input.scope)
          -- A customer being resolved by this id at the moment is settled afterwards.
          and pg_try_advisory_xact_lock(input.lock) as is_plain
      from looked_up join input using (index)
      where not exists (select from held where held.index = input.index and held.kind = input.kind)
    ), kept as (
      insert into identifier (company_id, identity_id, kind, key, value, scope, proof, shown_at, first_at)
      select company_id, identity_id, kind, key, value, scope, 'shown', ${now}, ${now} from missing
      where is_plain
      on conflict (company_id, kind, key) where state <> 'left' do nothing
    ), proved as (
      update identifier set proof = 'shown', shown_at = ${now}
      from looked_up
      where identifier.identity_id = looked_up.identity_id and looked_up.is_plain
        and identifier.kind = 'number' and identifier.state = 'current' and identifier.proof <> 'shown'
        and exists (select from held where held.index = looked_up.index and held.kind = 'number'
          and held.proof <> 'shown')
        and not exists (select from missing where missing.index = looked_up.index and not missing.is_plain)
    )
    select distinct index from looked_up left join missing using (index)
    where not coalesce(missing.is_plain, looked_up.is_plain)`.execute(kysely),
  )
  const contested = new Set(rows.map(({ index }) => index))
  return batch.map((_, index) => contested.has(index))
}
