/** Recorded posts of Messenger and Instagram become what their index says. Spec: Events › Payloads. */
import { describe, expect, test } from 'vitest'
import type { Inbound } from '../../src/channels/channel-adapter.ts'
import { peekPages } from '../../src/channels/meta/peek-pages.ts'
import { parseMessaging } from '../../src/channels/meta/read-messaging.ts'
import { loadRecordedPayloads } from '../support/recorded-payloads.ts'
import { walkAtOnce } from '../support/walk-at-once.ts'

const RECEIVED_AT = new Date('2026-11-21T10:00:00.000Z')
const OBJECTS = { messenger: 'page', instagram: 'instagram' }
const ROUTES = { messenger: '100000000000001', instagram: '17841400000000000' }

/** What a fact says, in the words of the index. */
function summarise(facts: Inbound[]) {
  return {
    messageReceived: facts
      .filter((fact) => fact.kind === 'message')
      .map(({ providerMessageId, customer, type, text, at }) => ({
        providerMessageId,
        contact: {
          whatsAppId: customer.number ?? customer.businessScopedId ?? null,
          phone: customer.number ?? null,
          name: customer.profileName ?? null,
        },
        message: { type, text, receivedAt: (at ?? RECEIVED_AT).toISOString() },
      })),
    receipts: facts.flatMap((fact): object[] => {
      if (fact.kind === 'watermark') {
        const { status, upTo, at } = fact
        return [{ watermark: upTo.getTime(), status, at: at.toISOString() }]
      }
      if (fact.kind !== 'receipt') return []
      const { providerMessageId, status, at } = fact
      return [{ providerMessageId, status, at: at.toISOString() }]
    }),
  }
}

describe.each(['messenger', 'instagram'] as const)('recorded posts of %s', (channel) => {
  const recorded = loadRecordedPayloads(channel)

  test.skipIf(recorded.length === 0)('all of them are looked at', () => {
    expect(recorded.length).toBe(channel === 'messenger' ? 16 : 13)
  })

  test.each(recorded)('$file', ({ rawBody, expect: wanted }) => {
    const facts = parseMessaging(rawBody, { object: OBJECTS[channel] }, { receivedAt: RECEIVED_AT })
    expect(summarise(facts)).toEqual({
      messageReceived: wanted.messageReceived.map(({ providerMessageId, contact, message }) => {
        return { providerMessageId, contact, message }
      }),
      receipts: wanted.receipts,
    })
    for (const fact of facts) expect(fact).toMatchObject({ route: ROUTES[channel] })
    expect(walkAtOnce(peekPages(rawBody)).routes).toEqual([ROUTES[channel]])
  })
})
