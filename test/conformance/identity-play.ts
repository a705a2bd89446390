/** The state of an identity case while it is played. */
import { isDeepStrictEqual } from 'node:util'
import { parseOptOutKeyword } from '../../src/rules/messaging/opt-out-word.ts'
import { mergesOf } from '../support/records/identifiers.ts'
import { contactsOf, type ContactRecord } from '../support/records/contacts.ts'
import { conversationsOf, type ConversationRecord } from '../support/records/conversations.ts'
import { eventsWithBodies } from '../support/records/events.ts'
import { messagesOf, type MessageRecord } from '../support/records/messages.ts'
import { runsOf, type RunRecord } from '../support/records/runs.ts'
import type { CompanyOfCase } from './identity-company.ts'
import type { Step } from './identity-case.ts'
import { holdersOf, whoIs, type KindOfIdentifier } from './identity-who.ts'

/** The object that a label names. A message of a provider is known only after all has settled. */
export type Made =
  | { kind: 'of provider'; channelId: string; providerMessageId: string }
  | { kind: 'message'; messageId: string }
  | { kind: 'run'; runId: string }
  | { kind: 'booking'; appointmentId: string }

export type EventOfCase = {
  type: string
  contactId: string | null
  conversationId: string | null
}

/** The state of a company at one moment. */
export type Moment = {
  contacts: ContactRecord[]
  conversations: ConversationRecord[]
  messages: MessageRecord[]
  runs: RunRecord[]
  /** The surviving contact of each merged one. */
  merges: Map<string, string>
  /** The contacts that each identifier finds. */
  holders: Map<string, Set<string>>
}

export type Play = {
  company: CompanyOfCase
  made: Map<string, Made>
  /** The posts of providers, in their order, each of which can be repeated. */
  posts: (() => Promise<void>)[]
  /** The faults so far. */
  faults: string[]
  /** The events in the order in which they were written. */
  events: EventOfCase[]
  seenEvents: Set<string>
  /** Contacts in the order of their `contact.created`. */
  letters: string[]
  erased: Set<string>
  moment: Moment
  visitors: Map<string, { say(text: string, more?: object): Promise<{ status: number }> }>
  /** The number of request keys so far. */
  keys: { made: number }
}

export async function beginPlay(company: CompanyOfCase): Promise<Play> {
  return {
    company,
    made: new Map(),
    posts: [],
    faults: [],
    events: [],
    seenEvents: new Set(),
    letters: [],
    erased: new Set(),
    moment: await lookAt(company),
    visitors: new Map(),
    keys: { made: 0 },
  }
}

export async function lookAt({ world, shop }: CompanyOfCase): Promise<Moment> {
  return {
    contacts: await contactsOf(world, shop),
    conversations: await conversationsOf(world, { companyId: shop.companyId }),
    messages: await messagesOf(world, { companyId: shop.companyId }),
    runs: await runsOf(world, { companyId: shop.companyId }),
    merges: await mergesOf(world, shop),
    holders: await holdersOf(world, shop.companyId),
  }
}

/** Records the events that were written since the last call. Returns them. */
export async function noteEvents(play: Play): Promise<EventOfCase[]> {
  const { world, shop } = play.company
  const all = await eventsWithBodies(world, shop)
  const news = all.filter(({ id }) => !play.seenEvents.has(id))
  const noted = news.map(({ id, type, envelope }): EventOfCase => {
    play.seenEvents.add(id)
    const { contact, conversation } = envelope.data as {
      contact?: { id?: string | null } | null
      conversation?: { id?: string } | null
    }
    return { type, contactId: contact?.id ?? null, conversationId: conversation?.id ?? null }
  })
  for (const { type, contactId } of noted) {
    if (type !== 'contact.created' || contactId === null) continue
    if (!play.letters.includes(contactId)) play.letters.push(contactId)
  }
  play.events.push(...noted)
  return noted
}

export const letterOf = ({ letters }: Pick<Play, 'letters'>, contactId: string): string => {
  const at = letters.indexOf(contactId)
  return at < 0 ? '?' : String.fromCharCode(65 + at)
}

/** Returns the id of the contact with a letter, whether or not it was merged. @throws Error if there is none. */
export function contactOfLetter({ letters }: Play, letter: string): string {
  const id = letters[letter.charCodeAt(0) - 65]
  if (id === undefined) throw new Error(`there is no contact ${letter}`)
  return id
}

/** Returns the surviving contact of a merged one at a moment, and any other as it is. */
export function survivorOf({ merges }: Pick<Moment, 'merges'>, contactId: string): string {
  const into = merges.get(contactId)
  return into === undefined ? contactId : survivorOf({ merges }, into)
}

const KINDS: readonly string[] = ['number', 'user', 'parent', 'lid', 'id']

/** Returns the contact that an identifier of a case finds now, or null. */
export async function find(play: Play, identifier: string): Promise<string | null> {
  const { company } = play
  if (/^[A-Z]$/.test(identifier)) {
    const merges = await mergesOf(company.world, company.shop)
    return survivorOf({ merges }, contactOfLetter(play, identifier))
  }
  const [, kind = '', rest = ''] = /^(\w+):(.*)$/.exec(identifier) ?? []
  if (kind === 'email' || kind === 'name') return findByField(company, kind, rest)
  if (!KINDS.includes(kind)) throw new Error(`the runner knows no identifier "${identifier}"`)
  const [, name = '', value = ''] =
    kind === 'id' ? (/^(\w+):(.*)$/.exec(rest) ?? []) : ['', 'wa', rest]
  const channel = company.channels.get(name)
  if (!channel) throw new Error(`the case has no channel "${name}"`)
  const asked = { kind: kind as KindOfIdentifier, value }
  return whoIs(company.world, company.shop.companyId, asked, channel)
}

/** Returns the only contact with a name or an e-mail address. @throws Error if there are several. */
async function findByField({ world, shop }: CompanyOfCase, field: 'email' | 'name', value: string) {
  const wanted = value.toLowerCase()
  const found = (await contactsOf(world, shop)).filter(
    (contact) => contact[field]?.toLowerCase() === wanted,
  )
  if (found.length > 1) throw new Error(`${found.length} contacts have the ${field} "${value}"`)
  return found[0]?.id ?? null
}

/** Returns the contact that an identifier finds. @throws Error if there is none. */
export async function requireContact(play: Play, identifier: string): Promise<string> {
  const id = await find(play, identifier)
  if (id === null) throw new Error(`${identifier} finds no contact`)
  return id
}

/** Returns the message of a label, which for a hook is the template of its run. @throws Error if there is none. */
export function messageOf({ made, moment }: Play, label: string): MessageRecord {
  const of = made.get(label)
  if (!of) throw new Error(`nothing has the label "${label}"`)
  const found = moment.messages.find((message) => {
    const { id, channelId, providerMessageId, runId, direction } = message
    switch (of.kind) {
      case 'of provider':
        return channelId === of.channelId && providerMessageId === of.providerMessageId
      case 'message':
        return id === of.messageId
      case 'run':
        return runId === of.runId && direction === 'out'
      case 'booking':
        return false
    }
  })
  if (!found) throw new Error(`there is no message "${label}"`)
  return found
}

/** Returns whether a label names this message. */
export function isOf(play: Play, label: string, messageId: string | null): boolean {
  try {
    return messageOf(play, label).id === messageId
  } catch {
    return false
  }
}

/**
 * Returns the conversation of a label. Messages of a conversation that was joined to another one are in that other one.
 */
export function talkOf(play: Play, label: string): string {
  const of = play.made.get(label)
  const run = of?.kind === 'run' && play.moment.runs.find(({ id }) => id === of.runId)
  return run ? run.conversationId : messageOf(play, label).conversationId
}

/** Returns whether a step has a message by which a customer opts in again. */
export const saysStart = (step: Step): boolean =>
  (step.do === 'message' && parseOptOutKeyword(step.text ?? '') === 'start') ||
  (step.steps ?? []).some(saysStart)

/** Delivers every post of a provider once more, and adds a fault if anything changes or raises an event. */
export async function postAgain(play: Play): Promise<void> {
  const before = summaryOf(play.moment)
  for (const post of play.posts) {
    await post()
    await play.company.settle()
  }
  const raised = (await noteEvents(play)).map(({ type }) => type)
  const after = summaryOf(await lookAt(play.company))
  if (raised.length > 0) play.faults.push(`posted again, raised ${raised.join(', ')}`)
  for (const part of Object.keys(before) as (keyof typeof before)[]) {
    if (!isDeepStrictEqual(before[part], after[part])) {
      play.faults.push(`posted again, ${part} changed`)
    }
  }
}

const summaryOf = ({ contacts, conversations, messages, runs, holders }: Moment) => ({
  contacts: contacts.map(({ id, name, email, phone, whatsappId, optedOutAt }) =>
    [id, name, email, phone, whatsappId, optedOutAt !== null].join(' '),
  ),
  conversations: conversations.map(({ id, contactId, filedUnder }) => [id, contactId, filedUnder]),
  messages: messages
    .map(({ id, conversationId, status }) => [id, conversationId, status])
    .toSorted(),
  runs: runs.map(({ id, status, conversationId }) => [id, status, conversationId]),
  identifiers: [...holders].map(([identifier, held]) => [identifier, ...held].join(' ')).toSorted(),
})
