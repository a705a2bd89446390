/** A call as its report tells it, whoever wrote the report; and what it is to the house. */
import {
  NOBODYS_HOSTS,
  NOBODYS_USERS,
  SPELLED_NUMBERS,
} from '../../../core/vocabulary/withheld-callers.ts'
import type { CustomerRef, ProviderEvent } from '../inbound.ts'
import { readText } from '../provider/read-values.ts'

export type CallReport = {
  callId: string
  isOutbound: boolean
  /** As the provider writes them: E.164, a SIP address, a word for a withheld number, nothing. */
  from: unknown
  to: unknown
  customerName?: unknown
  startedAt: Date | null
  turns: readonly CallTurn[]
}

export type CallTurn = {
  by: 'caller' | 'agent'
  text: unknown
  /** Null where the report has no times of turns. */
  at: Date | null
}

/**
 * One message a turn of the caller, and what the agent said beside it. Ids are the call's with the number
 * of the turn among its speaker's own, so that a report that comes again, or grows, tells nothing twice.
 * Turns without times stand a millisecond apart in their order, the caller's first at the start of the call.
 */
export function factsOfCall(report: CallReport, route: string): ProviderEvent[] {
  const customer = customerOf(report)
  const firstOfCaller = Math.max(
    report.turns.findIndex(({ by }) => by === 'caller'),
    0,
  )
  const count = { caller: 0, agent: 0 }
  const facts = report.turns.flatMap(({ by, text: said, at }, place): ProviderEvent[] => {
    const id = by === 'caller' ? `${count.caller++}` : `a${count.agent++}`
    const text = readText(typeof said === 'string' ? said.trim() : said)
    if (text === undefined) return []
    const turn = {
      route,
      providerMessageId: `${report.callId}:${id}`,
      customer,
      type: 'text',
      text,
      at: at ?? after(report.startedAt, place - firstOfCaller),
    } as const
    return [by === 'caller' ? { kind: 'message', ...turn } : { kind: 'echo', by: 'agent', ...turn }]
  })
  return facts.length === 0 ? [{ kind: 'ignored', why: 'a call in which nothing was said' }] : facts
}

function after(startedAt: Date | null, ms: number): Date | null {
  return startedAt && new Date(startedAt.getTime() + ms)
}

/** Whoever is not known by a number is known by what the provider calls them, else by the call. */
function customerOf({ callId, isOutbound, from, to, customerName }: CallReport): CustomerRef {
  const said = readText(isOutbound ? to : from)
  const told = said !== undefined && isNobodys(said) ? undefined : said
  const number = /^\+([1-9]\d{4,14})$/.exec(told ?? '')?.[1]
  const profileName = readText(customerName)
  return {
    ...(number === undefined ? { providerUserId: isAddress(told) ? told : callId } : { number }),
    ...(profileName !== undefined && { profileName }),
  }
}

/** A withheld number comes as a word that many callers share, which may have the form of an address or a number. */
function isNobodys(told: string): boolean {
  const [name = '', place = ''] = told.toLowerCase().split('@', 2)
  const user = name.split(/[\s:<"]/).at(-1)!
  const [host] = place.split(/[\s:;>]/, 1)
  return (
    SPELLED_NUMBERS.includes(told.replace(/^\+/, '')) ||
    (place !== '' && NOBODYS_USERS.includes(user)) ||
    host!.endsWith(NOBODYS_HOSTS)
  )
}

function isAddress(told: string | undefined): told is string {
  return told !== undefined && (told.includes('@') || /^\d{3,20}$/.test(told))
}

/** An instant in milliseconds since 1970, or in ISO 8601; else null. */
export function readInstant(value: unknown): Date | null {
  const at = typeof value === 'number' || typeof value === 'string' ? new Date(value) : null
  return at !== null && at.getTime() > 0 ? at : null
}

export type VoiceCredentials = { secret: string; apiKey?: string }
