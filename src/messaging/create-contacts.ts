import { sql, type Transaction } from 'kysely'
import type { DB } from '../database/tables.ts'
import type { Ids } from '../ids.ts'
import { raiseEvents, type EventToRaise } from '../events/raise-event.ts'
import { searchForm } from '../rules/text/search-form.ts'
import type { ContactSource } from '../vocabulary/contacts.ts'
import { contactData, type ContactRow } from './contact.ts'
import { keepTags } from './keep-tags.sql.ts'

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
 * Makes contacts of what members and their files tell, in two statements, and raises `contact.created`
 * for each. Their numbers find them from now on, and can be taken back; who
 * has one of an erased contact who was opted out is opted out. Returns their ids, in the order given.
 *
 * Isolation: the numbers are locked by the caller, who has seen that nobody has them.
 * Spec: Contacts › Making; Contacts › Erasing.
 */
export async function createContacts(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  contacts: readonly NewContact[],
): Promise<string[]> {
  const made = contacts.map((contact) => ({ ...contact, id: deps.ids.uuid() }))
  if (made.length === 0) return []
  const numbered = made.filter(({ phone }) => phone !== null)
  const { rows } = await sql<{ id: string; optedOutAt: Date | null }>`
    with new_contact as (
      insert into contact (id, company_id, name, search_name, phone, raw_phone, email, language, tags,
        fields, source, opted_out_at, opt_out_word_at, created_at, updated_at)
      select id, company_id, name, search_name, phone, raw_phone, email, language,
        array(select jsonb_array_elements_text(tags::jsonb)), fields::jsonb, source,
        remembered.word_at, remembered.word_at, ${deps.now}, ${deps.now}
      from unnest(${made.map(({ id }) => id)}::uuid[],
        ${made.map(({ company }) => company.id)}::uuid[],
        ${made.map(({ name }) => name)}::text[],
        ${made.map(({ name }) => (name === null ? null : searchForm(name)))}::text[],
        ${made.map(({ phone }) => phone)}::text[],
        ${made.map(({ rawPhone }) => rawPhone)}::text[],
        ${made.map(({ email }) => email)}::text[],
        ${made.map(({ language }) => language)}::text[],
        ${made.map(({ tags }) => JSON.stringify(tags))}::text[],
        ${made.map(({ fields }) => JSON.stringify(fields))}::text[],
        ${made.map(({ source }) => source)}::text[])
        as told (id, company_id, name, search_name, phone, raw_phone, email, language, tags, fields,
          source)
        left join lateral (select word_at from opt_out_memory
          where opt_out_memory.company_id = told.company_id
            and id_hash = opt_out_hash(told.company_id, 'number', substr(told.phone, 2))
        ) remembered on true
      returning id, opted_out_at
    ), ${keepTags(made.flatMap(({ company, tags }) => tags.map((tag) => ({ companyId: company.id, tag }))))},
    new_alias as (insert into contact_alias (company_id, kind, value, contact_id, learnt_from, created_at)
    select company_id, 'number', substr(phone, 2), id, 'person', ${deps.now}
    from unnest(${numbered.map(({ id }) => id)}::uuid[],
      ${numbered.map(({ company }) => company.id)}::uuid[],
      ${numbered.map(({ phone }) => phone)}::text[]) as told (id, company_id, phone)
    on conflict do nothing)
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
