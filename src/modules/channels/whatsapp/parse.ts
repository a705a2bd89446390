import type { ProviderEvent } from '../inbound.ts'
import {
  readAccountUpdate,
  readTemplateCategory,
  readTemplateStatus,
} from './read-account-changes.ts'
import { readAddressBook } from './read-address-book.ts'
import { ignored, readChange } from './read-change.ts'
import type { Change } from './read-change.ts'
import { readEchoes } from './read-echoes.ts'
import { readHistory } from './read-history.ts'
import { readUserIdUpdates } from './read-identity.ts'
import { readMessages } from './read-messages.ts'
import { readPreferences } from './read-preferences.ts'
import { readFields, readJson, readList } from '../provider/read-values.ts'

type Reader = { read: (change: Change) => ProviderEvent[]; needs: 'route' | 'account' }

/** Readers by `field`, which decides first: a history may contain a list that looks like new messages. */
const READERS = new Map<string, Reader>([
  ['messages', { read: readMessages, needs: 'route' }],
  ['standby', { read: readStandby, needs: 'route' }],
  ['smb_message_echoes', { read: readEchoes, needs: 'route' }],
  ['history', { read: readHistory, needs: 'route' }],
  ['smb_app_state_sync', { read: readAddressBook, needs: 'route' }],
  ['user_preferences', { read: readPreferences, needs: 'route' }],
  ['user_id_update', { read: readUserIdUpdates, needs: 'route' }],
  ['message_template_status_update', { read: readTemplateStatus, needs: 'account' }],
  ['template_category_update', { read: readTemplateCategory, needs: 'account' }],
  ['account_update', { read: readAccountUpdate, needs: 'account' }],
])

/** Fields of webhooks that are read. Spec: Provider forms › WhatsApp. @internal */
export const WHATSAPP_FIELDS: readonly string[] = [...READERS.keys()]

/**
 * Reads the field `standby`: messages of customers while another sender, such as Meta's own agent, answers them, and
 * that sender's messages.
 */
function readStandby(change: Change): ProviderEvent[] {
  return [...readMessages(change), ...readEchoes(change)]
}

/**
 * Returns the events of a WhatsApp webhook, in the order of the body. Pure and total: any bytes yield a list, without
 * an exception. The bytes must be verified. `receivedAt` dates receipts without a time.
 * Spec: Events › Payloads; Concepts › Phone and WhatsApp ids.
 */
export function parseWhatsAppWebhook(
  rawBody: Uint8Array,
  context: { receivedAt: Date },
): ProviderEvent[] {
  const envelope = readFields(readJson(rawBody))
  if (envelope.object !== 'whatsapp_business_account') {
    return [ignored('not a WhatsApp webhook')]
  }
  return readList(envelope.entry)
    .map(readFields)
    .flatMap((entry) =>
      readList(entry.changes).flatMap((item) => {
        const change = readChange(entry, item, context.receivedAt)
        const reader = READERS.get(change.field)
        if (reader === undefined) {
          return [ignored('a field that is not read', change.field)]
        }
        return reader.needs === 'route' && change.route === ''
          ? [ignored('a change without a phone number id', change.field)]
          : reader.read(change)
      }),
    )
}
