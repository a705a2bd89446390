/**
 * One round of asking the bridge for a number: what customers wrote, how it stands with the phone, and what
 * of its keys has changed. The bridge keeps nothing on disk: it is given what we have kept when it has no
 * session for the number, and gives back every change until a later round says that it is kept.
 *
 * The session is the fence: whoever opens one ends the one before, so that of two writers one is refused.
 * Spec: QR bridge › Asking for what happened.
 */
import { fact, type Fact } from '../../../core/facts/fact.ts'
import { BRIDGE_LIMITS } from '../../../core/limits/messaging.ts'
import type { Polled, PollOptions } from '../channel-adapter.ts'
import type { ChannelAccess } from '../channel-access.ts'
import type { ProviderEvent, ProviderError } from '../inbound.ts'
import { readFields, readJson, readList, readText, type Fields } from '../provider/read-values.ts'
import { refusalCode, whyNot, type Bridge } from './bridge-client.ts'
import type { BridgeAddress } from '../base-urls.ts'
import { LINK_NAME, readKeptLink, readLinkState, type LinkState } from './link-state.ts'
import { isOfBacklog, readQrEvent } from './read-event.ts'

type At = { bridge: Bridge; address: BridgeAddress; channel: ChannelAccess }

/** Under which the number is kept that it was linked to first. */
export const NUMBER_NAME = 'number'
/** Since when it is linked without a break that we know of, and tells of no break before; none while it is away. */
const LINKED_SINCE = 'linkedSince'
const NAMES = ['session', 'cursor', 'names', NUMBER_NAME, 'seen', LINKED_SINCE, LINK_NAME]
const STATE = 'state.'
const STATE_NAME = /^[\w.:/@-]{1,200}$/

export async function pollBridge(at: At, options: PollOptions): Promise<Polled> {
  const kept = await options.recall(NAMES)
  const session = kept.get('session')
  if (session === undefined) return open(at, options, kept)
  const asked = await at.bridge.ask(at.address, {
    path: ['numbers', at.channel.route, 'events'],
    json: { session, after: Number(kept.get('cursor') ?? 0), waitMs: options.waitMs },
    deadlineMs: options.waitMs + BRIDGE_LIMITS.beyondWaitMs,
    signal: options.signal,
  })
  if (refusalCode(asked) === 'no_session') return open(at, options, kept)
  if (asked.outcome !== 'answered' || asked.status !== 200) {
    return { outcome: 'refused', error: whyNot(asked) }
  }
  const answer = readFields(readJson(asked.bytes))
  if (!isRound(answer)) return { outcome: 'refused', error: strange() }
  return readRound(at, options, kept, answer)
}

/** Whoever answers otherwise is no bridge: what they say is of no number. */
function isRound({ cursor, events, link }: Fields): boolean {
  if (typeof cursor !== 'number' || readText(readFields(link).status) === undefined) return false
  return Array.isArray(events) && events.length <= BRIDGE_LIMITS.eventsInRound
}

const strange = (): ProviderError => ({
  code: 'strange_answer',
  class: 'transient',
  message: '',
  why: fact('qr_bridge_strange'),
})

/** Gives the bridge what is kept of the number; without anything it shows a code to be scanned. */
async function open(
  { bridge, address, channel }: At,
  { recall, signal }: PollOptions,
  kept: ReadonlyMap<string, string>,
): Promise<Polled> {
  const state = await recall(namesIn(kept).map((name) => `${STATE}${name}`))
  const asked = await bridge.ask(address, {
    path: ['numbers', channel.route, 'open'],
    json: {
      state: Object.fromEntries(
        [...state].map(([name, value]) => [name.slice(STATE.length), value]),
      ),
    },
    signal,
  })
  const session =
    asked.outcome === 'answered' && asked.status === 200
      ? readText(readFields(readJson(asked.bytes)).session)
      : undefined
  if (session === undefined) {
    const isStrange = asked.outcome === 'answered' && asked.status === 200
    return { outcome: 'refused', error: isStrange ? strange() : whyNot(asked) }
  }
  return {
    outcome: 'asked',
    facts: [],
    keep: { session, cursor: '0', [LINKED_SINCE]: null },
    againInMs: 0,
  }
}

const namesIn = (kept: ReadonlyMap<string, string>) =>
  readList(readJson(kept.get('names') ?? '[]')).filter((name) => typeof name === 'string')

async function readRound(
  at: At,
  { receivedAt }: PollOptions,
  kept: ReadonlyMap<string, string>,
  answer: Fields,
): Promise<Polled> {
  const { channel } = at
  const before = readKeptLink(kept.get(LINK_NAME))
  const link = withKnownLid(readLinkState(answer.link), before)
  const keep: Record<string, string | null> = {
    ...stateOf(answer.keep, kept),
    ...(typeof answer.cursor === 'number' && { cursor: String(answer.cursor) }),
  }
  const seen = Date.parse(kept.get('seen') ?? '')
  const events = readList(answer.events)
  const facts = events.flatMap((event) =>
    readQrEvent(event, {
      route: channel.route,
      receivedAt,
      missedSince: Number.isNaN(seen) ? null : new Date(seen),
      own: { number: link.number ?? kept.get(NUMBER_NAME), lid: link.lid ?? before?.lid },
    }),
  )
  const isOwn = isOfItsNumber(link, kept)
  if (JSON.stringify(before) !== JSON.stringify(link)) keep[LINK_NAME] = JSON.stringify(link)
  const end = await endOf(at, link, kept)
  if (end) {
    const wiped = end.isForgotten ? forgetAll({ ...keep }, kept) : {}
    return {
      outcome: 'asked',
      // What another number was written is not this company's.
      facts: [...(isOwn ? facts : []), stateFact(channel, { isConnected: false, why: end.why })],
      keep: { ...keep, ...wiped, session: null, cursor: null, [LINKED_SINCE]: null },
      againInMs: 0,
    }
  }
  const isLinked = link.status === 'linked'
  const isNew = isLinked && (before?.status !== 'linked' || before.number !== link.number)
  const isQuiet = !isNew && !events.some(isOfBacklog)
  Object.assign(keep, keepSeen(receivedAt, kept, { isLinked, isQuiet }))
  // A connection may be lost again before anybody has heard that it was there.
  if ((isNew || !kept.has(NUMBER_NAME)) && link.number !== undefined) {
    keep[NUMBER_NAME] = link.number
    // Another channel may have the number. What happened is told again once this one is known to have it.
    delete keep['cursor']
    const told = stateFact(channel, { isConnected: true, displayNumber: link.number })
    return { outcome: 'asked', facts: [told], keep, againInMs: 0 }
  }
  const problem = problemOf(link)
  const asked = { outcome: 'asked', keep, againInMs: 0, ...(problem && { problem }) } as const
  if (isOwn) return { ...asked, facts }
  // Whose it is is told with the link. Until then it comes again.
  if (events.length > 0) delete keep['cursor']
  return { ...asked, facts: [] }
}

/** The lid of a number stays the same: it is known where a link does not say it. */
function withKnownLid(link: LinkState, before: LinkState | null): LinkState {
  const isOfAnother = link.number !== undefined && link.number !== (before?.number ?? link.number)
  const isKnown = link.status === 'connecting' || link.status === 'linked'
  if (link.lid !== undefined || before?.lid === undefined || !isKnown || isOfAnother) return link
  return { ...link, lid: before.lid }
}

/** Whether what happened is this channel's: of its number, or of a link that has been its own before. */
function isOfItsNumber({ status, number }: LinkState, kept: ReadonlyMap<string, string>): boolean {
  if (number !== undefined) return number === kept.get(NUMBER_NAME)
  return status === 'linked' || kept.has('seen')
}

/**
 * Until when nothing can have been missed. It lags behind: the link is told of before what was missed comes, which takes
 * a while, and lasts as long as more of it comes. Written seldom: what comes twice by that is found known.
 */
function keepSeen(
  receivedAt: Date,
  kept: ReadonlyMap<string, string>,
  { isLinked, isQuiet }: { isLinked: boolean; isQuiet: boolean },
): Record<string, string | null> {
  const keptSince = kept.get(LINKED_SINCE)
  if (!isLinked) return keptSince === undefined ? {} : { [LINKED_SINCE]: null }
  const nowMs = receivedAt.getTime()
  const lagging = nowMs - BRIDGE_LIMITS.seenLagMs
  const seen = Date.parse(kept.get('seen') ?? '')
  const since = Date.parse(keptSince ?? '')
  // A time of the future is of before the clock was put back.
  const isSince = isQuiet && since <= nowMs
  const keep = isSince ? {} : { [LINKED_SINCE]: receivedAt.toISOString() }
  // Of before its first link nothing was missed.
  if (Number.isNaN(seen)) return { ...keep, seen: receivedAt.toISOString() }
  const isDue = isSince && since <= lagging && lagging - seen >= BRIDGE_LIMITS.seenEveryMs
  return isDue || seen > nowMs ? { ...keep, seen: new Date(lagging).toISOString() } : keep
}

/** What the bridge wants kept, and the list of the names under which something is. */
function stateOf(value: unknown, kept: ReadonlyMap<string, string>): Record<string, string | null> {
  const keep: Record<string, string | null> = {}
  const names = new Set(namesIn(kept))
  const known = names.size
  let isChanged = false
  for (const [name, content] of Object.entries(readFields(value))) {
    if (!STATE_NAME.test(name)) continue
    if (typeof content === 'string') {
      keep[`${STATE}${name}`] = content
      names.add(name)
    } else {
      keep[`${STATE}${name}`] = null
      isChanged = names.delete(name) || isChanged
    }
  }
  if (isChanged || names.size !== known) keep['names'] = JSON.stringify([...names])
  return keep
}

function forgetAll(
  keep: Readonly<Record<string, string | null>>,
  kept: ReadonlyMap<string, string>,
): Record<string, null> {
  const names = new Set([
    ...namesIn(kept).map((name) => `${STATE}${name}`),
    ...Object.keys(keep).filter((name) => name.startsWith(STATE)),
  ])
  return Object.fromEntries([...names, 'names', 'seen'].map((name) => [name, null]))
}

type End = { why: Fact; isForgotten: boolean }

/** Why the number is not to be asked for any more; null while it is. */
async function endOf(
  { bridge, address, channel }: At,
  { status, number }: LinkState,
  kept: ReadonlyMap<string, string>,
): Promise<End | null> {
  switch (status) {
    case 'logged_out':
      return { why: fact('qr_logged_out'), isForgotten: true }
    case 'banned':
      return { why: fact('qr_banned'), isForgotten: false }
    case 'replaced':
      return { why: fact('qr_replaced'), isForgotten: false }
    case 'expired':
      return { why: fact('qr_not_scanned'), isForgotten: false }
    case 'connecting':
    case 'linked': {
      // Its conversations are those of the number that it was linked to first.
      const known = kept.get(NUMBER_NAME)
      if (known === undefined || number === undefined || known === number) return null
      await bridge.ask(address, { path: ['numbers', channel.route, 'logout'], json: {} })
      return { why: fact('qr_other_number', { number: `+${known}` }), isForgotten: true }
    }
    case 'pairing':
      return null
  }
}

function problemOf({ status, code }: LinkState): Fact | null {
  if (status === 'pairing') return fact('qr_scan_needed')
  return status === 'connecting' && code !== undefined ? fact('qr_connecting', { code }) : null
}

function stateFact(
  { route }: ChannelAccess,
  told: { isConnected: boolean; why?: Fact; displayNumber?: string },
): ProviderEvent {
  return { kind: 'channel_state', account: route, reason: '', ...told }
}
