import { CompiledQuery, sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Identifier, IdentifierKind } from '../../rules/identity/identifier.ts'

/** By what a customer is looked up, and where. */
export type AskedCustomer = {
  companyId: string
  channelId: string
  /** Within which the channel's business-scoped ids are ids; null where none is asked for. */
  scope?: string | null
  identifiers: readonly Identifier[]
}

export type KnownCustomer = {
  contactId: string | null
  /** The identity that the identifiers lead to: an account's own id before a number. */
  identityId: string | null
  contactName: string | null
  contactLanguage: string | null
  /** Of all contacts with one of the identifiers any has opted out; without a contact: one who was erased had. */
  isOptedOut: boolean
  /** Of identifiers that no contact has: since when an erased one who had it was opted out. */
  rememberedOptOutAt: Date | null
  /** Of the identifiers that are known already. */
  knownKinds: IdentifierKind[]
  /** Of those: what a person wrote or typed, and no provider has shown. */
  unshownKinds: IdentifierKind[]
  /** The identifiers lead to more than one identity. */
  isSplit: boolean
  /** Since when the number is not their number any more that still finds them. */
  formerSince: Date | null
  /** `kind scope` of what the identity has; empty where all identifiers are known. */
  held: string[]
  conversationId: string | null
  filedUnder: string | null
}

/**
 * The customers that are asked for as arrays, `$1` to `$9`; null for one who cannot be looked up, so that
 * a statement that asks for more finds its own beside them.
 */
export const ASKED_CUSTOMERS = `
  $1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[]`
export const ASKED_COLUMNS = `
  company_id, channel_id, scope, number, "user", parent, lid, account_kind, account`

const PLAIN_KINDS = ['number', 'user', 'parent', 'lid'] as const

export function askedValues(asked: readonly (AskedCustomer | null)[]): unknown[] {
  const ofKind = (kind: IdentifierKind) =>
    asked.map((one) => one?.identifiers.find((identifier) => identifier.kind === kind)?.key ?? null)
  const accounts = asked.map((one) => one?.identifiers.find(isAccount))
  return [
    asked.map((one) => one?.companyId ?? null),
    asked.map((one) => one?.channelId ?? null),
    asked.map((one) => one?.scope ?? null),
    ...PLAIN_KINDS.map(ofKind),
    accounts.map((account) => account?.kind ?? null),
    accounts.map((account) => account?.key ?? null),
  ]
}

function isAccount({ kind }: Identifier): boolean {
  return !(PLAIN_KINDS as readonly string[]).includes(kind)
}

export const KNOWN_CUSTOMER = `
  customer.id as "contactId", customer.identity_id as "identityId", customer.name as "contactName",
  customer.language as "contactLanguage",
  coalesce(customer.is_opted_out, remembered.word_at is not null) as "isOptedOut",
  remembered.word_at as "rememberedOptOutAt",
  coalesce(customer.kinds, '{}') as "knownKinds",
  coalesce(array_remove(customer.unshown_kinds, null), '{}') as "unshownKinds",
  coalesce(customer.is_split, false) as "isSplit", customer.former_since as "formerSince",
  coalesce(held.kinds, '{}') as "held",
  conversation.id as "conversationId", conversation.filed_under as "filedUnder"`

const CANDIDATE = `select identity_id, kind, proof, state, changed_at from identifier found
          where found.company_id = asked.company_id and found.state <> 'left'`

/** By the names that hashes were made under: see opt_out_hash. */
const HASHED = [
  ['number', 'asked.number'],
  ['business_scoped', 'asked."user"'],
  ['lid', 'asked.lid'],
  ['provider', 'asked.account'],
]

/**
 * The identity behind any of the identifiers, of several the one that an account's own id names; its contact; and its
 * conversation on the channel. Each look-up is lateral, so that it goes through an index however large the tables
 * grow. Of identifiers that are nobody's it is asked whether an erased contact with one of them was opted out.
 *
 * Spec: reading H12; Contacts › Merging; Contacts › Erasing.
 */
export const FIND_CUSTOMERS = `
  left join lateral (
    select contact.id, candidate.identity_id, contact.name, contact.language,
      bool_or(contact.opted_out_at is not null) over () as is_opted_out,
      array_agg(candidate.kind) over () as kinds,
      array_agg(case when candidate.proof <> 'shown' then candidate.kind end) over () as unshown_kinds,
      count(*) over () > 1
        and min(candidate.identity_id::text) over () <> max(candidate.identity_id::text) over () as is_split,
      max(case when candidate.kind = 'number' and candidate.state = 'former' then candidate.changed_at end)
        over () as former_since
    from (${PLAIN_KINDS.map(
      (kind) => `
        ${CANDIDATE} and found.kind = '${kind}' and found.key = asked."${kind}"`,
    ).join(`
        union all`)}
        union all
        ${CANDIDATE} and found.kind = asked.account_kind and found.key = asked.account
      ) candidate
      join identity on identity.id = candidate.identity_id
      join contact on contact.id = identity.contact_id
    order by candidate.kind <> 'number' desc, candidate.identity_id
    limit 1
  ) customer on asked.company_id is not null
  left join lateral (
    select array_agg(kind || ' ' || coalesce(scope, '')) as kinds from identifier
    where identifier.identity_id = customer.identity_id and identifier.state = 'current'
      and cardinality(customer.kinds)
        < num_nonnulls(asked.number, asked."user", asked.parent, asked.lid, asked.account)
  ) held on true
  left join lateral (
    select max(word_at) as word_at from opt_out_memory
    where customer.id is null and opt_out_memory.company_id = asked.company_id
      and id_hash = any(array[${HASHED.map(
        ([name, value]) => `
        opt_out_hash(asked.company_id, '${name}', ${value})`,
      ).join()}])
  ) remembered on true
  left join lateral (
    select id, filed_under from conversation by_identity
    where by_identity.identity_id = customer.identity_id and by_identity.channel_id = asked.channel_id
    order by created_at limit 1
  ) conversation on true`

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

/**
 * Isolation: in the order of the ids, so that two batches that share some only wait for each other. Nobody else changes or
 * deletes the contacts meanwhile; who writes a message or run of one of them does not wait.
 */
export function holdContacts(ids: readonly string[]) {
  return sql`select from contact where id = any(${ids}::uuid[]) order by id for no key update`
}
