/** Contacts as modules pass them and as events show them. Spec: Events › Payloads. */
import { sql, type Selectable } from 'kysely'
import type { CustomerRef } from '../channels/inbound.ts'
import type { ContactData, ContactSummary } from '../../contract/webhook-data.ts'
import type { Contact as ContactTable } from '../../infra/database/tables.ts'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import { ERASED_CONVERSATION, RETURNED_CONVERSATION } from './erased-conversation.ts'
import type { OwnAddress } from './own-address.sql.ts'
import { cleanText } from '../../rules/text/json-text.ts'

/** A row of the table of contacts. */
export type ContactRow = Selectable<ContactTable>

/** The SQL array of the company's archived fields, which events do not show, for a statement that names `contact`. */
export const ARCHIVED_KEYS = sql`array(select key from contact_field
  where contact_field.company_id = contact.company_id and archived_at is not null)`

/** Returns the E.164 form of a number without `+`; null for any other id and for an impossible number. */
export function phoneOf(id: string | undefined): string | null {
  return /^[1-9][0-9]{4,14}$/.test(id ?? '') ? `+${id}` : null
}

/** Returns the id that `contact.*` events show as `whatsAppId`; null without one. Spec: Events › Payloads. */
export function whatsappIdOf(customer: CustomerRef): string | null {
  const { businessScopedId, parentBusinessScopedId, lid } = customer
  const id = businessScopedId ?? parentBusinessScopedId ?? lid
  return id ? cleanText(id) : null
}

/**
 * Returns the address of a message to a conversation's customer: the current identifier of the kind under which the
 * conversation is filed, else the number, else another id. Returns null when none is left.
 */
export function customerAddress(
  { channelType, filedUnder }: { channelType: string; filedUnder: string },
  own: Omit<OwnAddress, 'numberProof'>,
): CustomerRef | null {
  if ([ERASED_CONVERSATION, RETURNED_CONVERSATION].some((over) => filedUnder.startsWith(over)))
    return null
  if (!isShownId(channelType, filedUnder)) {
    return { providerUserId: filedUnder.slice(filedUnder.indexOf(':') + 1) }
  }
  const number = own.number === null ? null : { number: own.number }
  const user = own.businessScopedId === null ? null : { businessScopedId: own.businessScopedId }
  const lid = own.lid === null ? null : { lid: own.lid }
  if (filedUnder.endsWith('@lid')) return lid ?? number ?? user
  if (/^[0-9]+$/.test(filedUnder)) return number ?? user ?? lid
  return user ?? number ?? lid
}

/**
 * Returns false for a provider's id that is never shown to merchants, filed as `route:id`. Among WhatsApp's ids only an
 * `@lid` may contain a colon.
 */
function isShownId(channelType: string, filedUnder: string): boolean {
  const isWhatsAppForm = filedUnder.endsWith('@lid') || !filedUnder.includes(':')
  return capabilitiesOf(channelType).showsWhatsAppId && isWhatsAppForm
}

type ShownContact = Pick<
  ContactRow,
  'id' | 'name' | 'phone' | 'whatsappId' | 'email' | 'language' | 'tags' | 'fields' | 'optedOutAt'
>

/**
 * Returns the data of a contact in the events about it.
 * @param archivedKeys custom fields that are left out. Spec: Contacts › Fields.
 */
export function contactData(
  contact: ShownContact,
  archivedKeys: readonly string[] = [],
): ContactData {
  const fields = Object.entries(contact.fields).filter(([key]) => !archivedKeys.includes(key))
  return {
    contact: {
      id: contact.id,
      name: contact.name,
      phone: contact.phone,
      whatsAppId: contact.whatsappId,
      email: contact.email,
      language: contact.language,
      tags: contact.tags,
      fields: Object.fromEntries(fields),
      optedOut: contact.optedOutAt !== null,
    },
  }
}

/**
 * Returns the contact summary of events other than `contact.*`. `whatsAppId` is the id that the conversation is filed
 * under, on the two WhatsApp channels only. A widget visitor has no contact: a summary with a null id if there is a
 * name, else null.
 *
 * Spec: Events › Contact summary; Concepts › Phone and WhatsApp ids.
 */
export function contactSummary(
  contact: Pick<ContactRow, 'id' | 'name' | 'phone'> | null,
  conversation: { channelType: string; filedUnder: string; visitorName: string | null },
): ContactSummary | null {
  if (!contact) {
    if (conversation.visitorName === null) return null
    return { id: null, name: conversation.visitorName, phone: null, whatsAppId: null }
  }
  const { channelType, filedUnder } = conversation
  const { hasPhone, showsWhatsAppId } = capabilitiesOf(channelType)
  // On WhatsApp the phone is derived from the id that the conversation is filed under, so that both show the same
  // number.
  const phone = showsWhatsAppId ? phoneOf(filedUnder) : contact.phone
  return {
    id: contact.id,
    name: contact.name,
    phone: hasPhone ? phone : null,
    whatsAppId: isShownId(channelType, filedUnder) ? filedUnder : null,
  }
}
