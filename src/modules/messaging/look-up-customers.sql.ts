import { CompiledQuery, sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Identifier, IdentifierKind } from '../../rules/identity/identifier.ts'

/** A customer to look up: the identifiers, and the channel of the conversation. */
export type CustomerLookup = {
  companyId: string
  channelId: string
  /** The scope in which the channel's business-scoped ids are unique; null when none is requested. */
  scope?: string | null
  identifiers: readonly Identifier[]
}

/** The stored state of a customer. */
export type KnownCustomer = {
  contactId: string | null
  /** The identity that the identifiers lead to; an account id takes precedence over a number. */
  identityId: string | null
  contactName: string | null
  contactLanguage: string | null
  /**
   * States whether any contact with one of the identifiers has opted out; without a contact, whether an erased one
   * had.
   */
  isOptedOut: boolean
  /** The time of an erased contact's opt-out, for identifiers without a contact. */
  rememberedOptOutAt: Date | null
  /** Kinds of the given identifiers that are known already. */
  knownKinds: IdentifierKind[]
  /** Known kinds that a person typed and no provider has shown. */
  unshownKinds: IdentifierKind[]
  /** States whether the identifiers lead to more than one identity. */
  isSplit: boolean
  /** The time since when the number that leads to the identity is no longer the customer's; null while it is. */
  formerSince: Date | null
  /** `kind scope` of the identity's current identifiers; empty when all given identifiers are known. */
  held: string[]
  conversationId: string | null
  filedUnder: string | null
}

/**
 * The parameters `$1` to `$9`: arrays with one entry per customer, null for one who cannot be looked up. A statement
 * with additional parameters numbers them from `$10`.
 */
export const LOOKUP_PARAMETERS = `
  $1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[]`
/** The columns of `LOOKUP_PARAMETERS` in their order. */
export const LOOKUP_COLUMNS = `
  company_id, channel_id, scope, number, "user", parent, lid, account_kind, account`

const PLAIN_KINDS = ['number', 'user', 'parent', 'lid'] as const

/** Returns the values of the statement's parameters, in the order of `LOOKUP_PARAMETERS`. */
export function lookupValues(lookups: readonly (CustomerLookup | null)[]): unknown[] {
  const ofKind = (kind: IdentifierKind) =>
    lookups.map(
      (lookup) => lookup?.identifiers.find((identifier) => identifier.kind === kind)?.key ?? null,
    )
  const accounts = lookups.map((lookup) => lookup?.identifiers.find(isAccount))
  return [
    lookups.map((lookup) => lookup?.companyId ?? null),
    lookups.map((lookup) => lookup?.channelId ?? null),
    lookups.map((lookup) => lookup?.scope ?? null),
    ...PLAIN_KINDS.map(ofKind),
    accounts.map((account) => account?.kind ?? null),
    accounts.map((account) => account?.key ?? null),
  ]
}

function isAccount({ kind }: Identifier): boolean {
  return !(PLAIN_KINDS as readonly string[]).includes(kind)
}

/** The columns of `KnownCustomer`, for a statement with `FIND_CUSTOMERS`. */
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
          where found.company_id = input.company_id and found.state <> 'left'`

/** The names under which `opt_out_hash` hashes identifiers. */
const HASHED = [
  ['number', 'input.number'],
  ['business_scoped', 'input."user"'],
  ['lid', 'input.lid'],
  ['provider', 'input.account'],
]

/**
 * Joins that find the identity of any identifier, its contact and its conversation on the channel; an account id
 * takes precedence. Each look-up is lateral, so that it uses an index however large the tables grow. For unknown
 * identifiers, a join finds the opt-out of an erased contact.
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
        ${CANDIDATE} and found.kind = '${kind}' and found.key = input."${kind}"`,
    ).join(`
        union all`)}
        union all
        ${CANDIDATE} and found.kind = input.account_kind and found.key = input.account
      ) candidate
      join identity on identity.id = candidate.identity_id
      join contact on contact.id = identity.contact_id
    order by candidate.kind <> 'number' desc, candidate.identity_id
    limit 1
  ) customer on input.company_id is not null
  left join lateral (
    select array_agg(kind || ' ' || coalesce(scope, '')) as kinds from identifier
    where identifier.identity_id = customer.identity_id and identifier.state = 'current'
      and cardinality(customer.kinds)
        < num_nonnulls(input.number, input."user", input.parent, input.lid, input.account)
  ) held on true
  left join lateral (
    select max(word_at) as word_at from opt_out_memory
    where customer.id is null and opt_out_memory.company_id = input.company_id
      and id_hash = any(array[${HASHED.map(
        ([name, value]) => `
        opt_out_hash(input.company_id, '${name}', ${value})`,
      ).join()}])
  ) remembered on true
  left join lateral (
    select id, filed_under from conversation by_identity
    where by_identity.identity_id = customer.identity_id and by_identity.channel_id = input.channel_id
    order by created_at limit 1
  ) conversation on true`

const LOOK_UP = `
  select ${KNOWN_CUSTOMER}
  from unnest(${LOOKUP_PARAMETERS}) with ordinality as input (${LOOKUP_COLUMNS}, place)
  ${FIND_CUSTOMERS}
  order by input.place`

/**
 * Loads the stored state of customers, in the order given.
 *
 * Isolation: read committed, after an earlier statement has locked the identifiers, so that it sees what previous
 * holders wrote.
 */
export async function lookUpCustomers(
  tx: Transaction<DB>,
  lookups: readonly CustomerLookup[],
): Promise<KnownCustomer[]> {
  const query = CompiledQuery.raw(LOOK_UP, lookupValues(lookups))
  return (await tx.executeQuery<KnownCustomer>(query)).rows
}

/**
 * Returns the known contacts without a conversation on the channel. Requests that know a customer by different
 * identifiers hold different locks, so the contact's row is locked and read again before a conversation is created.
 */
export function contactsToLock(known: readonly KnownCustomer[]): string[] {
  const ids = known.flatMap(({ contactId, conversationId }) =>
    contactId !== null && conversationId === null ? [contactId] : [],
  )
  return [...new Set(ids)].toSorted()
}

/**
 * Returns the SQL statement that locks the rows of contacts.
 *
 * Isolation: in id order, so that two batches that share some do not deadlock. No other transaction changes or
 * deletes the contacts; those that write messages or runs do not wait.
 */
export function lockContactRows(ids: readonly string[]) {
  return sql`select from contact where id = any(${ids}::uuid[]) order by id for no key update`
}
