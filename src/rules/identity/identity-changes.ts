/** The stored identities of customers, and the changes that follow from a provider's event. */
import type { Identifier, Proof } from './identifier.ts'

/** An identifier as it is stored, with its history. */
export type StoredIdentifier = Pick<Identifier, 'kind' | 'key' | 'value'> & {
  scope: string | null
  proof: Proof
  state: 'current' | 'former'
  firstAt: Date
  shownAt: Date | null
  changedAt: Date | null
}

/** An account at a provider, or a number without one, with its identifiers. */
export type StoredIdentity = {
  id: string
  contactId: string
  createdAt: Date
  /** True when another identity of the contact is an account that a provider has shown. */
  hasSibling: boolean
  /** The number of identities of the contact, including those that providers have shown to be the same customer. */
  ofContact: number
  identifiers: StoredIdentifier[]
}

/** A statement of a provider's event about the ids of one customer. */
export type IdentityFact = {
  /**
   * `message`: the customer wrote, or the business wrote from the provider's app. `answer`: the response to a send, or
   * a receipt. `mapping`: two ids are one account. `change`: an account's ids have changed.
   */
  type: 'message' | 'answer' | 'mapping' | 'change'
  /** The current ids of the account. */
  now: readonly Identifier[]
  /** The previous ids of the account, where they have changed. */
  before: readonly Identifier[]
  /** The scope in which its business-scoped ids are valid. */
  scope: string | null
  at: Date
}

/** The changes to stored identities that follow from a statement. */
export type IdentityChanges = {
  /** Pairs of identities that are the same customer; `into` survives. */
  joins: { into: string; from: string }[]
  /**
   * Joins that are shown but not made, because the result would be too large for one customer. Without `from` it is an
   * identity that would have too many numbers or ids.
   */
  tooMany: { into: string; from: string | null }[]
  /**
   * Identifiers that now belong to an identity, taken from their former one. A null `identityId` is a new identity of
   * the contact.
   */
  attached: {
    identityId: string | null
    contactId: string
    identifier: Identifier
    scope: string | null
    state: 'current' | 'former'
  }[]
  /** Identifiers that still find their identity but are not dialled any more. */
  former: Pick<Identifier, 'kind' | 'key'>[]
  /** Identifiers that no longer find an identity. */
  left: Pick<Identifier, 'kind' | 'key'>[]
  /**
   * The identifiers of `now` that lead to the customer of the fact or to no customer; they decide where a message is
   * filed.
   */
  theirs: Identifier[]
}
