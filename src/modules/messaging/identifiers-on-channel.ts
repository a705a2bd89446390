import { isDeepStrictEqual } from 'node:util'
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import type { Identifier } from '../../rules/identity/identifier.ts'
import { customerLockKey, lockNumbers } from './lock-customer.ts'

type Asked = { companyId: string; channelId: string; contactId: string }
type Found = { ok: true; identifiers: [Identifier] } | { ok: false; why: Fact }

/** A row of `addressOnChannel`, beside the columns of a statement. */
export type AddressRow = {
  addressKind: Identifier['kind'] | null
  addressKey: string | null
  addressValue: string | null
  addressFiledUnder: string | null
}

/** The columns of `addressOnChannel` under the name `address`. */
export const ADDRESS_COLUMNS = sql`address.kind as address_kind, address.key as address_key,
  address.value as address_value, address.filed_under as address_filed_under`

/**
 * In a statement that names `contact`: what it is to be written to by on a channel. That is an identifier of the
 * identity which has a conversation there, of several the one with the contact's number, then the contact's own before
 * one that came by a merge; else the contact's number.
 */
export function addressOnChannel(channelId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select * from (
    (select identifier.kind, identifier.key, identifier.value, talk.filed_under, 0 as preference
      from conversation talk join identity on identity.id = talk.identity_id
        join identifier on identifier.identity_id = talk.identity_id and identifier.state <> 'left'
      where talk.contact_id = contact.id and talk.channel_id = ${channelId}
      order by exists (select from identifier shown where shown.identity_id = talk.identity_id
          and shown.kind = 'number' and '+' || shown.value = contact.phone) desc,
        identity.came_from is not null, talk.created_at,
        identifier.value = talk.filed_under desc, identifier.state, identifier.kind
      limit 1)
    union all
    select 'number', number_key(substr(contact.phone, 2)), substr(contact.phone, 2),
      substr(contact.phone, 2), 1
    where contact.phone is not null
  ) known order by preference limit 1`
}

/** Returns the identifier of such a row; null where the contact cannot be written to. */
export function identifierOf(row: AddressRow): Identifier | null {
  const { addressKind: kind, addressKey: key, addressValue: value } = row
  if (kind === null || key === null || value === null) return null
  return { kind, key, value, filedUnder: row.addressFiledUnder ?? value }
}

/** Returns what a contact is to be written to by on a channel, or why it cannot be. */
export async function identifiersOnChannel(
  db: Kysely<DB>,
  { companyId, channelId, contactId }: Asked,
): Promise<Found> {
  const { rows } = await sql<AddressRow>`
    select ${ADDRESS_COLUMNS} from contact
      left join lateral (${addressOnChannel(sql`${channelId}::uuid`)}) address on true
    where contact.id = ${contactId} and contact.company_id = ${companyId}`.execute(db)
  const [row] = rows
  if (!row) return { ok: false, why: fact('unknown_contact') }
  const identifier = identifierOf(row)
  return identifier
    ? { ok: true, identifiers: [identifier] }
    : { ok: false, why: fact('start_contact_not_on_channel') }
}

/**
 * The same for whoever is about to write: locked. Whoever was waited for may have given the contact another
 * number, made it part of another one or erased it, so it is read again until what is locked is what it has.
 *
 * @param beside other locks, taken with it in one order, also where the contact cannot be written to.
 */
export async function lockIdentifiersOnChannel(
  tx: Transaction<DB>,
  asked: Asked,
  beside: readonly bigint[] = [],
): Promise<Found> {
  for (let seen = await identifiersOnChannel(tx, asked); ;) {
    const identifiers = seen.ok ? seen.identifiers : []
    const own = identifiers.map((identifier) => customerLockKey(asked.companyId, identifier))
    await lockNumbers(tx, [...beside, ...own])
    const found = await identifiersOnChannel(tx, asked)
    if (isDeepStrictEqual(found, seen)) return found
    seen = found
  }
}
