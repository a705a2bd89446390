/**
 * Polling of the bridge for a number: customers' messages, the state of the link, and changed keys. The bridge has no
 * disk: when it has no session for the number, it receives the stored state; it returns each change until a later
 * poll confirms that it is stored.
 *
 * The session is a fencing token: opening one ends the previous one, so that one of two writers is refused.
 * Spec: QR bridge › Asking for what happened.
 */
import { fact, type Fact } from '../../../core/facts/fact.ts'
import { BRIDGE_LIMITS } from '../../../core/limits/messaging.ts'
import type { PollOutcome, PollOptions } from '../channel-adapter.ts'
import type { ChannelAccess } from '../channel-access.ts'
import type { ProviderEvent, ProviderError } from '../inbound.ts'
import {
  readFields,
  readProviderJson,
  readList,
  readText,
  type Fields,
} from '../provider/read-values.ts'
import { refusalCode, bridgeError, type BridgeClient } from './bridge-client.ts'
import type { BridgeAddress } from '../base-urls.ts'
import { LINK_NAME, readStoredLink, readLinkState, type LinkState } from './link-state.ts'
import { isOfBacklog, readQrEvent } from './read-event.ts'

type At = { bridge: BridgeClient; address: BridgeAddress; channel: ChannelAccess }

/** The name under which a channel's state has the number that was linked first. */
export const NUMBER_NAME = 'number'
/**
 * The name of the time since when the link is known to be uninterrupted and without a backlog; unset while it is
 * down.
 */
const LINKED_SINCE = 'linkedSince'
const NAMES = ['session', 'cursor', 'names', NUMBER_NAME, 'seen', LINKED_SINCE, LINK_NAME]
const STATE = 'state.'
const STATE_NAME = /^[\w.:/@-]{1,200}$/

/** Polls the bridge once for a number's new events and the state of its link. */
export async function pollBridge(at: At, options: PollOptions): Promise<PollOutcome> {
  const stored = await options.recall(NAMES)
  const session = stored.get('session')
  if (session === undefined) return open(at, options, stored)
  const response = await at.bridge.call(at.address, {
    path: ['numbers', at.channel.route, 'events'],
    json: { session, after: Number(stored.get('cursor') ?? 0), waitMs: options.waitMs },
    deadlineMs: options.waitMs + BRIDGE_LIMITS.beyondWaitMs,
    signal: options.signal,
  })
  if (refusalCode(response) === 'no_session') return open(at, options, stored)
  if (response.outcome !== 'answered' || response.status !== 200) {
    return { outcome: 'refused', error: bridgeError(response) }
  }
  const answer = readFields(readProviderJson(response.bytes))
  if (!isRound(answer)) return { outcome: 'refused', error: unexpectedResponse() }
  return readRound(at, options, stored, answer)
}

/** Returns whether a response has the form of a bridge's. */
function isRound({ cursor, events, link }: Fields): boolean {
  if (typeof cursor !== 'number' || readText(readFields(link).status) === undefined) return false
  return Array.isArray(events) && events.length <= BRIDGE_LIMITS.eventsInRound
}

const unexpectedResponse = (): ProviderError => ({
  code: 'strange_answer',
  class: 'transient',
  message: '',
  why: fact('qr_bridge_strange'),
})

/** Opens a session with the stored state; without state the bridge shows a code for scanning. */
async function open(
  { bridge, address, channel }: At,
  { recall, signal }: PollOptions,
  stored: ReadonlyMap<string, string>,
): Promise<PollOutcome> {
  const state = await recall(namesIn(stored).map((name) => `${STATE}${name}`))
  const response = await bridge.call(address, {
    path: ['numbers', channel.route, 'open'],
    json: {
      state: Object.fromEntries(
        [...state].map(([name, value]) => [name.slice(STATE.length), value]),
      ),
    },
    signal,
  })
  const session =
    response.outcome === 'answered' && response.status === 200
      ? readText(readFields(readProviderJson(response.bytes)).session)
      : undefined
  if (session === undefined) {
    const isStrange = response.outcome === 'answered' && response.status === 200
    return { outcome: 'refused', error: isStrange ? unexpectedResponse() : bridgeError(response) }
  }
  return {
    outcome: 'polled',
    events: [],
    keep: { session, cursor: '0', [LINKED_SINCE]: null },
    againInMs: 0,
  }
}

const namesIn = (stored: ReadonlyMap<string, string>) =>
  readList(readProviderJson(stored.get('names') ?? '[]')).filter((name) => typeof name === 'string')

async function readRound(
  at: At,
  { receivedAt }: PollOptions,
  stored: ReadonlyMap<string, string>,
  answer: Fields,
): Promise<PollOutcome> {
  const { channel } = at
  const before = readStoredLink(stored.get(LINK_NAME))
  const link = withKnownLid(readLinkState(answer.link), before)
  const keep: Record<string, string | null> = {
    ...stateOf(answer.keep, stored),
    ...(typeof answer.cursor === 'number' && { cursor: String(answer.cursor) }),
  }
  const seen = Date.parse(stored.get('seen') ?? '')
  const events = readList(answer.events)
  const reported = events.flatMap((event) =>
    readQrEvent(event, {
      route: channel.route,
      receivedAt,
      missedSince: Number.isNaN(seen) ? null : new Date(seen),
      own: { number: link.number ?? stored.get(NUMBER_NAME), lid: link.lid ?? before?.lid },
    }),
  )
  const isOwn = isOfItsNumber(link, stored)
  if (JSON.stringify(before) !== JSON.stringify(link)) keep[LINK_NAME] = JSON.stringify(link)
  const end = await endOf(at, link, stored)
  if (end) {
    const wiped = end.deletesState ? deleteAll({ ...keep }, stored) : {}
    return {
      outcome: 'polled',
      // Messages to another number are not this company's.
      events: [
        ...(isOwn ? reported : []),
        channelStateEvent(channel, { isConnected: false, why: end.why }),
      ],
      keep: { ...keep, ...wiped, session: null, cursor: null, [LINKED_SINCE]: null },
      againInMs: 0,
    }
  }
  const isLinked = link.status === 'linked'
  const isNew = isLinked && (before?.status !== 'linked' || before.number !== link.number)
  const isQuiet = !isNew && !events.some(isOfBacklog)
  Object.assign(keep, updateSeen(receivedAt, stored, { isLinked, isQuiet }))
  // A connection may break again before it was reported.
  if ((isNew || !stored.has(NUMBER_NAME)) && link.number !== undefined) {
    keep[NUMBER_NAME] = link.number
    // Another channel may have the number. The bridge repeats the events once this channel is confirmed to have it.
    delete keep['cursor']
    const state = channelStateEvent(channel, { isConnected: true, displayNumber: link.number })
    return { outcome: 'polled', events: [state], keep, againInMs: 0 }
  }
  const problem = problemOf(link)
  const polled = { outcome: 'polled', keep, againInMs: 0, ...(problem && { problem }) } as const
  if (isOwn) return { ...polled, events: reported }
  // The link reveals the number. The bridge repeats the events until then.
  if (events.length > 0) delete keep['cursor']
  return { ...polled, events: [] }
}

/** Completes the lid from the previous state, as it never changes. */
function withKnownLid(link: LinkState, before: LinkState | null): LinkState {
  const isOfAnother = link.number !== undefined && link.number !== (before?.number ?? link.number)
  const isKnown = link.status === 'connecting' || link.status === 'linked'
  if (link.lid !== undefined || before?.lid === undefined || !isKnown || isOfAnother) return link
  return { ...link, lid: before.lid }
}

/** Returns whether events belong to the channel: to its number, or to a link that was already its own. */
function isOfItsNumber(
  { status, number }: LinkState,
  stored: ReadonlyMap<string, string>,
): boolean {
  if (number !== undefined) return number === stored.get(NUMBER_NAME)
  return status === 'linked' || stored.has('seen')
}

/**
 * Returns the time until which no event can have been missed. It lags: the link is reported before the backlog, which
 * takes a while and is extended by each part. It is rarely written, as duplicates are detected.
 */
function updateSeen(
  receivedAt: Date,
  stored: ReadonlyMap<string, string>,
  { isLinked, isQuiet }: { isLinked: boolean; isQuiet: boolean },
): Record<string, string | null> {
  const storedSince = stored.get(LINKED_SINCE)
  if (!isLinked) return storedSince === undefined ? {} : { [LINKED_SINCE]: null }
  const nowMs = receivedAt.getTime()
  const lagging = nowMs - BRIDGE_LIMITS.seenLagMs
  const seen = Date.parse(stored.get('seen') ?? '')
  const since = Date.parse(storedSince ?? '')
  // A future time dates from before the clock was set back.
  const isSince = isQuiet && since <= nowMs
  const keep = isSince ? {} : { [LINKED_SINCE]: receivedAt.toISOString() }
  // There is no backlog before the first link.
  if (Number.isNaN(seen)) return { ...keep, seen: receivedAt.toISOString() }
  const isDue = isSince && since <= lagging && lagging - seen >= BRIDGE_LIMITS.seenEveryMs
  return isDue || seen > nowMs ? { ...keep, seen: new Date(lagging).toISOString() } : keep
}

/** Returns state that the bridge wants stored, and the list of stored names. */
function stateOf(
  value: unknown,
  stored: ReadonlyMap<string, string>,
): Record<string, string | null> {
  const keep: Record<string, string | null> = {}
  const names = new Set(namesIn(stored))
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

function deleteAll(
  keep: Readonly<Record<string, string | null>>,
  stored: ReadonlyMap<string, string>,
): Record<string, null> {
  const names = new Set([
    ...namesIn(stored).map((name) => `${STATE}${name}`),
    ...Object.keys(keep).filter((name) => name.startsWith(STATE)),
  ])
  return Object.fromEntries([...names, 'names', 'seen'].map((name) => [name, null]))
}

type End = { why: Fact; deletesState: boolean }

/** Returns why polling must end; null while it continues. */
async function endOf(
  { bridge, address, channel }: At,
  { status, number }: LinkState,
  stored: ReadonlyMap<string, string>,
): Promise<End | null> {
  switch (status) {
    case 'logged_out':
      return { why: fact('qr_logged_out'), deletesState: true }
    case 'banned':
      return { why: fact('qr_banned'), deletesState: false }
    case 'replaced':
      return { why: fact('qr_replaced'), deletesState: false }
    case 'expired':
      return { why: fact('qr_not_scanned'), deletesState: false }
    case 'connecting':
    case 'linked': {
      // Its conversations belong to the number that was linked first.
      const known = stored.get(NUMBER_NAME)
      if (known === undefined || number === undefined || known === number) return null
      await bridge.call(address, { path: ['numbers', channel.route, 'logout'], json: {} })
      return { why: fact('qr_other_number', { number: `+${known}` }), deletesState: true }
    }
    case 'pairing':
      return null
  }
}

function problemOf({ status, code }: LinkState): Fact | null {
  if (status === 'pairing') return fact('qr_scan_needed')
  return status === 'connecting' && code !== undefined ? fact('qr_connecting', { code }) : null
}

function channelStateEvent(
  { route }: ChannelAccess,
  state: { isConnected: boolean; why?: Fact; displayNumber?: string },
): ProviderEvent {
  return { kind: 'channel_state', account: route, reason: '', ...state }
}
