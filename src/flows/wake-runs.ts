import type { Transaction } from 'kysely'
import type { DB } from '../database/tables.ts'
import type { Ids } from '../ids.ts'
import type { MessageRow } from '../messaging/record-receipt.ts'
import { failed, type Variables } from './advance.ts'
import { endRun } from './end-run.ts'
import { FLOW_DELETED } from './interruption.ts'
import { lockRun } from './read-run.ts'

/**
 * Makes the open runs of a contact or a conversation due at once: they find that the customer has
 * opted out or that staff has taken over, and end.
 */
export async function wakeRuns(
  tx: Transaction<DB>,
  now: Date,
  of: { contactId: string } | { conversationId: string },
): Promise<void> {
  const open = tx
    .updateTable('flowRun')
    .set({ wakeAt: now })
    .where('status', 'in', ['queued', 'running', 'waiting'])
  await (
    'contactId' in of
      ? open.where('contactId', '=', of.contactId)
      : open.where('conversationId', '=', of.conversationId)
  ).execute()
}

/** Makes a run due at once that waits to learn what became of its send. */
export async function wakeRunThatAwaitsOutcome(
  tx: Transaction<DB>,
  now: Date,
  runId: string,
): Promise<void> {
  await tx
    .updateTable('flowRun')
    .set({ wakeAt: now })
    .where('id', '=', runId)
    .where('status', '=', 'waiting')
    .where('waitKind', '=', 'sent')
    .execute()
}

/**
 * Tells a run what became of a message it sent: a run that waits for the outcome is due at once; one
 * that waits for a reply to a message that the provider could not deliver fails, since no reply can
 * come.
 */
export async function tellRunOfReceipt(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  message: MessageRow,
): Promise<void> {
  if (!message.runId) return
  await wakeRunThatAwaitsOutcome(tx, deps.now, message.runId)
  if (message.status !== 'failed') return
  const hand = await lockRun(tx, {
    id: message.runId,
    conversationId: message.conversationId,
    claimId: null,
  })
  if (hand?.run.status !== 'waiting' || hand.run.waitKind !== 'reply') return
  if (!(await isLastOfRun(tx, message))) return
  const detail = `The message could not be delivered: ${message.errorDetail ?? 'no reason given'} (${message.errorCode ?? 'no code'}).`
  const end = hand.isFlowDeleted ? FLOW_DELETED : failed('error', detail)
  await endRun(tx, deps, hand, end, JSON.parse(hand.run.variables) as Variables)
}

async function isLastOfRun(tx: Transaction<DB>, message: MessageRow): Promise<boolean> {
  const last = await tx
    .selectFrom('flowRunStep')
    .select('messageId')
    .where('runId', '=', message.runId)
    .where('messageId', 'is not', null)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.messageId === message.id
}
