/**
 * Members' changes of who handles a conversation. Each returns the conversation after the change; a change without
 * effect succeeds silently.
 *
 * Spec: States › Conversation; States › Handover.
 */
import type { Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import type { Context } from '../../infra/context.ts'
import type {
  AssignConversation,
  ConversationView,
  TakeOver,
} from '../../contract/dashboard/conversation.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { fact } from '../../core/facts/fact.ts'
import { cancelRuns } from '../flows/runs/cancel-runs.sql.ts'
import { transitionConversations } from '../messaging/transition-conversations.ts'
import type { ConversationRow } from '../messaging/conversation.ts'
import type { ConversationChange } from '../messaging/plan-changes.ts'
import { isStaffHandling } from '../../rules/messaging/take-over.ts'
import { ServiceError } from '../../core/service-error.ts'
import { lockConversation, type OwnedConversation } from './lock-conversation.ts'
import { requirePeople } from '../accounts/require-people.ts'
import { viewConversation } from './view-conversations.ts'

type Deps = Pick<Context, 'db' | 'ids' | 'clock'>

/**
 * Takes a conversation over from flows, the assistant or another member, and assigns it to the caller.
 * @throws not_found, stale
 *
 * Spec: Inbox › Handler and assignment; reading B5.
 */
export function takeOver(
  deps: Deps,
  actor: Actor,
  { turn, ...owned }: OwnedConversation & TakeOver,
): Promise<ConversationView> {
  return change(deps, actor, owned, { kind: 'take_over', assigneeId: actor.personId }, turn)
}

/**
 * Assigns a conversation to a person of the account, or removes the assignment.
 * @throws not_found, stale; invalid for a person who is no member
 *
 * Spec: Inbox › Handler and assignment; reading B5.
 */
export function assignConversation(
  deps: Deps,
  actor: Actor,
  { turn, assigneeId, ...owned }: OwnedConversation & AssignConversation,
): Promise<ConversationView> {
  return change(deps, actor, owned, { kind: 'assign', assigneeId }, turn)
}

/** Returns the conversation to flows and the assistant. @throws not_found */
export function giveBack(
  deps: Deps,
  actor: Actor,
  owned: OwnedConversation,
): Promise<ConversationView> {
  return change(deps, actor, owned, { kind: 'give_back' })
}

/** Resolves a conversation and returns it. @throws not_found */
export function resolveConversation(
  deps: Deps,
  actor: Actor,
  owned: OwnedConversation,
): Promise<ConversationView> {
  return change(deps, actor, owned, { kind: 'resolve', isBulk: false })
}

/** Opens a resolved conversation again and returns it. @throws not_found */
export function reopenConversation(
  deps: Deps,
  actor: Actor,
  owned: OwnedConversation,
): Promise<ConversationView> {
  return change(deps, actor, owned, { kind: 'reopen' })
}

async function change(
  { db, ids, clock }: Deps,
  actor: Actor,
  owned: OwnedConversation,
  made: ConversationChange,
  seenTurn?: number,
): Promise<ConversationView> {
  const now = clock.now()
  await transaction(db, async (tx) => {
    // The people are locked before the conversation, in the same order as when a member is removed.
    if ('assigneeId' in made && made.assigneeId !== null) {
      await requirePeople(tx, actor, { assigneeId: [made.assigneeId] })
    }
    const before = await lockConversation(tx, owned)
    if (seenTurn !== undefined && seenTurn < before.turn) throw await stale(tx, before, now)
    await makeChange(tx, { ids, now }, actor, owned, made)
  })
  return viewConversation(db.kysely, owned, now)
}

/**
 * Changes a conversation that the caller has locked, and cancels the active runs that the change ends. Returns whether
 * it changed anything.
 */
export async function makeChange(
  tx: Transaction<DB>,
  deps: { ids: Context['ids']; now: Date },
  { personId }: Pick<Actor, 'personId'>,
  { companyId, conversationId }: OwnedConversation,
  made: ConversationChange,
): Promise<boolean> {
  const by = { kind: 'member', personId } as const
  const [changed] = await transitionConversations(tx, deps, [
    { companyId, conversationId, by, change: made },
  ])
  if (changed?.endsRuns) {
    const why = fact(made.kind === 'resolve' ? 'conversation_resolved' : 'staff_handling')
    await cancelRuns(tx, deps.now, { conversationIds: [conversationId] }, why)
  }
  return changed?.isChanged ?? false
}

/** Returns the error for a change by a member who has not seen the conversation's latest change. */
async function stale(
  tx: Transaction<DB>,
  { turn, status, assigneeId, ...handling }: ConversationRow,
  now: Date,
): Promise<ServiceError> {
  const person = await tx
    .selectFrom('person')
    .select('name')
    .where('id', '=', assigneeId)
    .executeTakeFirst()
  const handledBy = isStaffHandling(handling, now) ? 'staff' : 'assistant'
  const assignee = person?.name ?? null
  return new ServiceError(
    'stale',
    fact('conversation_moved_on', { turn, status, handledBy, assigneeId, assignee }),
  )
}
