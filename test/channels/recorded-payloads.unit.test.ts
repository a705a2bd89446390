/**
 * Recorded posts of every provider except WhatsApp give the events that their index describes. Spec: Events › Payloads.
 */
import { describe, expect, test } from 'vitest'
import type { ProviderEvent } from '../../src/modules/channels/inbound.ts'
import { peekPages } from '../../src/modules/channels/meta/peek-pages.ts'
import { parseMessaging } from '../../src/modules/channels/meta/read-messaging.ts'
import { readUpdate } from '../../src/modules/channels/telegram/read-update.ts'
import { createVoiceAdapter } from '../../src/modules/channels/voice/adapter.ts'
import { readQrEvent } from '../../src/modules/channels/whatsapp-qr/read-event.ts'
import { loadRecordedPayloads } from '../support/recorded-payloads.ts'
import { walkAtOnce } from '../support/walk-at-once.ts'

const RECEIVED_AT = new Date('2026-11-21T10:00:00.000Z')
const received = { receivedAt: RECEIVED_AT }
const [PAGE, ACCOUNT] = ['100000000000001', '17841400000000000']
const channel = { route: 'r', account: null, settings: { provider: 'retell' }, isSimulated: false }
const voice = createVoiceAdapter({
  clock: { now: () => RECEIVED_AT },
  newReference: () => 'r',
  baseUrls: { telnyx: 'http://127.0.0.1:9', simulated: {} },
})
const json = (body: Buffer): unknown => JSON.parse(body.toString())

/** The number of recorded posts of each type, and how one is read. */
const CHANNELS: [type: string, count: number, read: (body: Buffer) => ProviderEvent[]][] = [
  ['messenger', 16, (body) => parseMessaging(body, { object: 'page' }, received)],
  ['instagram', 13, (body) => parseMessaging(body, { object: 'instagram' }, received)],
  ['telegram', 21, (body) => [readUpdate(json(body), '77')]],
  [
    'whatsapp_qr',
    17,
    (body) => readQrEvent(json(body), { ...received, route: 'r', missedSince: null, own: {} }),
  ],
  [
    'voice',
    1,
    (body) =>
      voice.webhook!.parse(body, {
        ...received,
        channel: { ...channel, credentials: { secret: 'x' } },
      }),
  ],
]

/** Returns events in the form of the index. */
function summarise(events: ProviderEvent[]) {
  return {
    messageReceived: events
      .filter((event) => event.kind === 'message')
      .map(({ providerMessageId, customer, type, text, at }) => ({
        providerMessageId,
        contact: {
          whatsAppId: customer.number ?? customer.lid ?? null,
          phone: customer.number === undefined ? null : `+${customer.number}`,
          name: customer.profileName ?? null,
        },
        message: { type, text, receivedAt: (at ?? RECEIVED_AT).toISOString() },
      })),
    receipts: events.flatMap((event): object[] => {
      if (event.kind === 'watermark') {
        const { status, upTo, at } = event
        return [{ watermark: upTo.getTime(), status, at: at.toISOString() }]
      }
      if (event.kind !== 'receipt') return []
      const { providerMessageId, status, at } = event
      return [{ providerMessageId, status, at: at.toISOString() }]
    }),
  }
}

describe.each(CHANNELS)('A recorded post of %s', (type, count, read) => {
  const recorded = loadRecordedPayloads(type)

  test('is present, or none is on this machine', () => {
    expect([0, count]).toContain(recorded.length)
  })

  // A repeated post gives no second message, which a parser alone cannot know.
  test.each(recorded.filter(({ after }) => after.length === 0))(
    '$file',
    ({ rawBody, expect: wanted }) => {
      const events = read(rawBody)
      expect(summarise(events)).toEqual({
        messageReceived: wanted.messageReceived.map(({ providerMessageId, contact, message }) => ({
          providerMessageId,
          // The index names callers by their number alone.
          contact: type === 'voice' ? { ...contact, whatsAppId: contact.phone!.slice(1) } : contact,
          message: { ...message, receivedAt: message.receivedAt ?? RECEIVED_AT.toISOString() },
        })),
        receipts: wanted.receipts,
      })
      if (!['messenger', 'instagram'].includes(type)) return
      const route = type === 'messenger' ? PAGE : ACCOUNT
      for (const event of events) expect(event).toMatchObject({ route })
      expect(walkAtOnce(peekPages(rawBody)).routes).toEqual([route])
    },
  )
})
