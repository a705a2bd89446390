/** The rules that hold after every step of an identity case, whatever the case expects. */
import type { Step } from './identity-case.ts'
import { lineOf } from './identity-line.ts'
import type { EventOfCase, Moment, Play } from './identity-play.ts'
import { isOf, letterOf, lookAt, noteEvents, saysStart, survivorOf } from './identity-play.ts'
import { contactOfId } from './identity-who.ts'

/** The parts of a case that the rules read. */
type Seen = Pick<Play, 'letters' | 'erased' | 'moment'>

/** The contacts that a START of the customer or a member has opted in, until they are opted out again. */
export type OptedIn = { starts: Set<string>; members: Set<string>; out: Set<string> }

export const nobodyOptedIn = (): OptedIn => ({
  starts: new Set(),
  members: new Set(),
  out: new Set(),
})

/** Records the state after a step, and adds a fault for each rule that is broken. */
export async function checkAlways(
  play: Play,
  step: Step,
  opted: OptedIn,
  optedInBy: string | null,
): Promise<void> {
  const before = play.moment
  const events = await noteEvents(play)
  play.moment = await lookAt(play.company)
  noteOptIns(play, step, opted, optedInBy)
  for (const fault of faultsAfterStep(play, before, events, opted)) {
    if (!play.faults.includes(fault)) play.faults.push(fault)
  }
}

/** Returns the rules that are broken after a step. `before` is the state before it. */
export const faultsAfterStep = (
  play: Seen,
  before: Moment,
  events: readonly EventOfCase[],
  opted: OptedIn,
): string[] => [
  ...faultsOfIdentifiers(play),
  ...faultsOfTalks(play),
  ...faultsOfEvents(play, events),
  ...faultsOfSends(play, before, events),
  ...faultsOfOptIns(play, opted),
]

/** Records the contacts opted in by a START or by a member. */
function noteOptIns(play: Play, step: Step, opted: OptedIn, by: string | null): void {
  if (by !== null) opted.members.add(by)
  for (const one of step.steps ?? [step]) {
    if (!saysStart(one)) continue
    const message = play.moment.messages.find(({ id }) => isOf(play, one.label!, id))
    const talk = play.moment.conversations.find(({ id }) => id === message?.conversationId)
    if (talk?.contactId) opted.starts.add(talk.contactId)
  }
}

function faultsOfIdentifiers({ moment, letters }: Seen): string[] {
  const name = (id: string) => letterOf({ letters }, id)
  const shared = [...moment.holders].filter(([, held]) => held.size > 1)
  const shown = new Map<string, string[]>()
  for (const { id, phone, whatsappId } of moment.contacts) {
    const ids = [phone && lineOf(phone.slice(1)), whatsappId]
    for (const one of ids) if (one) shown.set(one, [...(shown.get(one) ?? []), id])
  }
  return [
    ...shared.map(([one, held]) => `always: ${one} finds ${[...held].map(name).join(' and ')}`),
    ...[...shown]
      .filter(([, by]) => by.length > 1)
      .map(([one, by]) => `always: ${by.map(name).join(' and ')} show ${one}`),
  ]
}

function faultsOfTalks(play: Seen): string[] {
  return play.moment.conversations.flatMap(({ contactId, filedUnder }) => {
    const owner = contactOfId(play.moment.holders, filedUnder)
    if (owner === null || contactId === null || owner === contactId) return []
    const names = [owner, contactId].map((id) => letterOf(play, id))
    return [`always: the conversation of ${filedUnder}, who is ${names[0]}, is with ${names[1]}`]
  })
}

/**
 * Returns events with another contact than their conversation's. Both sides follow merges of the same step, because the
 * event names the contact of that moment.
 */
function faultsOfEvents(play: Seen, events: readonly EventOfCase[]): string[] {
  return events.flatMap(({ type, contactId, conversationId }) => {
    const talk = play.moment.conversations.find(({ id }) => id === conversationId)
    if (contactId === null || !talk?.contactId) return []
    const [named, current] = [contactId, talk.contactId].map((id) => survivorOf(play.moment, id))
    if (named === current) return []
    const names = [contactId, talk.contactId].map((id) => letterOf(play, id))
    return [`always: ${type} names ${names[0]} in a conversation with ${names[1]}`]
  })
}

/**
 * Returns sends to contacts who were opted out. Staff may answer them; automatic messages and templates are refused.
 */
function faultsOfSends(play: Seen, before: Moment, events: readonly EventOfCase[]): string[] {
  const known = new Set(before.messages.map(({ id }) => id))
  const isOut = ({ contacts }: Moment, id: string) =>
    contacts.some((contact) => contact.id === id && contact.optedOutAt !== null)
  return play.moment.messages.flatMap((message) => {
    const isTaken = message.direction === 'out' && message.providerMessageId !== null
    const isAsked = message.sender === 'staff' && message.templateName === null
    if (!isTaken || isAsked || message.sender === 'owner_app' || known.has(message.id)) return []
    const contactId = contactAtSend(play, before, events, message.conversationId)
    if (contactId === null || !isOut(before, contactId) || !isOut(play.moment, contactId)) return []
    return [`always: ${letterOf(play, contactId)} is out and was sent "${message.text ?? ''}"`]
  })
}

/**
 * Returns the contact of a conversation before any message of this step was answered, because an answer may show that
 * they are another contact. Returns null when that is unknown.
 */
function contactAtSend(
  { moment }: Seen,
  before: Moment,
  events: readonly EventOfCase[],
  conversationId: string,
): string | null {
  const known = before.conversations.find(({ id }) => id === conversationId)
  if (known) return known.contactId
  const started = events.find((event) => event.conversationId === conversationId)
  if (started) return started.contactId
  const contactId = moment.conversations.find(({ id }) => id === conversationId)?.contactId ?? null
  const isJoined = [...moment.merges].some(
    ([from, into]) => into === contactId && !before.merges.has(from),
  )
  return isJoined ? null : contactId
}

function faultsOfOptIns(play: Seen, opted: OptedIn): string[] {
  const faults: string[] = []
  const isIn = new Map(play.moment.contacts.map(({ id, optedOutAt }) => [id, optedOutAt === null]))
  for (const id of opted.out) {
    const now = survivorOf(play.moment, id)
    if (play.erased.has(id) || play.erased.has(now) || isIn.get(now) !== true) continue
    const hasSaidStart = [...opted.starts].some((one) => survivorOf(play.moment, one) === now)
    if (hasSaidStart || opted.members.has(id)) opted.out.delete(id)
    else faults.push(`always: ${letterOf(play, id)} was out and is in`)
  }
  for (const { id, optedOutAt } of play.moment.contacts) {
    if (optedOutAt === null || opted.out.has(id)) continue
    opted.out.add(id)
    opted.starts.delete(id)
    opted.members.delete(id)
  }
  return faults
}
