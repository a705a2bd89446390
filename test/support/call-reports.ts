/** Reports of calls as their providers write and sign them. */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'

export type SignedReport = { headers: Record<string, string>; body: string }

const hmac = (secret: string, text: string) =>
  createHmac('sha256', secret).update(text).digest('hex')

export function signRetell(body: string, apiKey: string, at: Date): SignedReport {
  const v = at.getTime()
  return { body, headers: { 'x-retell-signature': `v=${v},d=${hmac(apiKey, `${body}${v}`)}` } }
}

export function signVapi(body: string, secret: string): SignedReport {
  return { body, headers: { 'x-vapi-secret': secret } }
}

export function signOurs(body: string, secret: string, at: Date): SignedReport {
  const t = Math.floor(at.getTime() / 1_000)
  return { body, headers: { 'x-call-signature': `t=${t},v1=${hmac(secret, `${t}.${body}`)}` } }
}

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
/** The public key as Telnyx's portal shows it: 32 bytes in Base64. */
export const TELNYX_PUBLIC_KEY = Buffer.from(
  publicKey.export({ format: 'jwk' }).x!,
  'base64url',
).toString('base64')

export function signTelnyx(body: string, at: Date): SignedReport {
  const t = String(Math.floor(at.getTime() / 1_000))
  const signature = sign(null, Buffer.from(`${t}|${body}`), privateKey).toString('base64')
  return { body, headers: { 'telnyx-timestamp': t, 'telnyx-signature-ed25519': signature } }
}

type Turn = ['agent' | 'caller', string]

export function retellReport(call: object = {}, turns: readonly Turn[] = TURNS): string {
  return JSON.stringify({
    event: 'call_ended',
    call: {
      call_id: 'retell-1',
      direction: 'inbound',
      from_number: '+16505551234',
      to_number: '+15550783881',
      start_timestamp: 1_714_608_475_945,
      transcript_object: turns.map(([by, content]) => ({
        role: by === 'caller' ? 'user' : 'agent',
        content,
      })),
      ...call,
    },
  })
}

export function vapiReport(callId = 'vapi-1'): string {
  return JSON.stringify({
    message: {
      type: 'end-of-call-report',
      startedAt: '2026-11-20T09:00:00.000Z',
      call: { id: callId, type: 'outboundPhoneCall' },
      customer: { number: '+16505551234', name: 'Sara Haddad' },
      artifact: {
        messages: [
          { role: 'system', message: 'You are kind.', time: 1_795_165_200_000 },
          ...TURNS.map(([by, message], place) => ({
            role: by === 'caller' ? 'user' : 'bot',
            message,
            time: 1_795_165_201_000 + place * 1_000,
          })),
        ],
      },
    },
  })
}

export function ourReport(call: object = {}): string {
  return JSON.stringify({
    callId: 'ours-1',
    from: '+16505551234',
    to: '+15550783881',
    direction: 'inbound',
    startedAt: '2026-11-20T09:00:00Z',
    endedAt: '2026-11-20T09:01:00Z',
    turns: TURNS.map(([role, text]) => ({ role, text })),
    ...call,
  })
}

export function telnyxReport(conversationId = 'telnyx-1', payload: object = {}): string {
  return JSON.stringify({
    data: {
      event_type: 'call.conversation.ended',
      occurred_at: '2026-11-20T09:01:00Z',
      payload: {
        conversation_id: conversationId,
        from: '+16505551234',
        to: 'shop@assistant.sip.telnyx.com',
        ...payload,
      },
    },
  })
}

/** The transcript of every report. */
export const TURNS: readonly Turn[] = [
  ['agent', 'Hello, how can I help?'],
  ['caller', 'Where is my order?'],
  ['agent', 'It leaves today.'],
  ['caller', 'Thank you'],
]
