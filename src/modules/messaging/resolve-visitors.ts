/**
 * Visitors of a widget are met: each has a conversation, and is no contact. What they call themselves, and
 * the e-mail that they leave, are kept with it.
 *
 * Spec: Concepts › Contact; readings E8, E9.
 */
import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { EventToRaise } from '../events/raise-event.ts'
import type { Ids } from '../../core/ids.ts'
import { contactSummary } from './contact.ts'
import { conversationSummary, type ConversationRow } from './conversation.ts'
import type { Customer } from './plan-customer-resolution.ts'

export type ResolvedVisitor = {
  contact: null
  /** Locked, and as it is after the meeting. */
  conversation: ConversationRow
  /** `conversation.started` tells of it now. */
  isFirst: boolean
}

/**
 * Finds or makes the conversation of each visitor, in their order, and keeps the name and e-mail that came
 * last. The events are the caller's to raise, before its own and in the same transaction.
 *
 * Isolation: the ids of all visitors are locked by the caller, so nothing is written twice; the conversations
 * are locked here, by id.
 */
export async function resolveVisitors(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  visitors: readonly Customer[],
): Promise<{ met: ResolvedVisitor[]; events: EventToRaise[] }> {
  const byPlace = new Map(visitors.map((visitor) => [placeOf(visitor), visitor]))
  const asked = [...byPlace.values()]
  const told = new Map<string, Said>()
  for (const visitor of visitors) {
    const { name, email = null } = visitor.told
    const before = told.get(placeOf(visitor))
    told.set(placeOf(visitor), {
      name: name ?? before?.name ?? null,
      email: email ?? before?.email ?? null,
    })
  }
  const saidOf = (visitor: Customer) => told.get(placeOf(visitor))!
  const known = await findConversations(tx, asked)
  const made = asked.filter((visitor) => !known.has(placeOf(visitor)))
  if (made.length > 0) {
    await sql`
      insert into conversation (id, company_id, channel_id, channel_type, filed_under, visitor_name,
        visitor_email, announced_at, created_at)
      select *, ${now}, ${now} from unnest(
        ${made.map(() => `c_${ids.uuid().replaceAll('-', '')}`)}::text[],
        ${made.map(({ company }) => company.id)}::uuid[],
        ${made.map(({ channel }) => channel.id)}::uuid[],
        ${made.map(({ channel }) => channel.type)}::text[],
        ${made.map(({ identifiers }) => identifiers[0].filedUnder)}::text[],
        ${made.map((visitor) => saidOf(visitor).name)}::text[],
        ${made.map((visitor) => saidOf(visitor).email)}::text[]) as made`.execute(tx)
  }
  const renamed = asked.filter((visitor) => {
    const row = known.get(placeOf(visitor))
    const { name, email } = saidOf(visitor)
    return (
      row &&
      ((name !== null && name !== row.visitorName) ||
        (email !== null && email !== row.visitorEmail))
    )
  })
  if (renamed.length > 0) {
    await sql`
      update conversation set visitor_name = coalesce(told.name, visitor_name),
        visitor_email = coalesce(told.email, visitor_email)
      from unnest(${renamed.map((visitor) => known.get(placeOf(visitor))!.id)}::text[],
        ${renamed.map((visitor) => saidOf(visitor).name)}::text[],
        ${renamed.map((visitor) => saidOf(visitor).email)}::text[]) as told (id, name, email)
      where conversation.id = told.id`.execute(tx)
  }
  const isSame = made.length + renamed.length === 0
  const conversations = isSame ? known : await findConversations(tx, asked)
  const first = new Set(made.map(placeOf))
  const met = visitors.map((visitor): ResolvedVisitor => {
    const isFirst = first.delete(placeOf(visitor))
    return { contact: null, conversation: conversations.get(placeOf(visitor))!, isFirst }
  })
  return {
    met,
    events: met.flatMap(({ conversation, isFirst }, index) =>
      isFirst ? [startOf(visitors[index]!, conversation)] : [],
    ),
  }
}

type Said = { name: string | null; email: string | null }

const placeOf = ({ channel, identifiers }: Pick<Customer, 'channel' | 'identifiers'>) =>
  `${channel.id} ${identifiers[0].filedUnder}`

async function findConversations(
  tx: Transaction<DB>,
  visitors: readonly Customer[],
): Promise<Map<string, ConversationRow>> {
  const { rows } = await sql<ConversationRow>`
    select conversation.* from conversation
    where (channel_id, filed_under) in (select * from unnest(
      ${visitors.map(({ channel }) => channel.id)}::uuid[],
      ${visitors.map(({ identifiers }) => identifiers[0].filedUnder)}::text[]))
    order by id for update`.execute(tx)
  return new Map(rows.map((row) => [`${row.channelId} ${row.filedUnder}`, row]))
}

function startOf({ company, at }: Customer, conversation: ConversationRow): EventToRaise {
  return {
    type: 'conversation.started',
    company,
    occurredAt: at,
    conversationId: conversation.id,
    data: {
      conversation: conversationSummary(conversation),
      contact: contactSummary(null, conversation),
    },
  }
}
