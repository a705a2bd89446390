/** Reports of calls as events, for each provider. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ProviderEvent } from '../../src/modules/channels/inbound.ts'
import { createVoiceAdapter } from '../../src/modules/channels/voice/adapter.ts'
import { readTelnyxCall } from '../../src/modules/channels/voice/telnyx.ts'
import { eventsOfCall } from '../../src/modules/channels/voice/call-report.ts'
import { VOICE_LIMITS } from '../../src/core/limits/messaging.ts'
import { VOICE_PROVIDERS, type VoiceProvider } from '../../src/core/vocabulary/channels.ts'
import {
  ourReport,
  retellReport,
  signOurs,
  signRetell,
  signTelnyx,
  signVapi,
  TELNYX_PUBLIC_KEY,
  telnyxReport,
  vapiReport,
  type SignedReport,
} from '../support/call-reports.ts'
import { walkAtOnce } from '../support/walk-at-once.ts'

const NOW = new Date('2026-11-21T10:00:00.000Z')
const adapter = createVoiceAdapter({
  clock: { now: () => NOW },
  newReference: () => 'r',
  baseUrls: { telnyx: 'http://127.0.0.1:9', simulated: {} },
})
const channelOf = (provider: VoiceProvider) => ({
  route: 'r',
  account: null,
  settings: { provider },
  isSimulated: false,
  credentials: { secret: 'x' },
})
const parse = (provider: VoiceProvider, body: string | Buffer): ProviderEvent[] =>
  adapter.webhook!.parse(Buffer.from(body), { receivedAt: NOW, channel: channelOf(provider) })

/** Returns speaker, id, text and time of each event. */
const said = (events: ProviderEvent[]) =>
  events.map((event) => {
    if (event.kind !== 'message' && event.kind !== 'echo') return event.kind
    const { kind, providerMessageId: id, text, at } = event
    return [kind === 'echo' ? 'agent' : 'caller', id, text, at?.getTime()]
  })

function isSigned({ headers, body }: SignedReport, provider: VoiceProvider, secret: string) {
  const { mayBeGenuine, isSignedBy, signerOf } = adapter.webhook!
  if (!mayBeGenuine(headers)) return false
  const report = { headers, body: Buffer.from(body) }
  return walkAtOnce(isSignedBy(report, signerOf({ secret }, { provider })))
}

describe('Each turn of a call is read', () => {
  const START = 1_714_608_475_945

  test('from Retell in order, with the caller’s first turn at the start', () => {
    expect(said(parse('retell', retellReport()))).toEqual([
      ['agent', 'retell-1:a0', 'Hello, how can I help?', START - 1],
      ['caller', 'retell-1:0', 'Where is my order?', START],
      ['agent', 'retell-1:a1', 'It leaves today.', START + 1],
      ['caller', 'retell-1:1', 'Thank you', START + 2],
    ])
  })

  test('from Retell with the times of its words, if it has them', () => {
    const turn = { role: 'user', content: 'Yes', words: [{ word: 'Yes', start: 12.5, end: 13 }] }
    const events = parse('retell', retellReport({ transcript_object: [turn] }))
    expect(said(events)).toEqual([['caller', 'retell-1:0', 'Yes', START + 12_500]])
  })

  test('from Vapi with the customer’s name, whichever side called', () => {
    const events = parse('vapi', vapiReport())
    expect(said(events)).toEqual([
      ['agent', 'vapi-1:a0', 'Hello, how can I help?', 1_795_165_201_000],
      ['caller', 'vapi-1:0', 'Where is my order?', 1_795_165_202_000],
      ['agent', 'vapi-1:a1', 'It leaves today.', 1_795_165_203_000],
      ['caller', 'vapi-1:1', 'Thank you', 1_795_165_204_000],
    ])
    expect(events[0]).toMatchObject({
      customer: { number: '16505551234', profileName: 'Sara Haddad' },
    })
  })

  test('from Telnyx once its messages are fetched, in the order of their times', () => {
    const of = { conversationId: 'telnyx-1', customer: '+16505551234' }
    expect(parse('telnyx', telnyxReport())).toEqual([
      { kind: 'to_read', route: 'r', what: { ...of, endedAt: '2026-11-20T09:01:00Z' } },
    ])
    const call = readTelnyxCall(
      { conversationId: 'telnyx-1', customer: '+1' },
      { data: { metadata: { telnyx_end_user_target: '+16505551234' } } },
      [
        { role: 'assistant', text: 'Bye', sent_at: '2026-11-20T09:00:03Z' },
        { role: 'tool', text: '{}', sent_at: '2026-11-20T09:00:02Z' },
        { role: 'user', text: 'Hello', sent_at: '2026-11-20T09:00:01Z' },
      ],
    )
    const events = eventsOfCall(call, 'r')
    expect(said(events).map((one) => one[2])).toEqual(['Hello', 'Bye'])
    expect(events[0]).toMatchObject({ customer: { number: '16505551234' } })
  })

  test("from the service's own format", () => {
    const start = Date.parse('2026-11-20T09:00:00Z')
    expect(said(parse('signed', ourReport()))[1]).toEqual([
      'caller',
      'ours-1:0',
      'Where is my order?',
      start,
    ])
  })

  test.each<[VoiceProvider, string]>([
    ['retell', JSON.stringify({ event: 'call_analyzed', call: JSON.parse(retellReport()).call })],
    ['retell', JSON.stringify({ event: 'transcript_updated', call: { call_id: 'x' } })],
    ['retell', retellReport({}, [])],
    ['retell', retellReport({ call_id: undefined })],
    ['vapi', JSON.stringify({ message: { type: 'status-update', call: { id: 'x' } } })],
    ['telnyx', JSON.stringify({ data: { event_type: 'call.analyzed', payload: {} } })],
    ['signed', JSON.stringify({ turns: [{ role: 'caller', text: 'hi' }] })],
    ['signed', 'no JSON'],
  ])('but not from other reports: %s %#', (provider, body) => {
    expect(said(parse(provider, body))).toEqual(['ignored'])
  })
})

test.each([
  ['to the business is the caller', {}, { number: '16505551234' }],
  [
    'by the business is the called number',
    { direction: 'outbound', from: '+15550783881', to: '+16505551234' },
    { number: '16505551234' },
  ],
  [
    'with a withheld number is known by the call',
    { from: 'anonymous' },
    { providerUserId: 'ours-1' },
  ],
  ...[
    'sip:anonymous@anonymous.invalid',
    '"Anonymous" <sip:anonymous@anonymous.invalid>;tag=1',
    'sip:Restricted@198.51.100.7:5060',
    'sip:c8oqz84zk7z@privacy.invalid',
    '+266696687',
    '266696687',
  ].map((from): [string, object, object] => [
    `with a withheld number that comes as ${from} is known by the call`,
    { from },
    { providerUserId: 'ours-1' },
  ]),
  ['without a number is known by the call', { from: undefined }, { providerUserId: 'ours-1' }],
  [
    'at a SIP address is known by it',
    { from: 'sip:sara@example.com' },
    { providerUserId: 'sip:sara@example.com' },
  ],
  ['with a short number is known by it', { from: '4711' }, { providerUserId: '4711' }],
])('The customer of a call %s', (_, call, customer) => {
  expect(parse('signed', ourReport(call))[1]).toMatchObject({ customer })
})

describe('A report is accepted', () => {
  const SECRET = 'a-secret-of-the-merchant'
  const signed: Record<VoiceProvider, (at: Date) => SignedReport> = {
    retell: (at) => signRetell(retellReport(), SECRET, at),
    vapi: () => signVapi(vapiReport(), SECRET),
    telnyx: (at) => signTelnyx(telnyxReport(), at),
    signed: (at) => signOurs(ourReport(), SECRET, at),
  }
  const secretOf = (provider: VoiceProvider) => (provider === 'telnyx' ? TELNYX_PUBLIC_KEY : SECRET)

  test.each(VOICE_PROVIDERS)('from %s if it is signed with the secret', (provider) => {
    expect(isSigned(signed[provider](NOW), provider, secretOf(provider))).toBe(true)
    expect(isSigned(signed[provider](NOW), provider, `x${secretOf(provider)}`)).toBe(false)
    const forged = { ...signed[provider](NOW), body: `${signed[provider](NOW).body} ` }
    // Vapi's secret does not cover the body.
    expect(isSigned(forged, provider, secretOf(provider))).toBe(provider === 'vapi')
  })

  test.each(['retell', 'telnyx', 'signed'] as const)('from %s for five minutes', (provider) => {
    const ago = (ms: number) => new Date(NOW.getTime() - ms)
    const { signatureAgeMs } = VOICE_LIMITS
    const isBelieved = (ms: number) =>
      isSigned(signed[provider](ago(ms)), provider, secretOf(provider))
    expect(isBelieved(signatureAgeMs)).toBe(true)
    expect(isBelieved(signatureAgeMs + 1_000)).toBe(false)
    expect(isBelieved(-signatureAgeMs - 1_000)).toBe(false)
  })

  test('never without a signature, or with an invalid one', () => {
    for (const headers of [{}, { 'x-retell-signature': 'v=1,d=zz' }, { 'x-vapi-secret': '' }]) {
      const report = { headers, body: retellReport() } satisfies SignedReport
      for (const provider of VOICE_PROVIDERS) {
        expect(isSigned(report, provider, SECRET)).toBe(false)
      }
    }
  })

  test("in the format of the channel's provider alone: a public key is no secret for another format", () => {
    const body = telnyxReport()
    for (const forged of [
      signVapi(body, TELNYX_PUBLIC_KEY),
      signOurs(body, TELNYX_PUBLIC_KEY, NOW),
      signRetell(body, TELNYX_PUBLIC_KEY, NOW),
    ]) {
      expect(isSigned(forged, 'telnyx', TELNYX_PUBLIC_KEY)).toBe(false)
    }
  })
})

test('any report gives events and never an error', () => {
  fc.assert(
    fc.property(fc.constantFrom(...VOICE_PROVIDERS), fc.json(), (provider, json) => {
      for (const event of parse(provider, json)) expect(event.kind).toBeTruthy()
    }),
  )
})
