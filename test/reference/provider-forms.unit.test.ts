/** The page of the providers' forms names all that the adapters read, with a document and a date. */
import { describe, expect, test } from 'vitest'
import { MESSAGING_ATTACHMENTS } from '../../src/modules/channels/meta/read-messaging-item.ts'
import { MESSAGING_ITEMS } from '../../src/modules/channels/meta/read-messaging-item.ts'
import { MESSAGING_LISTS } from '../../src/modules/channels/meta/read-messaging.ts'
import { ALLOWED_UPDATES } from '../../src/modules/channels/telegram/poll.ts'
import { TELEGRAM_CONTENT } from '../../src/modules/channels/telegram/read-content.ts'
import { QR_MESSAGE_KINDS } from '../../src/modules/channels/whatsapp-qr/read-content.ts'
import { WHATSAPP_FIELDS } from '../../src/modules/channels/whatsapp/parse.ts'
import { WHATSAPP_ACCOUNT_EVENTS } from '../../src/modules/channels/whatsapp/read-account-changes.ts'
import {
  WHATSAPP_CHANGE_TYPES,
  WHATSAPP_MESSAGE_TYPES,
} from '../../src/modules/channels/whatsapp/read-content.ts'
import { WHATSAPP_STATUSES } from '../../src/modules/channels/whatsapp/parse.ts'
import { VOICE_PROVIDERS } from '../../src/core/vocabulary/channels.ts'
import { tableOf, wordsIn } from './pages.ts'

const READ: Record<string, readonly string[]> = {
  WhatsApp: [
    ...WHATSAPP_FIELDS,
    ...WHATSAPP_MESSAGE_TYPES,
    ...WHATSAPP_CHANGE_TYPES,
    ...WHATSAPP_STATUSES,
    ...WHATSAPP_ACCOUNT_EVENTS.flatMap((event) => event.split(' ')),
  ],
  'Messenger and Instagram': [...MESSAGING_LISTS, ...MESSAGING_ITEMS, ...MESSAGING_ATTACHMENTS],
  Telegram: [...ALLOWED_UPDATES, ...TELEGRAM_CONTENT],
  'WhatsApp by QR code': QR_MESSAGE_KINDS,
  Voice: VOICE_PROVIDERS,
}

/** A document is a page at the provider or of this reference, or the one of the row above. */
const DOCUMENT = /\]\((?:https:\/\/\S+|[a-z-]+\.md\S*)\)|^the same$|^the library's own/
/** A day, a month or a version. */
const DATE = /\b20\d\d$|^v\d|^this version$/

describe.each(Object.entries(READ))(
  'The page of the forms of providers, for %s,',
  (title, forms) => {
    const rows = tableOf('Provider forms', title)

    test('names all that is read', () => {
      const named = new Set(rows.flatMap((cells) => wordsIn(cells.join(' '))))
      expect(forms.filter((form) => !named.has(form))).toEqual([])
    })

    test('says for each form which document was read, and as of when', () => {
      expect(rows.filter((cells) => !DOCUMENT.test(cells.at(-2)!))).toEqual([])
      expect(rows.filter((cells) => !DATE.test(cells.at(-1)!))).toEqual([])
    })
  },
)
