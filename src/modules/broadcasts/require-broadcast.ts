import type { Kysely, Selectable, Transaction } from 'kysely'
import type { Audience, BroadcastTemplate } from '../../contract/dashboard/broadcast.ts'
import type { Broadcast, DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { BroadcastState } from '../../core/vocabulary/broadcasts.ts'
import type { FrozenAudience } from './audience.sql.ts'

/** The ids of a broadcast and of the company whose it must be. */
export type OwnedBroadcast = { companyId: string; broadcastId: string }

/** A broadcast's row with its JSON columns parsed. */
export type BroadcastRow = Omit<
  Selectable<Broadcast>,
  'template' | 'audience' | 'filter' | 'state' | 'categories'
> & {
  template: BroadcastTemplate
  audience: Audience
  /** Null until preparing begins. */
  filter: FrozenAudience | null
  state: BroadcastState
  /** The categories by language; null for a draft. */
  categories: Readonly<Record<string, string>> | null
}

/** Returns a broadcast with its JSON columns parsed. */
export function parseBroadcastRow(row: Selectable<Broadcast>): BroadcastRow {
  return {
    ...row,
    template: JSON.parse(row.template) as BroadcastTemplate,
    audience: JSON.parse(row.audience) as Audience,
    filter: row.filter === null ? null : (JSON.parse(row.filter) as FrozenAudience),
    state: row.state as BroadcastState,
    categories:
      row.categories === null ? null : (JSON.parse(row.categories) as Record<string, string>),
  }
}

/** Loads a broadcast of a company. @throws not_found for one of another company, as for none at all. */
export async function requireBroadcast(
  db: Kysely<DB>,
  { companyId, broadcastId }: OwnedBroadcast,
): Promise<BroadcastRow> {
  const row = await db
    .selectFrom('broadcast')
    .selectAll()
    .where('id', '=', broadcastId)
    .where('companyId', '=', companyId)
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_broadcast')))
  return parseBroadcastRow(row)
}

/**
 * Locks and returns a broadcast that is in one of the given states. The lock mode allows other rows, such as messages,
 * to reference it meanwhile.
 * @throws not_found; conflict in another state.
 */
export async function lockBroadcast(
  tx: Transaction<DB>,
  { companyId, broadcastId }: OwnedBroadcast,
  states: readonly BroadcastState[],
): Promise<BroadcastRow> {
  const row = await tx
    .selectFrom('broadcast')
    .selectAll()
    .where('id', '=', broadcastId)
    .where('companyId', '=', companyId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_broadcast')))
  const read = parseBroadcastRow(row)
  if (!states.includes(read.state)) {
    throw new ServiceError('conflict', fact('broadcast_is', { state: read.state }))
  }
  return read
}
