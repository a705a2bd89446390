/** Reads the identifiers of a customer from a provider's data; their keys are compared. Pure. */
import type { ContactSource } from '../../core/vocabulary/contacts.ts'
import type { ChannelType } from '../../core/vocabulary/channels.ts'
import { cleanText } from '../text/json-text.ts'
import { numberKey } from './number-key.ts'

/**
 * Kinds of identifiers. `number`: a telephone line, on any channel. `user` and `parent`: WhatsApp's business-scoped
 * ids. `lid`: an id of WhatsApp's own protocol. `telegram`: a user, the same for all bots. `page`: a person on one page
 * of Messenger or account of Instagram. `form`: the unverified sender of a form. `call`: a caller without a number.
 */
export type IdentifierKind =
  | 'number'
  | 'user'
  | 'parent'
  | 'lid'
  | 'telegram'
  | 'page'
  | 'form'
  | 'call'

/**
 * The source of the claim that an identifier belongs to a customer. `shown` is the provider, which is trusted; claims
 * of the other sources never override another customer's identifier.
 */
export type Proof = 'shown' | 'hook' | 'member' | 'import' | 'call' | 'form' | 'booking'

/** A value that identifies a customer on a channel. */
export type Identifier = {
  kind: IdentifierKind
  /** The value for comparison and locking, which is never shown. */
  key: string
  /** The value as received, for display and dialling. */
  value: string
  /** The id under which a conversation is filed that this identifier opens. */
  filedUnder: string
}

/** The customer's ids in a provider's event, as adapters read them. */
type ReportedIds = {
  number?: string
  businessScopedId?: string
  parentBusinessScopedId?: string
  lid?: string
  providerUserId?: string
}

/** The channel of an identifier, as far as it decides the identifier's meaning. */
type Where = { type: string; route: string }

/** Returns the identifier of a number, given as digits without `+`. */
export function numberIdentifier(digits: string): Identifier {
  return { kind: 'number', key: numberKey(digits), value: digits, filedUnder: digits }
}

/** Returns every identifier of a customer; a conversation is filed under the first. */
export function identifiersOf(customer: ReportedIds, channel: Where): Identifier[] {
  const { number, businessScopedId, parentBusinessScopedId, lid, providerUserId } = customer
  if (channel.type === 'website') {
    // A form's conversation is filed under the form, even when a number was typed into it.
    return [
      ...(providerUserId ? [accountIdentifier(cleanText(providerUserId), channel)] : []),
      ...(number ? [numberIdentifier(cleanText(number))] : []),
    ]
  }
  return [
    ...(number ? [numberIdentifier(cleanText(number))] : []),
    ...sent('user', businessScopedId),
    ...sent('parent', parentBusinessScopedId),
    ...sent('lid', lid),
    ...(providerUserId ? [accountIdentifier(cleanText(providerUserId), channel)] : []),
  ]
}

function sent(kind: IdentifierKind, id: string | undefined): Identifier[] {
  if (!id) return []
  const value = cleanText(id)
  return [{ kind, key: value, value, filedUnder: value }]
}

const ACCOUNT_KINDS: Partial<Record<ChannelType, IdentifierKind>> = {
  telegram: 'telegram',
  website: 'form',
  voice: 'call',
}

/**
 * Returns the identifier of an account. Telegram's user ids are the same for all bots; the ids of other providers
 * belong to one page, form or call.
 */
function accountIdentifier(id: string, { type, route }: Where): Identifier {
  const kind = ACCOUNT_KINDS[type as ChannelType] ?? 'page'
  const value = kind === 'telegram' ? id : `${route}:${id}`
  return { kind, key: value, value, filedUnder: `${route}:${id}` }
}

/** Returns the proof that an identifier from this source has. */
export function proofOf(source: ContactSource, channelType: string): Proof {
  switch (source) {
    case 'message':
      // A caller's number can be forged.
      return channelType === 'voice' ? 'call' : 'shown'
    case 'enquiry':
      return 'form'
    case 'booking_page':
      return 'booking'
    case 'hook':
    case 'member':
    case 'import':
      return source
  }
}

/**
 * Returns whether a customer has only one identifier of a kind at a time; for `user` and `parent`, one per scope. A
 * second one means another account, or a number with a new owner.
 */
export function isExclusiveKind(kind: IdentifierKind): boolean {
  return kind === 'number' || kind === 'user' || kind === 'parent'
}

/** Returns whether identifiers of a kind are scoped: known within one WhatsApp Business account only. */
export function isScoped(kind: IdentifierKind): boolean {
  return kind === 'user' || kind === 'parent'
}
