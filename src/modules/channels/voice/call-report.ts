/** Calls as their reports describe them, in one form for all providers, and their events. */
import {
  WITHHELD_HOST_ENDING,
  WITHHELD_USERS,
  SPELLED_NUMBERS,
} from '../../../core/vocabulary/withheld-callers.ts'
import type { CustomerRef, ProviderEvent } from '../inbound.ts'
import { readText } from '../provider/read-values.ts'

/** A report of a call. */
export type CallReport = {
  callId: string
  isOutbound: boolean
  /** The parties as the provider writes them: E.164, a SIP address, a word for a withheld number, or nothing. */
  from: unknown
  to: unknown
  customerName?: unknown
  startedAt: Date | null
  turns: readonly CallTurn[]
}

/** A turn of a call. */
export type CallTurn = {
  by: 'caller' | 'agent'
  text: unknown
  /** The time; null when the report has no times of turns. */
  at: Date | null
}

/**
 * Converts the report of a call to provider events: a message for each turn of the caller, an echo for each of the
 * agent. Ids consist of the call's id and the turn's number among its speaker's turns, so that a repeated or extended
 * report creates no duplicates. Turns without times are one millisecond apart, the caller's first one at the start of
 * the call.
 */
export function eventsOfCall(report: CallReport, route: string): ProviderEvent[] {
  const customer = customerOf(report)
  const firstOfCaller = Math.max(
    report.turns.findIndex(({ by }) => by === 'caller'),
    0,
  )
  const count = { caller: 0, agent: 0 }
  const events = report.turns.flatMap(({ by, text: said, at }, index): ProviderEvent[] => {
    const id = by === 'caller' ? `${count.caller++}` : `a${count.agent++}`
    const text = readText(typeof said === 'string' ? said.trim() : said)
    if (text === undefined) return []
    const turn = {
      route,
      providerMessageId: `${report.callId}:${id}`,
      customer,
      type: 'text',
      text,
      at: at ?? after(report.startedAt, index - firstOfCaller),
    } as const
    return [by === 'caller' ? { kind: 'message', ...turn } : { kind: 'echo', by: 'agent', ...turn }]
  })
  return events.length === 0
    ? [{ kind: 'ignored', why: 'a call in which nothing was said' }]
    : events
}

function after(startedAt: Date | null, ms: number): Date | null {
  return startedAt && new Date(startedAt.getTime() + ms)
}

/** Identifies the customer by number, else by the provider's address, else by the call. */
function customerOf({ callId, isOutbound, from, to, customerName }: CallReport): CustomerRef {
  const said = readText(isOutbound ? to : from)
  const address = said !== undefined && isWithheld(said) ? undefined : said
  const number = /^\+([1-9]\d{4,14})$/.exec(address ?? '')?.[1]
  const profileName = readText(customerName)
  return {
    ...(number === undefined
      ? { providerUserId: isAddress(address) ? address : callId }
      : { number }),
    ...(profileName !== undefined && { profileName }),
  }
}

/**
 * Returns whether an address is a word for a withheld number, which many callers share; it may resemble an address or
 * a number.
 */
function isWithheld(address: string): boolean {
  const [name = '', domain = ''] = address.toLowerCase().split('@', 2)
  const user = name.split(/[\s:<"]/).at(-1)!
  const [host] = domain.split(/[\s:;>]/, 1)
  return (
    SPELLED_NUMBERS.includes(address.replace(/^\+/, '')) ||
    (domain !== '' && WITHHELD_USERS.includes(user)) ||
    host!.endsWith(WITHHELD_HOST_ENDING)
  )
}

function isAddress(address: string | undefined): address is string {
  return address !== undefined && (address.includes('@') || /^\d{3,20}$/.test(address))
}

/** Parses milliseconds since 1970 or ISO 8601. Returns null for anything else. */
export function readInstant(value: unknown): Date | null {
  const at = typeof value === 'number' || typeof value === 'string' ? new Date(value) : null
  return at !== null && at.getTime() > 0 ? at : null
}

/** The secrets of a voice channel, decrypted; they are stored encrypted. */
export type VoiceCredentials = { secret: string; apiKey?: string }
