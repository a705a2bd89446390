import type { Transaction } from 'kysely'
import type { DB } from '../../../infra/database/tables.ts'
import { raiseEvents, type EventToRaise } from '../../events/raise-event.ts'
import { fact } from '../../../core/facts/fact.ts'
import type { Ids } from '../../../core/ids.ts'
import { requestLeads } from '../../leads/request-leads.ts'
import type { LeadRequest } from '../../leads/plan-requests.ts'
import { LEAD_LIMITS } from '../../../core/limits/leads.ts'
import { transitionConversations } from '../../messaging/transition-conversations.ts'
import { editContacts, type ContactEdit } from '../../messaging/edit-contacts.ts'
import type { ConversationChange } from '../../messaging/plan-changes.ts'
import { isStaffHandling } from '../../../rules/messaging/take-over.ts'
import { cleanText, cutCodePoints } from '../../../rules/text/json-text.ts'
import type { StepMutation } from '../../../flow-kinds/steps/run-state.ts'
import { cancelRuns } from './cancel-runs.sql.ts'
import type { RunPlan } from './run-plan.ts'
import { endsWithoutAnswer, leavesCustomerUnanswered } from './unread-replies.ts'

/**
 * Writes the mutations of steps, with one statement per kind whatever the number of runs, and raises their events:
 * one per contact and advance, and one per qualified lead. Flags conversations with an unanswered customer for staff. A
 * person who is no longer a member gets no assignment.
 *
 * Isolation: the caller has locked the conversations.
 * Spec: Flows › Steps; readings F35, F36, F40.
 */
export async function writeMutations(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  plans: readonly RunPlan[],
  /** Events of appointments, raised after those of contacts and leads. */
  held: readonly EventToRaise[],
): Promise<void> {
  const unanswered = await plansWithoutAnswer(tx, plans, deps.now)
  const acting = plans.filter((plan) => plan.mutations.length > 0 || unanswered.has(plan))
  if (acting.length === 0) return raiseEvents(tx, deps, held)
  await editContacts(tx, deps, acting.flatMap(editsOf))
  await requestLeads(tx, deps, acting.flatMap(leadsOf))
  await raiseEvents(tx, deps, held)
  const members = await readMembers(tx, acting)
  const changes = acting.flatMap((plan) => {
    const { run, accountId } = plan.loaded
    const isMember = (personId: string | null) =>
      personId === null || members.has(`${accountId} ${personId}`)
    const made = plan.mutations.flatMap((mutation) => changesOf(mutation, isMember))
    // A conversation with an unanswered customer is not resolved.
    const open = made.filter(({ kind }) => kind !== 'resolve')
    const all: ConversationChange[] = unanswered.has(plan)
      ? [...open, { kind: 'need_staff', since: deps.now }]
      : made
    return all.map((change) => ({ run, change }))
  })
  const changed = await transitionConversations(
    tx,
    deps,
    changes.map(({ run, change }) => ({
      companyId: run.companyId,
      conversationId: run.conversationId,
      by: { kind: 'flow' as const, runId: run.id },
      change,
    })),
  )
  const ended = changes.filter((_, index) => changed[index]?.endsRuns)
  await cancelRuns(
    tx,
    deps.now,
    {
      conversationIds: ended.map(({ run }) => run.conversationId),
      exceptRunIds: ended.map(({ run }) => run.id),
    },
    fact('run_ended_by_another'),
  )
}

function editsOf({ mutations, loaded: { contact, company } }: RunPlan): ContactEdit[] {
  return mutations.flatMap((mutation) => {
    if (mutation.kind !== 'edit_contact' || !contact) return []
    const { kind: _, ...edit } = mutation
    return [{ company, contactId: contact.id, ...edit }]
  })
}

function leadsOf({
  mutations,
  loaded: { contact, company, conversation },
}: RunPlan): LeadRequest[] {
  return mutations.flatMap((mutation) => {
    if (mutation.kind !== 'make_lead') return []
    const { temperature, score, summary, qualify } = mutation
    return [
      {
        company,
        contactId: contact?.id ?? null,
        conversationId: conversation.id,
        source: 'flow' as const,
        ...(temperature !== null && { temperature }),
        ...(score !== null && { score }),
        ...(summary !== null && {
          summary: cutCodePoints(cleanText(summary), LEAD_LIMITS.summaryChars),
        }),
        qualify,
      },
    ]
  })
}

function changesOf(
  mutation: StepMutation,
  isMember: (personId: string | null) => boolean,
): ConversationChange[] {
  switch (mutation.kind) {
    case 'edit_contact':
    case 'make_lead':
      return []
    case 'note':
      return [{ kind: 'note', text: mutation.text }]
    case 'resolve':
      return [{ kind: 'resolve', isBulk: false }]
    case 'assign':
      return isMember(mutation.personId) ? [{ kind: 'assign', assigneeId: mutation.personId }] : []
    case 'hand_over': {
      const { text: reasonText, personId } = mutation
      const handedOver = { kind: 'hand_over', reason: 'flow_handover', reasonText } as const
      return personId !== null && isMember(personId)
        ? [handedOver, { kind: 'assign', assigneeId: personId }]
        : [handedOver]
    }
  }
}

/**
 * Returns the plans that leave a customer unanswered, for staff to answer. These are plans of runs that fail or end
 * before an answer after the customer wrote, and of runs that ignore what they wrote. Readings F9, F39.
 */
async function plansWithoutAnswer(
  tx: Transaction<DB>,
  plans: readonly RunPlan[],
  now: Date,
): Promise<Set<RunPlan>> {
  const isFree = ({ loaded }: RunPlan) => !isStaffHandling(loaded.conversation, now)
  const leaving = plans.filter((plan) => leavesCustomerUnanswered(plan) && isFree(plan))
  const stopping = plans.filter(
    (plan) => plan.end?.status === 'failed' || (endsWithoutAnswer(plan) && isFree(plan)),
  )
  if (stopping.length === 0) return new Set(leaving)
  const replied = await tx
    .selectFrom('flowRunReply')
    .select('runId')
    .distinct()
    .where(
      'runId',
      'in',
      stopping.map(({ loaded }) => loaded.run.id),
    )
    .execute()
  const answering = new Set(replied.map(({ runId }) => runId))
  return new Set([
    ...leaving,
    ...stopping.filter(
      ({ loaded: { run } }) => run.triggerMessageId !== null || answering.has(run.id),
    ),
  ])
}

/**
 * Returns which of the assigned people are members, each with the account.
 *
 * Isolation: members are locked, so that a concurrent removal sees what this advance assigned. A member whose removal
 * is in progress is skipped without waiting, as the removal may wait for these conversations.
 */
async function readMembers(tx: Transaction<DB>, plans: readonly RunPlan[]): Promise<Set<string>> {
  const personIds = plans.flatMap(({ mutations }) =>
    mutations.flatMap((mutation) => ('personId' in mutation ? (mutation.personId ?? []) : [])),
  )
  if (personIds.length === 0) return new Set()
  const rows = await tx
    .selectFrom('member')
    .select(['accountId', 'personId'])
    .where('personId', 'in', personIds)
    .where('accountId', 'in', [...new Set(plans.map(({ loaded }) => loaded.accountId))])
    .orderBy('id')
    .forKeyShare()
    .skipLocked()
    .execute()
  return new Set(rows.map(({ accountId, personId }) => `${accountId} ${personId}`))
}
