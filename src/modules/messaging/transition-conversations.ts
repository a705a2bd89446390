/**
 * Changes of conversations other than messages: handover, takeover, return to automation, assignment, resolve and
 * reopen. Only this code makes them, in a constant number of statements.
 */
import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { raiseEvents } from '../events/raise-event.ts'
import type { Ids } from '../../core/ids.ts'
import { cancelReplies } from './cancel-replies.sql.ts'
import {
  planChanges,
  type Assignee,
  type ChangeToMake,
  type ConversationChanged,
  type ConversationState,
} from './plan-changes.ts'
import { writeChanges } from './write-changes.sql.ts'

/**
 * Applies changes in their order and raises their events: handovers, then assignments, then resolves. Returns the
 * result of each; null for a conversation of another company. A change to the current state changes nothing. The
 * caller checks who may be assigned, and ends the runs where the result says so.
 *
 * Isolation: read committed. The conversations are locked in id order and read by a later statement, so that of two
 * concurrent handovers the second finds the conversation handed over.
 *
 * Spec: Inbox › Handler and assignment; Events › Order in a transaction.
 */
export async function transitionConversations(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  changes: readonly ChangeToMake[],
): Promise<(ConversationChanged | null)[]> {
  if (changes.length === 0) return []
  const ids = await lock(tx, changes)
  const states = await readStates(tx, ids)
  const plan = planChanges({ ...deps, assignees: await readAssignees(tx, changes) })
  const results = changes.map((change) => {
    const state = states.get(change.conversationId)
    return state?.companyId === change.companyId ? plan.make(state, change) : null
  })
  await writeChanges(tx, plan.writes, deps.now)
  await endReplies(tx, deps.now, changes, results)
  await raiseEvents(tx, deps, plan.events())
  return results
}

/** Cancels replies in conversations that went to staff or were resolved. A reply that hands over ends itself. */
async function endReplies(
  tx: Transaction<DB>,
  now: Date,
  changes: readonly ChangeToMake[],
  results: readonly (ConversationChanged | null)[],
): Promise<void> {
  const ended = changes.filter(
    ({ by }, index) => results[index]?.endsRuns && by.kind !== 'assistant',
  )
  if (ended.length === 0) return
  const conversationIds = ended.map(({ conversationId }) => conversationId)
  await cancelReplies(tx, now, { conversationIds }, fact('reply_staff_has_it'))
}

/**
 * Locks the conversations in id order. Filters by company first, so that a request with foreign ids cannot block
 * another company.
 */
async function lock(tx: Transaction<DB>, changes: readonly ChangeToMake[]): Promise<string[]> {
  const ids = new Set(changes.map(({ conversationId }) => conversationId))
  const companyIds = new Set(changes.map(({ companyId }) => companyId))
  const { rows } = await sql<{ id: string }>`
    select id from conversation
    where id = any(${[...ids]}::text[]) and company_id = any(${[...companyIds]}::uuid[])
    order by id for update`.execute(tx)
  return rows.map(({ id }) => id)
}

type StateRow = Omit<ConversationState, 'contact'> & {
  contactName: string | null
  contactPhone: string | null
}

async function readStates(
  tx: Transaction<DB>,
  ids: readonly string[],
): Promise<Map<string, ConversationState>> {
  const { rows } = await sql<StateRow>`
    select conversation.id, conversation.company_id, channel_id, channel_type, contact_id,
      filed_under, visitor_name, status, handled_by, taken_over_at, taken_over_until, assignee_id,
      needs_staff, waiting_since, turn, resolved_at, resolved_by, company.name as company_name,
      contact.name as contact_name, contact.phone as contact_phone,
      (select handover.id from handover
        where handover.conversation_id = conversation.id and handover.closed_at is null)
        as open_handover_id
    from conversation
      join company on company.id = conversation.company_id
      left join contact on contact.id = conversation.contact_id
    where conversation.id = any(${ids}::text[])`.execute(tx)
  return new Map(
    rows.map(({ contactName: name, contactPhone: phone, ...row }) => {
      const contact = row.contactId === null ? null : { id: row.contactId, name, phone }
      return [row.id, { ...row, contact }]
    }),
  )
}

async function readAssignees(
  tx: Transaction<DB>,
  changes: readonly ChangeToMake[],
): Promise<Map<string, Assignee>> {
  const ids = new Set(
    changes.flatMap(({ change }) => ('assigneeId' in change ? (change.assigneeId ?? []) : [])),
  )
  if (ids.size === 0) return new Map()
  const people = await tx
    .selectFrom('person')
    .select(['id', 'name', 'email'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(people.map((person) => [person.id, person]))
}
