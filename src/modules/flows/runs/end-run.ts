import type { Transaction } from 'kysely'
import type { DB } from '../../../infra/database/tables.ts'
import type { Fact } from '../../../core/facts/fact.ts'
import { serializeFact } from '../../../core/facts/stored-fact.ts'
import type { Ids } from '../../../core/ids.ts'
import { contactSummary } from '../../messaging/contact.ts'
import { conversationSummary } from '../../messaging/conversation.ts'
import { raiseEvent, type EventToRaise } from '../../events/raise-event.ts'
import type { RunEnd, Variables } from './interpret-flow.ts'
import type { LockedRun } from './read-run.ts'

/** The end of a run without an event; its reason is shown to members. */
export type SilentEnd = {
  kind: 'end'
  status: 'skipped' | 'cancelled'
  endReason: null
  detail: Fact
}

/**
 * Ends a run and raises `flow.completed` or `flow.failed`; a skipped or cancelled run raises no event. The caller has
 * locked the run and its conversation.
 *
 * Spec: States › Run; Events › Payloads; reading F4.
 */
export async function endRun(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  loaded: LockedRun,
  end: RunEnd | SilentEnd,
  variables: Variables,
): Promise<void> {
  await tx
    .updateTable('flowRun')
    .set({
      status: end.status,
      endReason: end.endReason,
      endDetail: end.detail && serializeFact(end.detail),
      endedAt: deps.now,
      variables: JSON.stringify(variables),
      stepId: null,
      waitKind: null,
      waitUntil: null,
      waitingSince: null,
    })
    .where('id', '=', loaded.run.id)
    .execute()
  await tx.deleteFrom('runQueue').where('id', '=', loaded.run.id).execute()
  const event = eventOfEnd(loaded, end, variables, deps.now)
  if (event) await raiseEvent(tx, deps, event)
}

/** Returns the event of a run's end, or null for a silent end. */
export function eventOfEnd(
  { run, flowName, company, conversation, contact }: LockedRun,
  end: RunEnd | SilentEnd,
  variables: Variables,
  now: Date,
): EventToRaise | null {
  if (end.status === 'skipped' || end.status === 'cancelled') return null
  return {
    type: end.status === 'completed' ? 'flow.completed' : 'flow.failed',
    company,
    data: {
      flow: { id: run.flowId, name: flowName },
      run: {
        id: run.id,
        status: end.status,
        endReason: end.endReason,
        triggerKind: run.triggerKind,
        startedAt: run.createdAt.toISOString(),
        endedAt: now.toISOString(),
        variables,
      },
      conversation: conversationSummary(conversation),
      contact: contactSummary(contact, conversation),
    },
    occurredAt: now,
    conversationId: conversation.id,
    contactId: run.contactId,
    runId: run.id,
  }
}
