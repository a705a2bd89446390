import { sql, type RawBuilder, type Transaction } from 'kysely'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import type { DB } from '../../infra/database/tables.ts'
import { raiseEvents } from '../events/raise-event.ts'
import { type Fact, fact } from '../../core/facts/fact.ts'
import { serializeFact } from '../../core/facts/stored-fact.ts'
import type { Ids } from '../../core/ids.ts'
import { type FilledTemplate, fillTemplate } from '../messaging/fill-template.ts'
import type { Identifier } from '../../rules/identity/identifier.ts'
import { lockCustomers } from '../messaging/lock-customer.ts'
import { resolveCustomers } from '../messaging/resolve-customers.ts'
import {
  newMessageId,
  queueMessages,
  type MessageAuthor,
  type SendingChannel,
} from '../messaging/queue-message.ts'
import type { TemplateVersion } from '../messaging/read-templates-to-send.sql.ts'
import type { KeyRing } from '../../infra/secrets/key-ring.ts'
import type { SkipReason } from '../../core/vocabulary/broadcasts.ts'
import { isMarketing } from './find-problems.ts'
import { makeOptOutToken } from './opt-out-link.ts'
import {
  endOfPage,
  selectNextRecipients,
  selectSingleContact,
  readRecipients,
  sendKeyOf,
  type DueRecipient,
} from './read-recipients.sql.ts'
import type { BroadcastRow } from './require-broadcast.ts'
import type { BroadcastTemplate } from '../../contract/dashboard/broadcast.ts'
import { fillValue, type ValueSource } from '../../rules/broadcasts/fill-value.ts'

/** A contact as a broadcast writes to it. */
type FilledContact = ValueSource['contact'] & { language: string | null }

/**
 * Returns the message for one contact, or the reason if a value is missing. A pressed button is reported as a button
 * of this message.
 *
 * @param versions of the template, in every language that the channel has it in.
 * Spec: Broadcasts › Drafts; readings R3, R4.
 */
function fillForContact(
  { name, language, body, header, urlSuffixes }: BroadcastTemplate,
  versions: readonly TemplateVersion[],
  { contact, optOutLink, messageId }: ValueSource & { contact: FilledContact; messageId: string },
): { ok: true; value: FilledTemplate } | { ok: false; why: Fact } {
  let empty: string | null = null
  const fillIn = (text: string): string => {
    const filled = fillValue(text, { contact, optOutLink })
    if (filled.ok) return filled.value
    empty ??= filled.reason
    return ''
  }
  const filled = {
    name,
    languages: wantedLanguages({ language }, versions, contact.language),
    body: body.map((value) => ({ name: value.name, text: fillIn(value.text) })),
    header: header === null ? null : fillIn(header),
    urlSuffixes: urlSuffixes.map(({ index, text }) => ({ index, text: fillIn(text) })),
  }
  if (empty !== null) return { ok: false, why: fact('placeholder_empty', { placeholder: empty }) }
  return fillTemplate(filled, versions, (index) => `sent:${messageId}:${index}`)
}

/** Returns the languages to try. A named language is the only one. Spec: reading R3. */
function wantedLanguages(
  { language }: Pick<BroadcastTemplate, 'language'>,
  versions: readonly TemplateVersion[],
  ofContact: string | null,
): (string | null)[] {
  if (language !== undefined) return [language]
  return [ofContact, versions.find(({ status }) => status === 'APPROVED')?.language ?? null]
}

/** The dependencies of creating opt-out links: keys, ids and the public address. */
export type LinkDeps = {
  keyRing: Pick<KeyRing, 'prove'>
  ids: Pick<Ids, 'cell'>
  publicUrl(): string
}
type Deps = LinkDeps & { ids: Ids; now: Date }

/** The channel of a broadcast, with the company's name. */
export type BroadcastChannel = SendingChannel & { companyName: string | null }

type Ready = {
  to: DueRecipient
  contactId: string
  identifier: Identifier
  messageId: string
  filled: FilledTemplate
}
type Skipped = { number: number; reason: SkipReason; why: Fact | null }

/**
 * Queues messages for the next recipients of a broadcast, or skips them. Returns their number, and the number up to
 * which no recipient is pending; null if none is left.
 *
 * Isolation: the caller has locked the broadcast, so no other process handles its recipients. Then the ids of the
 * customers are locked in one order, and everything that decides about sending is read again: a STOP is either seen
 * here, or sees the message. The sender checks once more.
 * Spec: Broadcasts › Sending; readings R4, R9.
 */
export async function writeToRecipients(
  tx: Transaction<DB>,
  deps: Deps,
  broadcast: BroadcastRow,
  {
    channel,
    versions,
    limit,
  }: { channel: BroadcastChannel; versions: TemplateVersion[]; limit: number },
): Promise<{ count: number; enqueuedTo: number } | null> {
  const { enqueuedTo, total } = broadcast
  if (enqueuedTo >= total) return null
  const source = selectNextRecipients(broadcast, limit)
  const by = { kind: 'broadcast', broadcastId: broadcast.id } as const
  const { next, queued, skipped } = await queueOrSkip(tx, deps, broadcast, {
    channel,
    versions,
    source,
    by,
  })
  const count = next.length
  if (count > 0) await writeOutcomes(tx, broadcast.id, queued, skipped)
  const isFull = count >= limit
  return {
    count,
    enqueuedTo: isFull ? next.at(-1)!.number : Math.min(endOfPage(enqueuedTo), total),
  }
}

/**
 * Queues a broadcast's message for one contact, as if for a recipient, which counts in no broadcast. Returns the reason
 * if the contact would be skipped.
 */
export async function writeToOne(
  tx: Transaction<DB>,
  deps: Deps,
  broadcast: BroadcastRow,
  {
    contactId,
    ...from
  }: { channel: BroadcastChannel; versions: TemplateVersion[]; contactId: string; sendKey: string },
): Promise<Skipped | null> {
  const by = { kind: 'broadcast', broadcastId: null } as const
  const source = selectSingleContact(contactId)
  const { skipped } = await queueOrSkip(tx, deps, broadcast, { ...from, source, by })
  return skipped[0] ?? null
}

async function queueOrSkip(
  tx: Transaction<DB>,
  deps: Deps,
  broadcast: BroadcastRow,
  { versions, source, ...from }: QueueInput,
): Promise<{ next: DueRecipient[]; queued: Queued[]; skipped: Skipped[] }> {
  const { companyId } = broadcast
  const seen = await readRecipients(tx, broadcast, source)
  await lockCustomers(
    tx,
    seen.map(({ identifier }) => ({ companyId, identifiers: identifier ? [identifier] : [] })),
  )
  const next = seen.length === 0 ? [] : await readRecipients(tx, broadcast, source)
  const { ready, skipped } = decide(deps, broadcast, versions, next)
  const { queued, optedOut } = await queue(tx, deps, broadcast, { ...from, ready })
  if (queued.length > 0) notifyAfterCommit(tx, 'sends')
  return { next, queued, skipped: [...skipped, ...optedOut] }
}

type QueueInput = {
  channel: BroadcastChannel
  versions: readonly TemplateVersion[]
  source: RawBuilder<unknown>
  by: Extract<MessageAuthor, { kind: 'broadcast' }>
  /** The key of a single message that counts in no broadcast. */
  sendKey?: string
}

function decide(
  deps: Deps,
  broadcast: BroadcastRow,
  versions: readonly TemplateVersion[],
  next: readonly DueRecipient[],
): { ready: Ready[]; skipped: Skipped[] } {
  const ready: Ready[] = []
  const skipped: Skipped[] = []
  for (const to of next) {
    const { number, contactId, identifier } = to
    const messageId = newMessageId(deps.ids)
    const recipient = { ...to, hasAddress: identifier !== null, messageId }
    const decided = fillOrSkip(deps, broadcast, versions, recipient)
    if (!decided.ok) skipped.push({ number, reason: decided.reason, why: decided.why })
    else {
      const { value: filled } = decided
      ready.push({ to, contactId: contactId!, identifier: identifier!, messageId, filled })
    }
  }
  return { ready, skipped }
}

/** The values that decide about sending to a recipient, or to a contact who would be one. */
export type RecipientToFill = Omit<DueRecipient, 'number' | 'attempts' | 'identifier'> & {
  hasAddress: boolean
  messageId: string
}

/** Returns the message for a recipient, or the reason for skipping them. Spec: Broadcasts › Sending; reading R4. */
export function fillOrSkip(
  deps: LinkDeps,
  broadcast: Pick<BroadcastRow, 'id' | 'template'>,
  versions: readonly TemplateVersion[],
  to: RecipientToFill,
): { ok: true; value: FilledTemplate } | { ok: false; reason: SkipReason; why: Fact | null } {
  const skip = (reason: SkipReason, why: Fact | null = null) =>
    ({ ok: false, reason, why }) as const
  const { contactId } = to
  if (contactId === null) return skip('same_number')
  if (to.isOptedOut) return skip('opted_out')
  if (to.hasStoppedMarketing && isMarketing(versions)) return skip('marketing_stopped')
  if (!to.hasAddress) return skip('no_number')
  const filled = fillBroadcastTemplate(deps, broadcast, versions, { ...to, contactId })
  return filled.ok ? filled : skip('value_missing', filled.why)
}

/** Fills the broadcast's template for a contact, with the contact's own opt-out link. */
export function fillBroadcastTemplate(
  { keyRing, publicUrl, ids }: LinkDeps,
  { id: broadcastId, template }: Pick<BroadcastRow, 'id' | 'template'>,
  versions: readonly TemplateVersion[],
  {
    contactId,
    messageId,
    name,
    phone,
    email,
    language,
    fields,
  }: Pick<DueRecipient, 'name' | 'phone' | 'email' | 'language' | 'fields'> & {
    contactId: string
    messageId: string
  },
) {
  const token = makeOptOutToken(keyRing, { contactId, broadcastId }, ids.cell)
  return fillForContact(template, versions, {
    contact: { name, phone, email, language, fields: fields ?? {} },
    optOutLink: `${publicUrl()}/o/${token}`,
    messageId,
  })
}

type Queued = { number: number; messageId: string }

/** Queues the messages. It skips a recipient who turns out to be a customer who has opted out. */
async function queue(
  tx: Transaction<DB>,
  { ids, now }: Deps,
  { id, companyId }: BroadcastRow,
  {
    channel: { companyName, ...channel },
    by,
    sendKey,
    ready,
  }: Pick<QueueInput, 'channel' | 'by' | 'sendKey'> & { ready: readonly Ready[] },
): Promise<{ queued: Queued[]; optedOut: Skipped[] }> {
  if (ready.length === 0) return { queued: [], optedOut: [] }
  const { resolved, events } = await resolveCustomers(
    tx,
    { ids, now },
    ready.map(({ identifier }) => ({
      company: { id: companyId, name: companyName },
      channel,
      identifiers: [identifier] as const,
      reported: NOTHING,
      learns: false,
      announces: 'none',
      at: now,
    })),
  )
  await raiseEvents(tx, { ids, now }, events)
  const written = ready.map((one, index) => ({ ...one, ...resolved[index]! }))
  const [out, writable] = [true, false].map((isOut) =>
    written.filter(({ contact }) => (contact.optedOutAt !== null) === isOut),
  ) as [typeof written, typeof written]
  await queueMessages(
    tx,
    { now, eagerClaimFor: () => null },
    writable.map(({ to, messageId, filled, conversation }) => ({
      id: messageId,
      companyId,
      conversationId: conversation.id,
      channel,
      by,
      ...(sendKey !== undefined
        ? { key: sendKey }
        : { key: sendKeyOf(id, to.number), attempt: to.attempts + 1 }),
      ...filled,
      templateSend: null,
    })),
  )
  return {
    queued: writable.map(({ to, messageId }) => ({ number: to.number, messageId })),
    optedOut: out.map(({ to }) => ({ number: to.number, reason: 'opted_out', why: null })),
  }
}

/** The contact exists already and gets no new details. */
const NOTHING = {
  name: null,
  phone: null,
  whatsappId: null,
  language: null,
  tag: null,
  source: 'member',
} as const

async function writeOutcomes(
  tx: Transaction<DB>,
  broadcastId: string,
  queued: readonly Queued[],
  skipped: readonly Skipped[],
): Promise<void> {
  const numbers = [...queued, ...skipped].map(({ number }) => number)
  const blank = skipped.map(() => null)
  const none = queued.map(() => null)
  await sql`
    update broadcast_recipient set message_id = outcome.message_id, skip_reason = outcome.reason, why = outcome.why
    from unnest(${numbers}::integer[],
      ${[...queued.map(({ messageId }) => messageId), ...blank]}::text[],
      ${[...none, ...skipped.map(({ reason }) => reason)]}::text[],
      ${[...none, ...skipped.map(({ why }) => why && serializeFact(why))]}::text[])
      as outcome (number, message_id, reason, why)
    where broadcast_recipient.broadcast_id = ${broadcastId}
      and broadcast_recipient.number = outcome.number`.execute(tx)
}
