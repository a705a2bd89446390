import type { IdentifierKind, Proof } from '../../rules/identity/identifier.ts'

/** The identifiers of a contact, and the contacts that were merged into it. */
export type IdentitiesView = {
  /** Oldest first. */
  identities: IdentityView[]
  /** Newest first. */
  merges: MergeView[]
}

/** An account at a provider, or a number without any other identifier. */
export type IdentityView = {
  id: string
  since: string
  /** The contact from which a merge brought the identity. */
  cameFrom: string | null
  identifiers: IdentifierView[]
  conversations: {
    id: string
    channelType: string
    status: 'open' | 'resolved'
    lastMessageAt: string | null
  }[]
}

export type IdentifierView = {
  kind: IdentifierKind
  /** A number with `+`, or the identifier of a page, form or call. */
  value: string
  /** The source of the identifier; `shown` means the provider. */
  proof: Proof
  /** A `former` identifier still finds the contact. A `left` one belongs to another person, or to none. */
  state: 'current' | 'former' | 'left'
  since: string
  /** The time since which it is former or left, if known. */
  changedAt: string | null
}

export type MergeView = {
  /** The id leads to this contact until the merge is undone. */
  contactId: string
  /** The contact's name before the merge. */
  name: string | null
  phone: string | null
  /** The member who merged them; null where the provider has shown that they are one. */
  by: { id: string; name: string | null } | null
  at: string
  /** The merge can be undone, which ends when the customer is erased. */
  canBeTakenOut: boolean
}
