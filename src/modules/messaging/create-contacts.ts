import { sql, type Transaction } from 'kysely'
import { arrayText } from '../../infra/database/array-text.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { raiseEvents, type EventToRaise } from '../events/raise-event.ts'
import { searchForm } from '../../rules/text/search-form.ts'
import type { ContactSource } from '../../core/vocabulary/contacts.ts'
import { numberIdentifier, proofOf } from '../../rules/identity/identifier.ts'
import { insertNewIdentifiers } from './write-resolved.sql.ts'
import { contactData, type ContactRow } from './contact.ts'
import { recordTags } from './record-tags.sql.ts'
import { optOutOfNumber } from './opt-out-of-number.sql.ts'

/** A contact to create, as a member or a file describes it. */
export type NewContact = {
  company: { id: string; name: string | null }
  name: string | null
  /** E.164. */
  phone: string | null
  rawPhone: string | null
  email: string | null
  language: string | null
  tags: readonly string[]
  fields: Readonly<Record<string, string>>
  source: ContactSource
}

/**
 * Creates contacts in two statements and raises `contact.created` for each. Their numbers identify them from then on,
 * and can be removed again. A contact with a number of an erased, opted-out contact is opted out. Returns their ids,
 * in the order given.
 *
 * Isolation: the caller has locked the numbers and checked that no contact has them.
 * Spec: Contacts › Making; Contacts › Erasing.
 */
export async function createContacts(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  contacts: readonly NewContact[],
): Promise<string[]> {
  const made = contacts.map((contact) => ({ ...contact, id: deps.ids.uuid() }))
  if (made.length === 0) return []
  const { identities, identifiers } = numbersOf(deps.ids, made)
  const { rows } = await sql<{ id: string; optedOutAt: Date | null }>`
    with new_contact as (
      insert into contact (id, company_id, name, search_name, phone, raw_phone, email, email_from,
        language, tags, fields, source, opted_out_at, opt_out_word_at, created_at, updated_at)
      select id, company_id, name, search_name, phone, raw_phone, email,
        case when email is not null then source end, language,
        tags::text[], fields::jsonb, source,
        word_at, word_at, ${deps.now}, ${deps.now}
      from unnest(${made.map(({ id }) => id)}::uuid[],
        ${made.map(({ company }) => company.id)}::uuid[],
        ${made.map(({ name }) => name)}::text[],
        ${made.map(({ name }) => (name === null ? null : searchForm(name)))}::text[],
        ${made.map(({ phone }) => phone)}::text[],
        ${made.map(({ rawPhone }) => rawPhone)}::text[],
        ${made.map(({ email }) => email)}::text[],
        ${made.map(({ language }) => language)}::text[],
        ${made.map(({ tags }) => arrayText(tags))}::text[],
        ${made.map(({ fields }) => JSON.stringify(fields))}::text[],
        ${made.map(({ source }) => source)}::text[])
        as given (id, company_id, name, search_name, phone, raw_phone, email, language, tags, fields,
          source)
        cross join lateral (
          -- A company without a salt has no remembered opt-outs, so its numbers need no hash.
          select case when exists (select from company
              where company.id = given.company_id and opt_out_salt is not null)
            then ${optOutOfNumber('given')} end as word_at offset 0
        ) remembered
      returning id, opted_out_at
    ), ${recordTags(made.flatMap(({ company, tags }) => tags.map((tag) => ({ companyId: company.id, tag }))))},
    new_identity as (
      insert into identity (id, company_id, contact_id, created_at)
      select *, ${deps.now} from unnest(${identities.map(({ id }) => id)}::uuid[],
        ${identities.map(({ companyId }) => companyId)}::uuid[],
        ${identities.map(({ contactId }) => contactId)}::uuid[]) as made
    ), new_identifier as (${insertNewIdentifiers(identifiers, deps.now)})
    select * from new_contact`.execute(tx)
  const optedOutAt = new Map(rows.map((row) => [row.id, row.optedOutAt]))
  await raiseEvents(
    tx,
    deps,
    made.map(({ company, ...contact }): EventToRaise => {
      const shown = {
        ...contact,
        tags: [...contact.tags],
        whatsappId: null,
        optedOutAt: optedOutAt.get(contact.id) ?? null,
      }
      const data = contactData(shown satisfies Partial<ContactRow>)
      return { type: 'contact.created', company, data, occurredAt: deps.now, contactId: contact.id }
    }),
  )
  return made.map(({ id }) => id)
}

/**
 * Returns the identity of each new contact with a number. The proof is weak, so it takes the number from no other
 * contact.
 */
function numbersOf(ids: Ids, made: readonly (NewContact & { id: string })[]) {
  const numbered = made.flatMap(({ id: contactId, company, phone, source }) => {
    if (phone === null) return []
    const { kind, key, value } = numberIdentifier(phone.slice(1))
    return [{ id: ids.uuid(), companyId: company.id, contactId, kind, key, value, source }]
  })
  return {
    identities: numbered,
    identifiers: numbered.map(({ id: identityId, companyId, kind, key, value, source }) => ({
      companyId,
      identityId,
      kind,
      key,
      value,
      scope: null,
      proof: proofOf(source, ''),
      shownAt: null,
    })),
  }
}
