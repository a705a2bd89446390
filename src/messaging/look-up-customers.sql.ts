import { CompiledQuery, sql, type Transaction } from 'kysely'
import type { DB } from '../database/tables.ts'
import type { Alias } from './lock-customer.ts'

/** By what a customer is looked up, and where. */
export type AskedCustomer = {
  companyId: string
  channelId: string
  /** The one that a conversation would be filed under first. */
  aliases: readonly Alias[]
}

export type KnownCustomer = {
  contactId: string | null
  /** The contact that the id was of before a merge; null: of no other. */
  mergedFrom: string | null
  contactName: string | null
  contactLanguage: string | null
  /** Of all contacts with one of the ids any has opted out; without a contact: one who was erased had. */
  isOptedOut: boolean
  /** Of an id that no contact has: since when an erased one who had it was opted out. */
  rememberedOptOutAt: Date | null
  /** Of the ids that are some contact's already; null among them stands for a phone. */
  knownKinds: (string | null)[]
  conversationId: string | null
  filedUnder: string | null
}

/**
 * The customers that are asked for as arrays, `$1` to `$7`; null for one who cannot be looked up, so that
 * a statement that asks for more finds its own beside them.
 */
export const ASKED_CUSTOMERS = `
  $1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]`
export const ASKED_COLUMNS = `
  company_id, channel_id, filed_under, number, business_scoped, lid, provider`

export function askedValues(asked: readonly (AskedCustomer | null)[]): unknown[] {
  const ofKind = (kind: Alias['kind']) =>
    asked.map((one) => one?.aliases.find((alias) => alias.kind === kind)?.value ?? null)
  return [
    asked.map((one) => one?.companyId ?? null),
    asked.map((one) => one?.channelId ?? null),
    asked.map((one) => one?.aliases[0]?.value ?? null),
    ofKind('number'),
    ofKind('business_scoped'),
    ofKind('lid'),
    ofKind('provider'),
  ]
}

export const KNOWN_CUSTOMER = `
  customer.id as "contactId", customer.merged_from as "mergedFrom", customer.name as "contactName",
  customer.language as "contactLanguage",
  coalesce(customer.is_opted_out, remembered.word_at is not null) as "isOptedOut",
  remembered.word_at as "rememberedOptOutAt",
  coalesce(customer.kinds, '{}') as "knownKinds",
  conversation.id as "conversationId", conversation.filed_under as "filedUnder"`

const KINDS = ['number', 'business_scoped', 'lid', 'provider'] as const

const BY_ALIAS = (kind: Alias['kind']) => `
        select contact_id as id, kind, merged_from from contact_alias alias
        where alias.company_id = asked.company_id and alias.kind = '${kind}'
          and alias.value = asked.${kind}`

/**
 * The contact behind any of the ids, of several the one that a provider's own id names, then the one
 * with the conversation here, then the newest; and their conversation on the channel: the one that is
 * filed under the id, else the oldest of the contact's; of a contact that others became part of, of the one whose id it
 * was: conversations stay apart. Each look-up is lateral, so that it goes through
 * an index however large the tables grow. Of ids that are nobody's it is asked whether an erased contact
 * with one of them was opted out.
 *
 * Spec: reading H12; Contacts › Merging; Contacts › Erasing.
 */
export const FIND_CUSTOMERS = `
  left join lateral (
    select contact.id, candidate.merged_from, contact.name, contact.language,
      bool_or(contact.opted_out_at is not null) over () as is_opted_out,
      array_agg(candidate.kind) over () as kinds
    from (${KINDS.map(BY_ALIAS).join(`
        union all`)}
        union all
        select id, null, null::uuid from contact by_phone
        where by_phone.company_id = asked.company_id and by_phone.phone = '+' || asked.number
      ) candidate join contact on contact.id = candidate.id
    order by coalesce(candidate.kind <> 'number', false) desc,
      (select max(case when here.filed_under = asked.filed_under then 2 else 1 end)
        from conversation here
        where here.contact_id = contact.id and here.channel_id = asked.channel_id
      ) desc nulls last,
      contact.id desc, candidate.kind nulls last
    limit 1
  ) customer on asked.filed_under is not null
  left join lateral (
    select max(word_at) as word_at from opt_out_memory
    where customer.id is null and opt_out_memory.company_id = asked.company_id
      and id_hash = any(array[${KINDS.map(
        (kind) => `
        opt_out_hash(asked.company_id, '${kind}', asked.${kind})`,
      ).join()}])
  ) remembered on true
  left join lateral (
    select found.id, found.filed_under from (
      select id, filed_under, 0 as preference, created_at from conversation by_id
        where by_id.channel_id = asked.channel_id and by_id.filed_under = asked.filed_under
      union all
      select id, filed_under, 1, created_at from conversation by_contact
        where by_contact.contact_id = customer.id and by_contact.channel_id = asked.channel_id
          and by_contact.merged_from is not distinct from customer.merged_from
    ) found order by preference, created_at limit 1
  ) conversation on asked.filed_under is not null`

const LOOK_UP = `
  select ${KNOWN_CUSTOMER}
  from unnest(${ASKED_CUSTOMERS}) with ordinality as asked (${ASKED_COLUMNS}, place)
  ${FIND_CUSTOMERS}
  order by asked.place`

/**
 * What is known of customers, in their order.
 *
 * Isolation: read committed, after the locks of their ids were taken by a statement before: what was
 * written by whoever held them is seen.
 */
export async function lookUpCustomers(
  tx: Transaction<DB>,
  asked: readonly AskedCustomer[],
): Promise<KnownCustomer[]> {
  const query = CompiledQuery.raw(LOOK_UP, askedValues(asked))
  return (await tx.executeQuery<KnownCustomer>(query)).rows
}

/**
 * Contacts that are known and have no conversation on the channel. Requests that know a customer by
 * different ids hold different locks, so before one is made for them the contact's row is held and all is
 * looked up again.
 */
export function contactsToHold(known: readonly KnownCustomer[]): string[] {
  const ids = known.flatMap(({ contactId, conversationId }) =>
    contactId !== null && conversationId === null ? [contactId] : [],
  )
  return [...new Set(ids)].toSorted()
}

/** Isolation: in the order of the ids, so that two batches that share some only wait for each other. */
export function holdContacts(ids: readonly string[]) {
  return sql`select from contact where id = any(${ids}::uuid[]) order by id for update`
}
