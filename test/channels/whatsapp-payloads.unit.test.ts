import { describe, expect, test } from 'vitest'
import type { CustomerRef, Inbound } from '../../src/channels/channel-adapter.ts'
import { peekAt } from '../support/peek-at.ts'
import { parseWhatsAppWebhook } from '../../src/channels/whatsapp/parse.ts'
import { DELIVERY_LIMITS } from '../../src/limits/deliveries.ts'
import { loadWhatsAppPayloads } from '../support/whatsapp-payloads.ts'
import type {
  ExpectedFacts,
  ExpectedMessage,
  WhatsAppPayload,
} from '../support/whatsapp-payloads.ts'

const RECEIVED_AT = new Date('2026-11-21T10:00:00.000Z')

type Message = Extract<Inbound, { kind: 'message' }>

function filingId({ number, businessScopedId }: CustomerRef): string | undefined {
  return number ?? businessScopedId
}

function received(fact: Message): ExpectedMessage {
  const { customer } = fact
  const text = [...(fact.text ?? '')].slice(0, DELIVERY_LIMITS.messageTextChars).join('')
  return {
    providerMessageId: fact.providerMessageId,
    contact: {
      whatsAppId: filingId(customer) ?? '',
      phone: customer.number === undefined ? null : `+${customer.number}`,
      name: customer.profileName ?? null,
    },
    message: {
      type: fact.type,
      text: fact.text === null ? null : text,
      receivedAt: (fact.at ?? RECEIVED_AT).toISOString(),
    },
  }
}

type Summary = Required<Pick<ExpectedFacts, 'receipts' | 'imported' | 'outbound'>> & {
  messageReceived: Pick<ExpectedMessage, 'providerMessageId' | 'contact' | 'message'>[]
  identity: ReturnType<typeof summariseIdentity>[]
}

type Identity = Extract<Inbound, { kind: 'identity' }>

/** Today's number is not compared: the index leaves it out where only the ids are its point. */
function summariseIdentity({ before, after }: Identity) {
  return { number: before.number, previous: before.businessScopedId, id: after.businessScopedId }
}

/** What the facts say, in the words of the index. */
function summarise(facts: Inbound[]): Summary {
  return {
    messageReceived: facts.filter((fact) => fact.kind === 'message').map(received),
    receipts: facts
      .filter((fact) => fact.kind === 'receipt')
      .map(({ providerMessageId, status, at, error }) => {
        const code = error ? { code: Number(error.code) } : {}
        return { providerMessageId, status, at: at.toISOString(), ...code }
      }),
    outbound: facts
      .filter((fact) => fact.kind === 'echo')
      .map(({ providerMessageId, customer }) => {
        return { providerMessageId, to: filingId(customer) ?? '', by: 'owner_app' }
      }),
    imported: facts
      .filter((fact) => fact.kind === 'history')
      .reduce((sum, { messages }) => sum + messages.length, 0),
    identity: facts.filter((fact) => fact.kind === 'identity').map(summariseIdentity),
  }
}

/** The same of the index entry. `played`, which our words do not have, is read. */
function summariseExpected(expected: ExpectedFacts): Summary {
  return {
    messageReceived: expected.messageReceived.map(({ providerMessageId, contact, message }) => {
      const receivedAt = message.receivedAt ?? RECEIVED_AT.toISOString()
      return { providerMessageId, contact, message: { ...message, receivedAt } }
    }),
    receipts: expected.receipts.map((receipt) => {
      return { ...receipt, status: receipt.status === 'played' ? 'read' : receipt.status }
    }),
    outbound: expected.outbound ?? [],
    imported: expected.imported ?? 0,
    identity: (expected.identity ?? []).map((identity) => {
      const { fromNumber, previousBsuid, newBsuid, currentBsuid } = identity
      return { number: fromNumber, previous: previousBsuid, id: newBsuid ?? currentBsuid }
    }),
  }
}

/** What is stored of the sender beside the event, as far as the index names it. */
function expectedSender({ store }: ExpectedMessage): object {
  const { bsuid, parentBsuid, username, sharedPhone } = store ?? {}
  const customer = {
    ...(bsuid ? { businessScopedId: bsuid } : {}),
    ...(parentBsuid ? { parentBusinessScopedId: parentBsuid } : {}),
    ...(username ? { username } : {}),
  }
  return { customer, ...(sharedPhone ? { sharedOwnNumber: sharedPhone.slice(1) } : {}) }
}

// Empty when the recorded webhooks are not beside the project.
const recorded = loadWhatsAppPayloads()
const payloads = recorded?.payloads ?? []
const account = recorded?.business.waba_id ?? ''

const annotation = (what: string) => ({ kind: 'annotation', what })
const ignored = { kind: 'ignored', why: expect.any(String) as string }
const template = { kind: 'template', account }
const quoting = { replyToProviderId: expect.stringMatching(/^wamid\./) as string }
const media = { providerMediaId: '1234567890987654321', mimeType: 'application/pdf' }

/** File, what it tells, and the one fact that says so. */
const TOLD: [string, string, object][] = [
  [
    'wa-account-partner-removed.json',
    'the account beside the entry lost its channel',
    { kind: 'channel_state', account: '980198427658004', isConnected: false },
  ],
  [
    'wa-account-offboarded.json',
    'the channel is gone',
    { kind: 'channel_state', account, isConnected: false },
  ],
  [
    'wa-account-reconnected.json',
    'the channel is back',
    { kind: 'channel_state', account, isConnected: true },
  ],
  ['wa-template-approved.json', 'approved', { ...template, status: 'APPROVED' }],
  ['wa-template-paused.json', 'paused', { ...template, status: 'PAUSED' }],
  ['wa-template-rejected.json', 'rejected', { ...template, name: 'abandoned_cart' }],
  ['wa-template-category-marketing.json', 'dearer', { ...template, category: 'MARKETING' }],
  ['wa-reaction.json', 'a note on a message', annotation('reaction')],
  ['wa-reaction-removed.json', 'a note on a message', annotation('reaction')],
  ['wa-edit.json', 'a note on a message', annotation('edit')],
  ['wa-revoke.json', 'a note on a message', annotation('delete')],
  ['wa-echo-edit.json', 'a note on a message', annotation('edit')],
  ['wa-echo-revoke.json', 'a note on a message', annotation('delete')],
  ['wa-group-text.json', 'nothing', ignored],
  ['wa-own-number-in-messages.json', 'nothing', ignored],
  ['wa-unsupported-edit.json', 'nothing', ignored],
  ['wa-user-preferences-stop.json', 'no marketing', { kind: 'marketing', isWanted: false }],
  ['wa-state-sync-add.json', 'whom the phone knows', { kind: 'address_book' }],
  ['wa-state-sync-bsuid.json', 'whom the phone knows', { kind: 'address_book' }],
  ['wa-history-declined.json', 'nothing is shared', { kind: 'history', isDeclined: true }],
  [
    'wa-button-template-quick-reply.json',
    'which button of which message was tapped',
    { buttonPayload: 'Unsubscribe', ...quoting },
  ],
  [
    'wa-interactive-button.json',
    'which button of which message was tapped',
    { buttonPayload: 'cancel-button', ...quoting },
  ],
  [
    'wa-system-number-changed.json',
    'the new number',
    { kind: 'identity', after: { number: '12195555358' } },
  ],
  [
    'wa-document-caption.json',
    'where its file is',
    { media: { ...media, fileName: 'filename.pdf' } },
  ],
  [
    'wa-status-failed-131047-window.json',
    'that the window was closed',
    { status: 'failed', error: { code: '131047', class: 'window' } },
  ],
  [
    'wa-status-failed-131049.json',
    'that the customer had enough',
    { status: 'failed', error: { code: '131049', class: 'opt_out' } },
  ],
]

function factsOf(file: string): Inbound[] {
  const { rawBody } = payloads.find((payload) => payload.file === file) as WhatsAppPayload
  const facts = parseWhatsAppWebhook(rawBody, { receivedAt: RECEIVED_AT })
  // A number that is nobody's here fires nothing: the room that knows the channels drops it.
  const route = recorded?.business.phone_number_id
  return facts.filter((fact) => !('route' in fact) || fact.route === route)
}

describe('Every recorded WhatsApp webhook becomes exactly the facts it should', () => {
  test('there are seventy of them, or none on this machine', () => {
    expect(payloads).toHaveLength(recorded === null ? 0 : 70)
  })

  const first = payloads.filter(({ after }) => after.length === 0)
  test.each(first)('$file becomes what its index entry says', ({ file, expect: expected }) => {
    const facts = factsOf(file)
    expect(summarise(facts)).toEqual(summariseExpected(expected))
    const messages = facts.filter((fact) => fact.kind === 'message')
    expect(messages).toMatchObject(expected.messageReceived.map(expectedSender))
  })

  const shared = first.filter((payload) =>
    payload.expect.messageReceived.every(({ store }) => store?.sharedPhone === undefined),
  )
  test.each(shared)('$file proves no number of the sender', ({ file }) => {
    expect(factsOf(file).filter((fact) => 'sharedOwnNumber' in fact)).toEqual([])
  })

  const later = payloads.flatMap(({ file, after }) => after.map((earlier) => ({ file, earlier })))
  const repeated = later.filter(({ file }) => file.includes('duplicate'))
  test.each(repeated)('$file, read alone, is the very message of $earlier', (pair) => {
    expect(factsOf(pair.file)).toEqual(factsOf(pair.earlier))
  })

  const known = later.filter(({ file }) => file.includes('known'))
  test.each(known)('$file, read alone, names the customer of $earlier', ({ file, earlier }) => {
    const [before] = factsOf(earlier) as Message[]
    const [now] = factsOf(file) as Message[]
    expect(now?.customer).not.toHaveProperty('number')
    expect(now?.customer.businessScopedId).toBe(before?.customer.businessScopedId)
    const wanted = payloads.find((payload) => payload.file === file)?.expect.messageReceived[0]
    expect(received(now as Message)).toMatchObject({ message: wanted?.message })
  })

  test.each(payloads)('$file names its number or account before it is verified', ({ rawBody }) => {
    const { routes, accounts } = peekAt(rawBody)
    const facts = parseWhatsAppWebhook(rawBody, { receivedAt: RECEIVED_AT })
    const factRoutes = facts.flatMap((fact) => ('route' in fact ? [fact.route] : []))
    const factAccounts = facts.flatMap((fact) => ('account' in fact ? [fact.account] : []))
    expect(routes.length + accounts.length).toBeGreaterThan(0)
    expect(routes).toEqual(expect.arrayContaining(factRoutes))
    expect(accounts).toEqual(expect.arrayContaining(factAccounts))
  })

  test.each(recorded === null ? [] : TOLD)('%s tells: %s', (file, _, fact) => {
    expect(factsOf(file)).toMatchObject([fact])
  })
})
