/** A change of a webhook: its kind (`field`), the channel's number, and the other values. */
import type { ProviderEvent } from '../inbound.ts'
import { readDigits, readFields, readId, readList, readText } from '../provider/read-values.ts'
import type { Fields } from '../provider/read-values.ts'

/** One entry of a webhook's list `changes`, such as new messages of a number. */
export type Change = {
  field: string
  /** WhatsApp Business account id; empty when absent. */
  account: string
  /** Phone number id; empty when absent. */
  route: string
  /** The channel's own number, in digits. */
  ownNumber: string | undefined
  contacts: unknown[]
  value: Fields
  receivedAt: Date
}

/** Parses one change of an entry of a WhatsApp webhook. */
export function readChange(entry: Fields, change: unknown, receivedAt: Date): Change {
  const { field, value } = readFields(change)
  const fields = readFields(value)
  const metadata = readFields(fields.metadata)
  return {
    field: readText(field) ?? '',
    account: readId(entry.id) ?? '',
    route: readId(metadata.phone_number_id) ?? '',
    ownNumber: readDigits(metadata.display_phone_number),
    contacts: readList(fields.contacts),
    value: fields,
    receivedAt,
  }
}

/**
 * Returns a provider event that is ignored, with the reason for the log. `why` is logged; sender-controlled text in it
 * is truncated.
 */
export function ignored(why: string, detail?: string): ProviderEvent {
  return { kind: 'ignored', why: detail === undefined ? why : `${why}: ${detail.slice(0, 80)}` }
}
