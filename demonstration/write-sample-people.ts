import type { Transaction } from 'kysely'
import type { DB } from '../src/infra/database/tables.ts'
import type { Ids } from '../src/core/ids.ts'
import { HOUR_MS, MINUTE_MS } from '../src/core/limits/units.ts'
import { lastTextOf } from '../src/modules/messaging/conversation.ts'
import { newMessageId } from '../src/modules/messaging/queue-message.ts'
import { receivedMessageId } from '../src/modules/messaging/receive-message.ts'
import { numberIdentifier } from '../src/rules/identity/identifier.ts'
import { searchForm } from '../src/rules/text/search-form.ts'
import type { PlainMessage } from '../simulators/index.ts'
import { SAMPLE_FIELD, SAMPLE_PEOPLE, type SamplePerson } from './sample-people.ts'

type Place = { companyId: string; channelId: string; phoneNumberId: string }

const WINDOW_MS = 24 * HOUR_MS

/** Returns the messages of the sample people in both directions. */
export function sampleMessages(now: Date, phoneNumberId: string): PlainMessage[] {
  return SAMPLE_PEOPLE.flatMap(({ number, said }) =>
    said.map(({ by, text, minutesAgo }, place) => ({
      wamid: `wamid.sample.${number}.${place}`,
      direction: by === 'customer' ? ('from_customer' as const) : ('to_customer' as const),
      phoneNumberId,
      customer: number,
      at: now.getTime() - minutesAgo * MINUTE_MS,
      text,
    })),
  )
}

/**
 * Writes the sample people with all their data as if they were older, without raising events. Runs one statement for
 * each table.
 */
export async function writeSamplePeople(
  tx: Transaction<DB>,
  { ids, now }: Deps,
  place: Place,
): Promise<void> {
  const { companyId } = place
  const people = SAMPLE_PEOPLE.map((person) => rowsOf(person, { ids, now }, place))
  await tx
    .insertInto('contactField')
    .values({
      id: ids.uuid(),
      companyId,
      ...SAMPLE_FIELD,
      kind: 'text',
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  const tags = new Set(SAMPLE_PEOPLE.flatMap((person) => person.tags))
  await tx
    .insertInto('contactTag')
    .values([...tags].map((tag) => ({ companyId, tag })))
    .execute()
  await tx
    .insertInto('contact')
    .values(people.map(({ contact }) => contact))
    .execute()
  await tx
    .insertInto('identity')
    .values(people.map(({ identity }) => identity))
    .execute()
  await tx
    .insertInto('identifier')
    .values(people.map(({ identifier }) => identifier))
    .execute()
  await tx
    .insertInto('conversation')
    .values(people.map(({ conversation }) => conversation))
    .execute()
  await tx
    .insertInto('message')
    .values(people.flatMap(({ messages }) => messages))
    .execute()
  await tx
    .insertInto('handover')
    .values(people.flatMap(({ handovers }) => handovers))
    .execute()
  await tx
    .insertInto('conversationEntry')
    .values(people.flatMap(({ entries }) => entries))
    .execute()
  await tx
    .insertInto('optOutChange')
    .values(people.flatMap(({ optOuts }) => optOuts))
    .execute()
  await tx
    .insertInto('lead')
    .values(people.flatMap(({ leads }) => leads))
    .execute()
}

type Deps = { ids: Ids; now: Date }
type Their = {
  place: Place
  contactId: string
  identityId: string
  conversationId: string
  at(minutesAgo: number): Date
  lastAt: Date
}

function rowsOf(person: SamplePerson, { ids, now }: Deps, place: Place) {
  const at = (minutesAgo: number) => new Date(now.getTime() - minutesAgo * MINUTE_MS)
  const conversationId = `c_${ids.uuid().replaceAll('-', '')}`
  const lastAt = at(person.said.at(-1)!.minutesAgo)
  const their = {
    place,
    contactId: ids.uuid(),
    identityId: ids.uuid(),
    conversationId,
    at,
    lastAt,
  }
  const { kind, key, value } = numberIdentifier(person.number)
  const firstAt = at(person.said[0].minutesAgo)
  return {
    contact: contactOf(person, their),
    identity: {
      id: their.identityId,
      companyId: place.companyId,
      contactId: their.contactId,
      createdAt: firstAt,
    },
    identifier: {
      companyId: place.companyId,
      identityId: their.identityId,
      kind,
      key,
      value,
      proof: 'shown',
      firstAt,
      shownAt: firstAt,
    },
    conversation: conversationOf(person, their, now),
    messages: messagesOf(person, { ids, now }, their),
    ...handoverOf(person, ids, their),
    optOuts: person.isOptedOut ? [optOutOf(ids, their)] : [],
    leads: person.lead ? [leadOf(person.lead, ids, their)] : [],
  }
}

function contactOf(person: SamplePerson, { place, contactId, at, lastAt }: Their) {
  const optedOutAt = person.isOptedOut ? lastAt : null
  return {
    id: contactId,
    companyId: place.companyId,
    name: person.name,
    searchName: searchForm(person.name),
    phone: `+${person.number}`,
    email: person.email ?? null,
    language: person.language,
    tags: person.tags,
    fields: person.fields,
    source: 'message',
    optedOutAt,
    optOutWordAt: optedOutAt,
    createdAt: at(person.said[0].minutesAgo),
    updatedAt: lastAt,
  }
}

function conversationOf(person: SamplePerson, their: Their, now: Date) {
  const { place, contactId, identityId, conversationId, at, lastAt } = their
  const firstAt = at(person.said[0].minutesAgo)
  const last = person.said.at(-1)!
  const lastOfCustomer = at(person.said.findLast(({ by }) => by === 'customer')!.minutesAgo)
  const isStaffs = person.handedOver !== undefined
  return {
    id: conversationId,
    companyId: place.companyId,
    channelId: place.channelId,
    channelType: 'whatsapp',
    contactId,
    identityId,
    filedUnder: person.number,
    status: person.isResolved ? 'resolved' : 'open',
    handledBy: isStaffs ? 'staff' : 'assistant',
    takenOverAt: isStaffs ? handedOverAt(person, their) : null,
    needsStaff: isStaffs,
    waitingSince: isStaffs ? handedOverAt(person, their) : null,
    turn: person.said.length,
    announcedAt: firstAt,
    serviceWindowEndsAt: new Date(lastOfCustomer.getTime() + WINDOW_MS),
    lastMessageAt: lastAt,
    lastCustomerAt: lastOfCustomer,
    lastText: lastTextOf(last.text),
    lastSender: last.by,
    staffSeenAt: isStaffs ? null : now,
    resolvedAt: person.isResolved ? lastAt : null,
    createdAt: firstAt,
  }
}

/** Returns the time of the flow's last message, which handed over. */
function handedOverAt({ said }: SamplePerson, { at }: Their): Date {
  return at(said.findLast(({ by }) => by !== 'customer')!.minutesAgo)
}

function messagesOf(
  { number, said }: SamplePerson,
  { ids, now }: Deps,
  { place: { companyId, channelId, phoneNumberId }, conversationId, at }: Their,
) {
  const theirs = sampleMessages(now, phoneNumberId).filter(({ customer }) => customer === number)
  return theirs.map(({ wamid, text }, nth) => {
    const { by, minutesAgo } = said[nth]!
    const isIn = by === 'customer'
    const occurredAt = at(minutesAgo)
    return {
      id: isIn ? receivedMessageId(channelId, wamid) : newMessageId(ids),
      companyId,
      conversationId,
      channelId,
      direction: isIn ? 'in' : 'out',
      sender: by,
      type: 'text',
      text,
      providerMessageId: wamid,
      status: isIn ? null : 'read',
      occurredAt,
      sentAt: isIn ? null : occurredAt,
      readAt: isIn ? null : occurredAt,
      createdAt: occurredAt,
    }
  })
}

function handoverOf(person: SamplePerson, ids: Ids, their: Their) {
  const { handedOver } = person
  if (handedOver === undefined) return { handovers: [], entries: [] }
  const at = handedOverAt(person, their)
  const reason = 'flow_handover'
  const { companyId } = their.place
  const { conversationId } = their
  const handover = { id: ids.uuid(), companyId, conversationId, reason, reasonText: handedOver }
  const entry = {
    id: ids.uuid(),
    companyId,
    conversationId,
    kind: 'handed_over',
    actorKind: 'flow',
    text: handedOver,
    data: JSON.stringify({ reason }),
    at,
  }
  return { handovers: [{ ...handover, openedAt: at }], entries: [entry] }
}

function optOutOf(ids: Ids, { place, contactId, conversationId, lastAt }: Their) {
  const { companyId } = place
  const at = { at: lastAt, createdAt: lastAt }
  return {
    id: ids.uuid(),
    companyId,
    contactId,
    conversationId,
    isOptedOut: true,
    how: 'stop',
    ...at,
  }
}

function leadOf(
  lead: NonNullable<SamplePerson['lead']>,
  ids: Ids,
  { place, contactId, conversationId, lastAt }: Their,
) {
  return {
    id: ids.uuid(),
    companyId: place.companyId,
    contactId,
    conversationId,
    ...lead,
    source: 'flow',
    qualifiedAt: lead.status === 'qualified' ? lastAt : null,
    createdAt: lastAt,
    updatedAt: lastAt,
  }
}
