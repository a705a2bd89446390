import { sql, type Transaction } from 'kysely'
import type { DB } from '../database/tables.ts'
import { searchForm } from '../rules/text/search-form.ts'
import type { ContactSource } from '../vocabulary/contacts.ts'
import { keepTags } from './keep-tags.sql.ts'
import { ARCHIVED_KEYS, type ContactRow } from './contact.ts'
import type { Alias } from './lock-customer.ts'

/** What meetings leave to be written. */
export type MetWrites = {
  contacts: {
    id: string
    companyId: string
    name: string | null
    phone: string | null
    whatsappId: string | null
    email?: string | null
    rawPhone?: string | null
    language: string | null
    tag: string | null
    source: ContactSource
    optedOutAt: Date | null
  }[]
  aliases: (Alias & {
    companyId: string
    contactId: string
    mergedFrom: string | null
    learntFrom: 'provider' | 'person'
  })[]
  conversations: {
    id: string
    companyId: string
    channelId: string
    channelType: string
    contactId: string
    mergedFrom: string | null
    filedUnder: string
    isAnnounced: boolean
  }[]
  /** What known contacts have learnt. */
  learnt: {
    id: string
    name: string | null
    phone: string | null
    whatsappId: string | null
    language: string | null
  }[]
  /** Known conversations that are told of only now. */
  announced: string[]
}

export type NewlyMet = Pick<MetWrites, 'contacts' | 'aliases' | 'conversations'>

/**
 * New contacts, ids and conversations, as the parts of a `with`: whoever writes more beside them does it
 * in the same statement.
 *
 * Isolation: the customers' ids are locked, so nothing here is written twice.
 */
export function insertMet({ contacts, aliases, conversations }: NewlyMet, now: Date) {
  return sql`
    new_contact as (
      insert into contact
        (id, company_id, name, search_name, phone, whatsapp_id, email, raw_phone, language, tags,
          source, opted_out_at, opt_out_word_at, created_at, updated_at)
      select id, company_id, name, search_name, phone, whatsapp_id, email, raw_phone, language,
        array_remove(array[tag], null), source, opted_out_at, opted_out_at, ${now}, ${now}
      from unnest(${contacts.map((row) => row.id)}::uuid[],
        ${contacts.map((row) => row.companyId)}::uuid[],
        ${contacts.map((row) => row.name)}::text[],
        ${contacts.map((row) => searchFormOf(row.name))}::text[],
        ${contacts.map((row) => row.phone)}::text[],
        ${contacts.map((row) => row.whatsappId)}::text[],
        ${contacts.map((row) => row.email ?? null)}::text[],
        ${contacts.map((row) => row.rawPhone ?? null)}::text[],
        ${contacts.map((row) => row.language)}::text[],
        ${contacts.map((row) => row.tag)}::text[],
        ${contacts.map((row) => row.source)}::text[],
        ${contacts.map((row) => row.optedOutAt)}::timestamptz[])
        as made (id, company_id, name, search_name, phone, whatsapp_id, email, raw_phone, language,
          tag, source, opted_out_at)
    ), ${keepTags(contacts.flatMap(({ companyId, tag }) => (tag === null ? [] : [{ companyId, tag }])))},
    new_alias as (
      insert into contact_alias (company_id, kind, value, contact_id, merged_from, learnt_from, created_at)
      select *, ${now}
      from unnest(${aliases.map((row) => row.companyId)}::uuid[],
        ${aliases.map((row) => row.kind)}::text[],
        ${aliases.map((row) => row.value)}::text[],
        ${aliases.map((row) => row.contactId)}::uuid[],
        ${aliases.map((row) => row.mergedFrom)}::uuid[],
        ${aliases.map((row) => row.learntFrom)}::text[]) as made
      on conflict do nothing
    ), new_conversation as (
      insert into conversation (id, company_id, channel_id, channel_type, contact_id, merged_from,
        filed_under, announced_at, created_at)
      select id, company_id, channel_id, channel_type, contact_id, merged_from, filed_under,
        case when is_announced then ${now}::timestamptz end, ${now}
      from unnest(${conversations.map((row) => row.id)}::text[],
        ${conversations.map((row) => row.companyId)}::uuid[],
        ${conversations.map((row) => row.channelId)}::uuid[],
        ${conversations.map((row) => row.channelType)}::text[],
        ${conversations.map((row) => row.contactId)}::uuid[],
        ${conversations.map((row) => row.mergedFrom)}::uuid[],
        ${conversations.map((row) => row.filedUnder)}::text[],
        ${conversations.map((row) => row.isAnnounced)}::boolean[])
        as made (id, company_id, channel_id, channel_type, contact_id, merged_from, filed_under,
          is_announced)
    )`
}

export type LearntContact = ContactRow & { archivedKeys: string[] }

const searchFormOf = (name: string | null) => (name === null ? null : searchForm(name))

/** Writes what meetings leave. Returns the contacts that have learnt something, as they now are. */
export async function writeMet(
  tx: Transaction<DB>,
  { learnt, announced, ...newly }: MetWrites,
  now: Date,
): Promise<LearntContact[]> {
  const { rows } = await sql<LearntContact>`
    with ${insertMet(newly, now)}, learnt as (
      update contact set
        name = coalesce(contact.name, told.name),
        search_name = case when contact.name is null then told.search_name else contact.search_name end,
        phone = coalesce(contact.phone, told.phone),
        language = coalesce(contact.language, told.language),
        whatsapp_id = coalesce(told.whatsapp_id, contact.whatsapp_id), updated_at = ${now}
      from unnest(${learnt.map((row) => row.id)}::uuid[], ${learnt.map((row) => row.name)}::text[],
        ${learnt.map((row) => searchFormOf(row.name))}::text[],
        ${learnt.map((row) => row.phone)}::text[], ${learnt.map((row) => row.whatsappId)}::text[],
        ${learnt.map((row) => row.language)}::text[])
        as told (id, name, search_name, phone, whatsapp_id, language)
      where contact.id = told.id
      returning contact.*, ${ARCHIVED_KEYS} as archived_keys
    ), announced as (
      update conversation set announced_at = ${now} where id = any(${announced}::text[])
    )
    select * from learnt order by id`.execute(tx)
  return rows
}
