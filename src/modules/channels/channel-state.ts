/**
 * Encrypted key-value state of a channel that its adapter keeps between polls. Only the holder of the poll's claim
 * writes; a stale one changes nothing.
 */
import { sql, type Kysely, type Transaction } from 'kysely'
import { transaction } from '../../infra/database/transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { KeyRing } from '../../infra/secrets/key-ring.ts'
import type { ClaimedPoll } from './poll-queue.sql.ts'

type Row = { id: string; name: string; value: string }

const encryptionContextOf = (rowId: string, companyId: string) => ({
  table: 'channel_state',
  column: 'value',
  rowId,
  companyId,
})

/**
 * Loads the encrypted values that a channel's adapter has stored under these names.
 * @throws SecretUnreadable
 */
export async function readChannelState(
  db: Kysely<DB>,
  keyRing: KeyRing,
  { channelId, companyId }: Pick<ClaimedPoll, 'channelId' | 'companyId'>,
  names: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<Row>`
    select id, name, value from channel_state
    where channel_id = ${channelId} and name = any(${names}::text[])`.execute(db)
  return new Map(
    rows.map(({ id, name, value }) => [
      name,
      keyRing.decrypt(value, encryptionContextOf(id, companyId)),
    ]),
  )
}

/**
 * Stores values of a channel's adapter encrypted, all or none; null deletes one. Returns false when the claim is lost.
 */
export async function writeChannelState(
  { db, ids }: Pick<Context, 'db' | 'ids'>,
  keyRing: KeyRing,
  { channelId, companyId, claimId }: ClaimedPoll,
  values: Readonly<Record<string, string | null>>,
): Promise<boolean> {
  const names = Object.keys(values)
  if (names.length === 0) return true
  return transaction(db, async (tx) => {
    const { rows: held } = await sql`
      select 1 from channel_poll where channel_id = ${channelId} and claim_id = ${claimId}
      for no key update`.execute(tx)
    if (held.length === 0) return false
    await sql`
      delete from channel_state
      where channel_id = ${channelId} and name = any(${names}::text[])`.execute(tx)
    const toStore = names.flatMap((name) => {
      const value = values[name]
      if (value == null) return []
      const id = ids.uuid()
      return [{ id, name, value: keyRing.encrypt(value, encryptionContextOf(id, companyId)) }]
    })
    await sql`
      insert into channel_state (id, company_id, channel_id, name, value)
      select id, ${companyId}, ${channelId}, name, value
      from unnest(${toStore.map(({ id }) => id)}::uuid[], ${toStore.map(({ name }) => name)}::text[],
        ${toStore.map(({ value }) => value)}::text[]) as given (id, name, value)`.execute(tx)
    return true
  })
}

/** Deletes the values that a channel's adapter has stored under these names. */
export async function deleteStateValues(
  tx: Transaction<DB>,
  channelId: string,
  names: readonly string[],
): Promise<void> {
  await sql`delete from channel_state
    where channel_id = ${channelId} and name = any(${names}::text[])`.execute(tx)
}

/** Deletes a channel's state except for some names, and revokes the claim of its poll. */
export async function deleteChannelState(
  tx: Transaction<DB>,
  channelId: string,
  butFor: readonly string[],
): Promise<void> {
  await sql`update channel_poll set claim_id = null, lease_expires_at = null
    where channel_id = ${channelId}`.execute(tx)
  await sql`delete from channel_state
    where channel_id = ${channelId} and name <> all(${butFor}::text[])`.execute(tx)
}
