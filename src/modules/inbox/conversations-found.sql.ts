import { sql, type RawBuilder } from 'kysely'
import type { ConversationQuery, ConversationTab } from '../../contract/dashboard/conversation.ts'

type Sort = NonNullable<ConversationQuery['sort']>
type Filter = Partial<Pick<ConversationQuery, 'reason' | 'channelId' | 'tag'>>

/** The condition of each tab, written like the predicate of its index, so that a list is read in index order. */
const TABS: Record<ConversationTab, (personId: string | null, now: Date) => RawBuilder<unknown>> = {
  mine: (personId) => sql`conversation.status = 'open' and conversation.assignee_id = ${personId}`,
  unassigned: () => sql`conversation.status = 'open' and conversation.needs_staff
    and conversation.assignee_id is null`,
  staff: (_, now) => sql`conversation.status = 'open' and conversation.handled_by = 'staff'
    and coalesce(conversation.taken_over_until > ${now}, true)`,
  assistant: (_, now) => sql`conversation.status = 'open' and (conversation.handled_by = 'assistant'
    or conversation.taken_over_until <= ${now})`,
  open: () => sql`conversation.status = 'open'`,
  resolved: () => sql`conversation.status = 'resolved'`,
}

/**
 * Returns the SQL condition that a conversation is in a tab of the inbox.
 * @param personId the member whose conversations the tab `mine` has; the other tabs need none
 */
export function tabCondition(tab: ConversationTab, personId: string | null, now: Date) {
  return TABS[tab](personId, now)
}

/** The order of each tab where a request names none. */
export const DEFAULT_SORT: Record<ConversationTab, Sort> = {
  mine: 'waiting',
  unassigned: 'waiting',
  staff: 'newest',
  assistant: 'newest',
  open: 'newest',
  resolved: 'newest',
}

type Order = {
  by: RawBuilder<unknown>
  isDescending: boolean
  /** The minute of `by`, where an index has only that: the list is sorted by it first. */
  minute?: RawBuilder<unknown>
}

/** The sort keys of a list. Conversations without a waiting customer come last when sorted by waiting time. */
export const ORDERS: Record<Sort, Order> = {
  waiting: { by: sql`coalesce(conversation.waiting_since, 'infinity')`, isDescending: false },
  newest: {
    by: sql`coalesce(conversation.last_message_at, conversation.created_at)`,
    isDescending: true,
    minute: sql`conversation.latest_minute`,
  },
  closing: { by: sql`conversation.closes_at`, isDescending: false },
}

/** Returns the minute of a time, as `conversation.latest_minute` has it. */
export const minuteOf = (time: string) => sql`date_bin('1 minute', ${time}::timestamptz, 'epoch')`

/** Returns the SQL conditions of the inbox's filters; all of them must hold. */
export function inboxFilterConditions({ reason, channelId, tag }: Filter): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
  if (channelId !== undefined) conditions.push(sql`conversation.channel_id = ${channelId}`)
  if (reason !== undefined) {
    conditions.push(sql`exists (select from handover
      where handover.conversation_id = conversation.id and handover.closed_at is null
        and handover.reason = ${reason})`)
  }
  if (tag !== undefined) {
    conditions.push(sql`exists (select from contact where contact.id = conversation.contact_id
      and lower(${tag}) in (select lower(tagged) from unnest(contact.tags) tagged))`)
  }
  return conditions
}
