import { describe, expect, test } from 'vitest'
import type { ProviderEvent } from '../../src/modules/channels/inbound.ts'
import { parseWhatsAppWebhook } from '../../src/modules/channels/whatsapp/parse.ts'
import { peekAt } from '../support/peek-at.ts'
import {
  type ExpectedMessage,
  loadWhatsAppPayloads,
  type WhatsAppPayload,
} from '../support/whatsapp-payloads.ts'

const RECEIVED_AT = new Date('2026-11-21T10:00:00.000Z')

type Message = Extract<ProviderEvent, { kind: 'message' }>

/** Returns the stored ids of a sender that the index names. */
function expectedSender({ store }: ExpectedMessage): object {
  const { bsuid, parentBsuid, username } = store ?? {}
  const customer = {
    ...(bsuid ? { businessScopedId: bsuid } : {}),
    ...(parentBsuid ? { parentBusinessScopedId: parentBsuid } : {}),
    ...(username ? { username } : {}),
  }
  return { customer }
}

// The list is empty on a machine without the recorded webhooks.
const recorded = loadWhatsAppPayloads()
const payloads = recorded?.payloads ?? []
const account = recorded?.business.waba_id ?? ''

const annotation = (what: string) => ({ kind: 'annotation', what })
const ignored = { kind: 'ignored', why: expect.any(String) as string }
const template = { kind: 'template', account }
const quoting = { replyToProviderId: expect.stringMatching(/^wamid\./) as string }
const media = { providerMediaId: '1234567890987654321', mimeType: 'application/pdf' }

/** The files that give one event other than a message, with that event. */
const TOLD: [string, object][] = [
  [
    'account-partner-removed',
    { kind: 'channel_state', account: '980198427658004', isConnected: false },
  ],
  ['account-offboarded', { kind: 'channel_state', account, isConnected: false }],
  ['account-reconnected', { kind: 'channel_state', account, isConnected: true }],
  ['template-approved', { ...template, status: 'APPROVED' }],
  ['template-paused', { ...template, status: 'PAUSED' }],
  ['template-rejected', { ...template, name: 'abandoned_cart' }],
  ['template-category-marketing', { ...template, category: 'MARKETING' }],
  ['reaction', annotation('reaction')],
  ['reaction-removed', annotation('reaction')],
  ['edit', annotation('edit')],
  ['revoke', annotation('delete')],
  ['echo-edit', annotation('edit')],
  ['echo-revoke', annotation('delete')],
  ['group-text', ignored],
  ['own-number-in-messages', ignored],
  ['unsupported-edit', ignored],
  ['user-preferences-stop', { kind: 'marketing', isWanted: false }],
  ['state-sync-add', { kind: 'address_book' }],
  ['state-sync-bsuid', { kind: 'address_book' }],
  ['history-declined', { kind: 'history', isDeclined: true }],
  ['button-template-quick-reply', { buttonPayload: 'Unsubscribe', ...quoting }],
  ['interactive-button', { buttonPayload: 'cancel-button', ...quoting }],
  ['system-number-changed', { kind: 'identity', after: { number: '12195555358' } }],
  ['document-caption', { media: { ...media, fileName: 'filename.pdf' } }],
  ['status-failed-131047-window', { status: 'failed', error: { code: '131047', class: 'window' } }],
  ['status-failed-131049', { status: 'failed', error: { code: '131049', class: 'opt_out' } }],
]

function eventsOf(file: string): ProviderEvent[] {
  const { rawBody } = payloads.find((payload) => payload.file === file) as WhatsAppPayload
  const events = parseWhatsAppWebhook(rawBody, { receivedAt: RECEIVED_AT })
  // The parser also returns events of unknown numbers, which a later step drops.
  const route = recorded?.business.phone_number_id
  return events.filter((event) => !('route' in event) || event.route === route)
}

describe('Every recorded WhatsApp webhook becomes exactly the events it should', () => {
  test('there are seventy, or none on this machine', () => {
    expect(payloads).toHaveLength(recorded === null ? 0 : 70)
  })

  const first = payloads.filter(({ after }) => after.length === 0)
  test.each(first)('$file names each sender as in the index', ({ file, expect: wanted }) => {
    const messages = eventsOf(file).filter((event) => event.kind === 'message')
    expect(messages).toMatchObject(wanted.messageReceived.map(expectedSender))
    // No other message proves a number of its sender.
    const proved = messages.map(({ sharedOwnNumber }) => sharedOwnNumber)
    const phones = wanted.messageReceived.map(({ store }) => store?.sharedPhone?.slice(1))
    expect(proved).toEqual(phones)
  })

  const later = payloads.flatMap(({ file, after }) => after.map((earlier) => ({ file, earlier })))
  const repeated = later.filter(({ file }) => file.includes('duplicate'))
  test.each(repeated)('$file, read alone, is the same message as $earlier', (pair) => {
    expect(eventsOf(pair.file)).toEqual(eventsOf(pair.earlier))
  })

  const known = later.filter(({ file }) => file.includes('known'))
  test.each(known)('$file, read alone, names the customer of $earlier', ({ file, earlier }) => {
    const [before] = eventsOf(earlier) as Message[]
    const [now] = eventsOf(file) as Message[]
    expect(now?.customer).not.toHaveProperty('number')
    expect(now?.customer.businessScopedId).toBe(before?.customer.businessScopedId)
  })

  test.each(payloads)('$file names its number or account before it is verified', ({ rawBody }) => {
    const { routes, accounts } = peekAt(rawBody)
    const events = parseWhatsAppWebhook(rawBody, { receivedAt: RECEIVED_AT })
    const eventRoutes = events.flatMap((event) => ('route' in event ? [event.route] : []))
    const eventAccounts = events.flatMap((event) => ('account' in event ? [event.account] : []))
    expect(routes.length + accounts.length).toBeGreaterThan(0)
    expect(routes).toEqual(expect.arrayContaining(eventRoutes))
    expect(accounts).toEqual(expect.arrayContaining(eventAccounts))
  })

  test.each(recorded === null ? [] : TOLD)('wa-%s.json gives %j', (name, event) => {
    expect(eventsOf(`wa-${name}.json`)).toMatchObject([event])
  })
})
