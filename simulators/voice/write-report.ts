/** The report of a call in its provider's form: its fields, its names for the speakers, its signature. */
import { createHmac } from 'node:crypto'
import { SECOND_MS } from '../time.ts'

/** A call that has ended, as its report describes it. */
export type SimulatedCall = {
  id: string
  /** The caller's number in E.164; null if it is withheld. */
  from: string | null
  to: string
  startedAt: number
  endedAt: number
  turns: readonly { by: 'caller' | 'agent'; text: string; at: number }[]
}

/** The providers of phone calls whose reports the simulator can write. */
export const REPORT_FORMATS = ['signed', 'retell', 'vapi'] as const
/** A provider of phone calls whose reports the simulator can write. */
export type ReportFormat = (typeof REPORT_FORMATS)[number]

/** The body and the headers of a report. */
export type WrittenReport = { body: string; headers: Record<string, string> }

const hmac = (secret: string, text: string) =>
  createHmac('sha256', secret).update(text).digest('hex')

/** Returns the webhook that reports an ended call, signed, in the form of a provider. */
export function writeReport(
  provider: ReportFormat,
  call: SimulatedCall,
  { secret, now }: { secret: string; now: number },
): WrittenReport {
  const body = JSON.stringify(FORMS[provider](call))
  return {
    body,
    headers: { 'content-type': 'application/json', ...sign(provider, body, secret, now) },
  }
}

function sign(
  provider: ReportFormat,
  body: string,
  secret: string,
  now: number,
): Record<string, string> {
  const seconds = Math.floor(now / SECOND_MS)
  switch (provider) {
    case 'retell':
      return { 'x-retell-signature': `v=${now},d=${hmac(secret, `${body}${now}`)}` }
    case 'vapi':
      return { 'x-vapi-secret': secret }
    case 'signed':
      return { 'x-call-signature': `t=${seconds},v1=${hmac(secret, `${seconds}.${body}`)}` }
  }
}

const FORMS: Readonly<Record<ReportFormat, (call: SimulatedCall) => object>> = {
  retell: ({ id, from, to, startedAt, endedAt, turns }) => ({
    event: 'call_ended',
    call: {
      call_type: 'phone_call',
      from_number: from ?? 'anonymous',
      to_number: to,
      direction: 'inbound',
      call_id: id,
      agent_id: 'simulated',
      call_status: 'ended',
      metadata: {},
      retell_llm_dynamic_variables: {},
      start_timestamp: startedAt,
      end_timestamp: endedAt,
      disconnection_reason: 'user_hangup',
      transcript: turns
        .map(({ by, text }) => `${by === 'caller' ? 'User' : 'Agent'}: ${text}`)
        .join('\n'),
      transcript_object: turns.map(({ by, text }) => ({
        role: by === 'caller' ? 'user' : 'agent',
        content: text,
      })),
      opt_out_sensitive_data_storage: false,
    },
  }),
  vapi: ({ id, from, to, startedAt, endedAt, turns }) => ({
    message: {
      type: 'end-of-call-report',
      timestamp: endedAt,
      startedAt: new Date(startedAt).toISOString(),
      endedAt: new Date(endedAt).toISOString(),
      endedReason: 'customer-ended-call',
      call: { id, type: 'inboundPhoneCall' },
      phoneNumber: { number: to },
      customer: from === null ? {} : { number: from },
      artifact: {
        messages: turns.map(({ by, text, at }) => ({
          role: by === 'caller' ? 'user' : 'bot',
          message: text,
          time: at,
          secondsFromStart: (at - startedAt) / SECOND_MS,
        })),
      },
    },
  }),
  signed: ({ id, from, to, startedAt, endedAt, turns }) => ({
    callId: id,
    from: from ?? 'anonymous',
    to,
    direction: 'inbound',
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(endedAt).toISOString(),
    turns: turns.map(({ by, text, at }) => ({ role: by, text, at: new Date(at).toISOString() })),
  }),
}
