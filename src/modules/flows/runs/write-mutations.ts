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
import type { RunPlan } from './planned-turn.ts'
import { isCutOff, leavesCustomerUnanswered } from './unread-replies.ts'

/**
 * Writes what the steps of turns have done to customers and conversations, a statement for each kind of
 * thing however many turns there are, and tells of it: of a contact once a turn, of a lead that is qualified. Whoever was to have a
 * conversation and is no member any more does not get it.
 *
 * Isolation: the conversations are locked by the caller.
 * Spec: Flows › Steps; readings F35, F36, F40.
 */
export async function writeMutations(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  plans: readonly RunPlan[],
  /** Of appointments: told of after contacts and leads. */
  held: readonly EventToRaise[],
): Promise<void> {
  const leftAlone = await leftAloneBy(tx, plans, deps.now)
  const acting = plans.filter((plan) => plan.acts.length > 0 || leftAlone.has(plan))
  if (acting.length === 0) return raiseEvents(tx, deps, held)
  await editContacts(tx, deps, acting.flatMap(editsOf))
  await requestLeads(tx, deps, acting.flatMap(leadsOf))
  await raiseEvents(tx, deps, held)
  const members = await readMembers(tx, acting)
  const changes = acting.flatMap((plan) => {
    const { run, accountId } = plan.hand
    const isMember = (personId: string | null) =>
      personId === null || members.has(`${accountId} ${personId}`)
    const made = plan.acts.flatMap((act) => changesOf(act, isMember))
    // What nobody has answered is not resolved.
    const open = made.filter(({ kind }) => kind !== 'resolve')
    const all: ConversationChange[] = leftAlone.has(plan)
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
  const ended = changes.filter((_, place) => changed[place]?.endsRuns)
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

function editsOf({ acts, hand: { contact, company } }: RunPlan): ContactEdit[] {
  return acts.flatMap((act) => {
    if (act.kind !== 'edit_contact' || !contact) return []
    const { kind: _, ...edit } = act
    return [{ company, contactId: contact.id, ...edit }]
  })
}

function leadsOf({ acts, hand: { contact, company, conversation } }: RunPlan): LeadRequest[] {
  return acts.flatMap((act) => {
    if (act.kind !== 'make_lead') return []
    const { temperature, score, summary, qualify } = act
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
  act: StepMutation,
  isMember: (personId: string | null) => boolean,
): ConversationChange[] {
  switch (act.kind) {
    case 'edit_contact':
    case 'make_lead':
      return []
    case 'note':
      return [{ kind: 'note', text: act.text }]
    case 'resolve':
      return [{ kind: 'resolve', isBulk: false }]
    case 'assign':
      return isMember(act.personId) ? [{ kind: 'assign', assigneeId: act.personId }] : []
    case 'hand_over': {
      const { text: reasonText, personId } = act
      const handedOver = { kind: 'hand_over', reason: 'flow_handover', reasonText } as const
      return personId !== null && isMember(personId)
        ? [handedOver, { kind: 'assign', assigneeId: personId }]
        : [handedOver]
    }
  }
}

/**
 * Turns that fail a run to which the customer has written, or cut it off before it has answered, or that make
 * nothing of what they wrote: nobody else answers them. Readings F9, F39.
 */
async function leftAloneBy(
  tx: Transaction<DB>,
  plans: readonly RunPlan[],
  now: Date,
): Promise<Set<RunPlan>> {
  const isFree = ({ hand }: RunPlan) => !isStaffHandling(hand.conversation, now)
  const leaving = plans.filter((plan) => leavesCustomerUnanswered(plan) && isFree(plan))
  const stopping = plans.filter(
    (plan) => plan.end?.status === 'failed' || (isCutOff(plan) && isFree(plan)),
  )
  if (stopping.length === 0) return new Set(leaving)
  const replied = await tx
    .selectFrom('flowRunReply')
    .select('runId')
    .distinct()
    .where(
      'runId',
      'in',
      stopping.map(({ hand }) => hand.run.id),
    )
    .execute()
  const answering = new Set(replied.map(({ runId }) => runId))
  return new Set([
    ...leaving,
    ...stopping.filter(
      ({ hand: { run } }) => run.triggerMessageId !== null || answering.has(run.id),
    ),
  ])
}

/**
 * Of the people that turns name, those who are members, each with the account.
 *
 * Isolation: they are held, so that whoever removes one finds what this turn has given them. One who is being
 * removed at this moment is passed over and not waited for: who removes them may wait for these conversations.
 */
async function readMembers(tx: Transaction<DB>, plans: readonly RunPlan[]): Promise<Set<string>> {
  const asked = plans.flatMap(({ acts }) =>
    acts.flatMap((act) => ('personId' in act ? (act.personId ?? []) : [])),
  )
  if (asked.length === 0) return new Set()
  const rows = await tx
    .selectFrom('member')
    .select(['accountId', 'personId'])
    .where('personId', 'in', asked)
    .where('accountId', 'in', [...new Set(plans.map(({ hand }) => hand.accountId))])
    .orderBy('id')
    .forKeyShare()
    .skipLocked()
    .execute()
  return new Set(rows.map(({ accountId, personId }) => `${accountId} ${personId}`))
}
