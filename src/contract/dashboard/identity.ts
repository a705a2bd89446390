import type { IdentifierKind, Proof } from '../../rules/identity/identifier.ts'

/** What a contact is known by, and which contacts were merged into it. */
export type IdentitiesView = {
  /** Oldest first. */
  identities: IdentityView[]
  /** Newest first. */
  merges: MergeView[]
}

/** An account at a provider, or a number of which nothing else is known. */
export type IdentityView = {
  id: string
  since: string
  /** The contact that it came with by a merge. */
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
  /** A number with `+`; of a page, form or call what it is there. */
  value: string
  /** Who said that it is theirs; `shown`: the provider. */
  proof: Proof
  /** `former`: it still finds the contact. `left`: it is somebody else's, or nobody's. */
  state: 'current' | 'former' | 'left'
  since: string
  /** Since when it is former or left, where that is known. */
  changedAt: string | null
}

export type MergeView = {
  /** Its id leads to this contact, until it is taken out. */
  contactId: string
  /** As it was called. */
  name: string | null
  phone: string | null
  /** The member who merged them; null where the provider has shown that they are one. */
  by: { id: string; name: string | null } | null
  at: string
  /** Whether it can be a contact again: not once the customer was erased. */
  canBeTakenOut: boolean
}
