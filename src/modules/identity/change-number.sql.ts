import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { insertIdentifiers } from '../messaging/write-resolved.sql.ts'
import { numberIdentifier, type Proof } from '../../rules/identity/identifier.ts'

/** A change of a contact's number, in E.164; null without a number. */
export type NumberChange = { contactId: string; before: string | null; phone: string | null }

/**
 * Records that a person gave contacts other numbers or removed them, in three statements. A new number belongs to the
 * identity whose number it replaces, or to the only one known by WhatsApp, else to a new identity. A replaced number
 * still finds the contact if a provider has shown it or a conversation is filed under it; one that was only typed does
 * not. `proof` is the source of the new numbers.
 *
 * Isolation: the caller has locked all numbers and checked that no other contact has the new ones.
 * Spec: Contacts › Phones.
 */
export async function changeNumbers(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  companyId: string,
  changes: readonly NumberChange[],
  proof: Proof,
): Promise<void> {
  if (changes.length === 0) return
  const known = await identitiesOfNumbers(tx, changes)
  const replaced = changes.filter(({ before }) => before !== null)
  if (replaced.length > 0) await replaceNumbers(tx, now, companyId, replaced)
  const given = changes.flatMap(({ contactId, phone }) => {
    if (phone === null) return []
    const identityId = known.get(contactId) ?? ids.uuid()
    return [{ contactId, identityId, ...numberIdentifier(phone.slice(1)) }]
  })
  if (given.length === 0) return
  const made = given.filter(({ contactId }) => !known.has(contactId))
  const identifiers = given.map(({ identityId, kind, key, value }) => {
    return { companyId, identityId, kind, key, value, scope: null, proof, shownAt: null }
  })
  await sql`
    with new_identity as (
      insert into identity (id, company_id, contact_id, created_at)
      select id, ${companyId}, contact_id, ${now}
      from unnest(${made.map(({ identityId }) => identityId)}::uuid[],
        ${made.map(({ contactId }) => contactId)}::uuid[]) as made (id, contact_id)
    ) ${insertIdentifiers(identifiers, now, CURRENT_AGAIN)}`.execute(tx)
}

/** The SQL conflict action for a former number of the contact: it becomes current again, as written now. */
const CURRENT_AGAIN = sql`do update set state = 'current', changed_at = null, value = excluded.value
  where identifier.state = 'former'`

async function replaceNumbers(
  tx: Transaction<DB>,
  now: Date,
  companyId: string,
  replaced: readonly NumberChange[],
): Promise<void> {
  await sql`
    update identifier set changed_at = case when proof = 'shown' then null else ${now}::timestamptz end,
      state = case when proof = 'shown'
        or exists (select from conversation where conversation.identity_id = identifier.identity_id
          and conversation.filed_under = identifier.value)
      then 'former' else 'left' end
    from identity, unnest(${replaced.map(({ contactId }) => contactId)}::uuid[],
      ${replaced.map(({ before }) => keyOf(before))}::text[]) as replaced (contact_id, key)
    where identity.id = identifier.identity_id and identity.contact_id = replaced.contact_id
      and identifier.company_id = ${companyId} and kind = 'number' and state = 'current'
      and identifier.key = replaced.key`.execute(tx)
}

const keyOf = (phone: string | null) =>
  phone === null ? null : numberIdentifier(phone.slice(1)).key

/**
 * Returns the identity that has the number to replace, by contact; without a number, the only identity that has a
 * WhatsApp id and no number.
 */
async function identitiesOfNumbers(
  tx: Transaction<DB>,
  changes: readonly NumberChange[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ contactId: string; id: string }>`
    select input.contact_id, found.id
    from unnest(${changes.map(({ contactId }) => contactId)}::uuid[],
        ${changes.map(({ before }) => keyOf(before))}::text[]) as input (contact_id, key)
      cross join lateral (
        select (array_agg(identity.id order by created_at))[1] as id, count(*) as candidates
        from identity
        where identity.contact_id = input.contact_id and case when input.key is null
          then exists (select from identifier where identity_id = identity.id
              and kind in ('user', 'parent', 'lid') and state <> 'left')
            and not exists (select from identifier where identity_id = identity.id
              and kind = 'number' and state = 'current')
          else exists (select from identifier where identity_id = identity.id
            and kind = 'number' and identifier.key = input.key and state <> 'left') end
      ) found
    where candidates = 1 or (input.key is not null and candidates > 0)`.execute(tx)
  return new Map(rows.map(({ contactId, id }) => [contactId, id]))
}
