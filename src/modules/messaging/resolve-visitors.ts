/**
 * Finds or creates the conversations of website visitors, who are no contacts. Their name and e-mail are stored with
 * the conversation.
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

/** A visitor's conversation. */
export type ResolvedVisitor = {
  contact: null
  /** The conversation, locked, as it is after the resolution. */
  conversation: ConversationRow
  /** States whether `conversation.started` is raised for it now. */
  isFirst: boolean
}

/**
 * Finds or creates the conversation of each visitor, in their order, and stores the latest name and e-mail. The
 * caller raises the events before its own, in the same transaction.
 *
 * Isolation: the caller has locked the ids of all visitors, so nothing is written twice; the conversations are locked
 * here, by id.
 */
export async function resolveVisitors(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  visitors: readonly Customer[],
): Promise<{ resolved: ResolvedVisitor[]; events: EventToRaise[] }> {
  const byKey = new Map(visitors.map((visitor) => [keyOf(visitor), visitor]))
  const distinct = [...byKey.values()]
  const given = new Map<string, Given>()
  for (const visitor of visitors) {
    const { name, email = null } = visitor.reported
    const before = given.get(keyOf(visitor))
    given.set(keyOf(visitor), {
      name: name ?? before?.name ?? null,
      email: email ?? before?.email ?? null,
    })
  }
  const givenBy = (visitor: Customer) => given.get(keyOf(visitor))!
  const known = await findConversations(tx, distinct)
  const made = distinct.filter((visitor) => !known.has(keyOf(visitor)))
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
        ${made.map((visitor) => givenBy(visitor).name)}::text[],
        ${made.map((visitor) => givenBy(visitor).email)}::text[]) as made`.execute(tx)
  }
  const renamed = distinct.filter((visitor) => {
    const row = known.get(keyOf(visitor))
    const { name, email } = givenBy(visitor)
    return (
      row &&
      ((name !== null && name !== row.visitorName) ||
        (email !== null && email !== row.visitorEmail))
    )
  })
  if (renamed.length > 0) {
    await sql`
      update conversation set visitor_name = coalesce(given.name, visitor_name),
        visitor_email = coalesce(given.email, visitor_email)
      from unnest(${renamed.map((visitor) => known.get(keyOf(visitor))!.id)}::text[],
        ${renamed.map((visitor) => givenBy(visitor).name)}::text[],
        ${renamed.map((visitor) => givenBy(visitor).email)}::text[]) as given (id, name, email)
      where conversation.id = given.id`.execute(tx)
  }
  const isSame = made.length + renamed.length === 0
  const conversations = isSame ? known : await findConversations(tx, distinct)
  const first = new Set(made.map(keyOf))
  const resolved = visitors.map((visitor): ResolvedVisitor => {
    const isFirst = first.delete(keyOf(visitor))
    return { contact: null, conversation: conversations.get(keyOf(visitor))!, isFirst }
  })
  return {
    resolved,
    events: resolved.flatMap(({ conversation, isFirst }, index) =>
      isFirst ? [startOf(visitors[index]!, conversation)] : [],
    ),
  }
}

type Given = { name: string | null; email: string | null }

const keyOf = ({ channel, identifiers }: Pick<Customer, 'channel' | 'identifiers'>) =>
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
      and identity_id is null
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
