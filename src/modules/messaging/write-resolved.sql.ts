import { sql, type RawBuilder, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { searchForm } from '../../rules/text/search-form.ts'
import type { ContactSource } from '../../core/vocabulary/contacts.ts'
import { recordTags } from './record-tags.sql.ts'
import { ARCHIVED_KEYS, type ContactRow } from './contact.ts'
import type { Identifier, Proof } from '../../rules/identity/identifier.ts'

/** The rows to write for resolved customers. */
export type ResolutionWrites = {
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
  identities: { id: string; companyId: string; contactId: string }[]
  identifiers: NewIdentifier[]
  conversations: {
    id: string
    companyId: string
    channelId: string
    channelType: string
    contactId: string
    identityId: string
    filedUnder: string
    isAnnounced: boolean
  }[]
  /** Known contacts with updated values. */
  learnt: {
    id: string
    name: string | null
    phone: string | null
    whatsappId: string | null
    language: string | null
  }[]
  /** Identifiers that a person typed and a provider now shows. */
  shown: Pick<NewIdentifier, 'companyId' | 'kind' | 'key'>[]
  /** Known conversations whose start is announced only now. */
  announced: string[]
}

/** An identifier to insert. */
export type NewIdentifier = Pick<Identifier, 'kind' | 'key' | 'value'> & {
  companyId: string
  identityId: string
  scope: string | null
  proof: Proof
  /** The time at which the provider showed it; null without a provider. */
  shownAt: Date | null
}

/** The new rows of resolved customers. */
export type NewlyResolved = Pick<
  ResolutionWrites,
  'contacts' | 'identities' | 'identifiers' | 'conversations'
>

/**
 * Returns CTEs that insert new contacts, identities and conversations, so that a caller can insert more in the same
 * statement.
 *
 * Isolation: the customers' ids are locked, so nothing is inserted twice.
 */
export function insertResolved(
  { contacts, identities, identifiers, conversations }: NewlyResolved,
  now: Date,
) {
  return sql`
    new_contact as (
      insert into contact
        (id, company_id, name, search_name, phone, whatsapp_id, email, email_from, raw_phone,
          language, tags, source, opted_out_at, opt_out_word_at, created_at, updated_at)
      select id, company_id, name, search_name, phone, whatsapp_id, email,
        case when email is not null then source end, raw_phone, language,
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
    ), ${recordTags(contacts.flatMap(({ companyId, tag }) => (tag === null ? [] : [{ companyId, tag }])))},
    new_identity as (
      insert into identity (id, company_id, contact_id, created_at)
      select *, ${now} from unnest(${identities.map((row) => row.id)}::uuid[],
        ${identities.map((row) => row.companyId)}::uuid[],
        ${identities.map((row) => row.contactId)}::uuid[]) as made
    ), new_identifier as (
      ${insertNewIdentifiers(identifiers, now)}
    ), new_conversation as (
      insert into conversation (id, company_id, channel_id, channel_type, contact_id, identity_id,
        filed_under, announced_at, created_at)
      select id, company_id, channel_id, channel_type, contact_id, identity_id, filed_under,
        case when is_announced then ${now}::timestamptz end, ${now}
      from unnest(${conversations.map((row) => row.id)}::text[],
        ${conversations.map((row) => row.companyId)}::uuid[],
        ${conversations.map((row) => row.channelId)}::uuid[],
        ${conversations.map((row) => row.channelType)}::text[],
        ${conversations.map((row) => row.contactId)}::uuid[],
        ${conversations.map((row) => row.identityId)}::uuid[],
        ${conversations.map((row) => row.filedUnder)}::text[],
        ${conversations.map((row) => row.isAnnounced)}::boolean[])
        as made (id, company_id, channel_id, channel_type, contact_id, identity_id, filed_under,
          is_announced)
    )`
}

/**
 * Returns the statement that inserts new identifiers, under the locks of their customers. A conflict with an existing
 * one fails the transaction, whose retry then finds the customer.
 */
export function insertNewIdentifiers(identifiers: readonly NewIdentifier[], now: Date) {
  return sql`
      insert into identifier
        (company_id, identity_id, kind, key, value, scope, proof, shown_at, first_at)
      select *, ${now} from unnest(${identifiers.map((row) => row.companyId)}::uuid[],
        ${identifiers.map((row) => row.identityId)}::uuid[],
        ${identifiers.map((row) => row.kind)}::text[],
        ${identifiers.map((row) => row.key)}::text[],
        ${identifiers.map((row) => row.value)}::text[],
        ${identifiers.map((row) => row.scope)}::text[],
        ${identifiers.map((row) => row.proof)}::text[],
        ${identifiers.map((row) => row.shownAt)}::timestamptz[]) as made`
}

/**
 * Returns the statement that inserts additional identifiers of identities. An existing one keeps its identity;
 * `onKnown` decides what else happens.
 */
export function insertIdentifiers(
  identifiers: readonly NewIdentifier[],
  now: Date,
  onKnown: RawBuilder<unknown> = sql`do nothing`,
) {
  return sql`${insertNewIdentifiers(identifiers, now)}
      on conflict (company_id, kind, key) where state <> 'left' ${onKnown}`
}

/** An updated contact with the keys of its archived fields. */
export type UpdatedContact = ContactRow & { archivedKeys: string[] }

const searchFormOf = (name: string | null) => (name === null ? null : searchForm(name))

/**
 * Inserts the contacts, identities and conversations of resolved customers, and updates known contacts. Returns the
 * updated contacts in their new state.
 */
export async function writeResolved(
  tx: Transaction<DB>,
  { learnt, announced, shown, ...newly }: ResolutionWrites,
  now: Date,
): Promise<UpdatedContact[]> {
  const { rows } = await sql<UpdatedContact>`
    with ${insertResolved(newly, now)}, learnt as (
      update contact set
        name = coalesce(contact.name, given.name),
        search_name = case when contact.name is null then given.search_name else contact.search_name end,
        phone = coalesce(contact.phone, given.phone),
        language = coalesce(contact.language, given.language),
        whatsapp_id = coalesce(given.whatsapp_id, contact.whatsapp_id), updated_at = ${now}
      from unnest(${learnt.map((row) => row.id)}::uuid[], ${learnt.map((row) => row.name)}::text[],
        ${learnt.map((row) => searchFormOf(row.name))}::text[],
        ${learnt.map((row) => row.phone)}::text[], ${learnt.map((row) => row.whatsappId)}::text[],
        ${learnt.map((row) => row.language)}::text[])
        as given (id, name, search_name, phone, whatsapp_id, language)
      where contact.id = given.id
      returning contact.*, ${ARCHIVED_KEYS} as archived_keys
    ), shown as (
      update identifier set proof = 'shown', shown_at = ${now}
      from unnest(${shown.map((row) => row.companyId)}::uuid[],
        ${shown.map((row) => row.kind)}::text[], ${shown.map((row) => row.key)}::text[])
        as given (company_id, kind, key)
      where identifier.company_id = given.company_id and identifier.kind = given.kind
        and identifier.key = given.key and identifier.state <> 'left'
    ), announced as (
      update conversation set announced_at = ${now} where id = any(${announced}::text[])
    )
    select * from learnt order by id`.execute(tx)
  return rows
}
