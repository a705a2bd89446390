import { isDeepStrictEqual } from 'node:util'
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import type { Identifier } from '../../rules/identity/identifier.ts'
import { customerLockKey, takeAdvisoryLocks } from './lock-customer.ts'

type Request = { companyId: string; channelId: string; contactId: string }
type Found = { ok: true; identifier: Identifier } | { ok: false; why: Fact }

/** The columns of `addressOnChannel` in a row. */
export type AddressRow = {
  addressKind: Identifier['kind'] | null
  addressKey: string | null
  addressValue: string | null
  addressFiledUnder: string | null
}

/** The columns of `addressOnChannel`, joined under the name `address`, for `identifierOf`. */
export const ADDRESS_COLUMNS = sql`address.kind as address_kind, address.key as address_key,
  address.value as address_value, address.filed_under as address_filed_under`

/**
 * Returns the query for the identifier by which a contact is written to on a channel, for a statement that names
 * `contact`. Prefers the identity with a conversation there; of several, the one with the contact's number, then the
 * contact's own before merged ones. Falls back to the contact's number.
 */
export function addressOnChannel(channelId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select * from (
    (select identifier.kind, identifier.key, identifier.value, conversation.filed_under, 0 as preference
      from conversation join identity on identity.id = conversation.identity_id
        join identifier on identifier.identity_id = conversation.identity_id and identifier.state <> 'left'
      where conversation.contact_id = contact.id and conversation.channel_id = ${channelId}
      order by exists (select from identifier shown where shown.identity_id = conversation.identity_id
          and shown.kind = 'number' and '+' || shown.value = contact.phone) desc,
        identity.came_from is not null, conversation.created_at,
        identifier.value = conversation.filed_under desc, identifier.state, identifier.kind
      limit 1)
    union all
    select 'number', number_key(substr(contact.phone, 2)), substr(contact.phone, 2),
      substr(contact.phone, 2), 1
    where contact.phone is not null
  ) known order by preference limit 1`
}

/** Returns the identifier in a row of `addressOnChannel`, or null when the contact cannot be written to. */
export function identifierOf(row: AddressRow): Identifier | null {
  const { addressKind: kind, addressKey: key, addressValue: value } = row
  if (kind === null || key === null || value === null) return null
  return { kind, key, value, filedUnder: row.addressFiledUnder ?? value }
}

/** Returns the identifier by which a contact is written to on a channel, or why there is none. */
export async function identifierOnChannel(
  db: Kysely<DB>,
  { companyId, channelId, contactId }: Request,
): Promise<Found> {
  const { rows } = await sql<AddressRow>`
    select ${ADDRESS_COLUMNS} from contact
      left join lateral (${addressOnChannel(sql`${channelId}::uuid`)}) address on true
    where contact.id = ${contactId} and contact.company_id = ${companyId}`.execute(db)
  const [row] = rows
  if (!row) return { ok: false, why: fact('unknown_contact') }
  const identifier = identifierOf(row)
  return identifier
    ? { ok: true, identifier }
    : { ok: false, why: fact('start_contact_not_on_channel') }
}

/**
 * Takes the advisory lock of the customer whose identifier `identifierOnChannel` returns, and returns the same. A
 * concurrent transaction may have changed the number, merged the contact or erased it, so it is re-read until the
 * locked identifier is the current one.
 *
 * @param extraLocks additional locks for the same order, also when the contact cannot be written to.
 */
export async function lockIdentifierOnChannel(
  tx: Transaction<DB>,
  request: Request,
  extraLocks: readonly bigint[] = [],
): Promise<Found> {
  for (let seen = await identifierOnChannel(tx, request); ;) {
    const own = seen.ok ? [customerLockKey(request.companyId, seen.identifier)] : []
    await takeAdvisoryLocks(tx, [...extraLocks, ...own])
    const found = await identifierOnChannel(tx, request)
    if (isDeepStrictEqual(found, seen)) return found
    seen = found
  }
}
