import type { Transaction } from 'kysely'
import { noteWork } from '../database/commit-notes.ts'
import type { DB } from '../database/tables.ts'
import type { Fact } from '../facts/fact.ts'
import { storeFact } from '../facts/stored-fact.ts'
import { REPLY_OF_ASSISTANT, REPLY_WORK } from '../limits/replies.ts'
import type { ReplyRow } from './reply.ts'
import type { Turning } from './turning.ts'

/** What a turn changes of a reply that goes on. */
function goingOn(reply: ReplyRow) {
  const { state, thinkingAt, heardAt, coveredMessageId, hasEffect, parts } = reply
  const { modelRequests, tokensIn, tokensOut } = reply
  return {
    state,
    thinkingAt,
    heardAt,
    coveredMessageId,
    hasEffect,
    parts,
    modelRequests,
    tokensIn,
    tokensOut,
    faults: 0,
  }
}

/** Saves a reply that stays in hand, under a lease that begins anew. */
export async function saveReply(tx: Transaction<DB>, reply: ReplyRow, now: Date): Promise<void> {
  await tx
    .updateTable('assistantReply')
    .set({ ...goingOn(reply), claimedUntil: new Date(now.getTime() + REPLY_WORK.leaseMs) })
    .where('id', '=', reply.id)
    .execute()
}

/** Saves a reply that waits, for whoever takes it up then. */
export async function restReply(tx: Transaction<DB>, reply: ReplyRow, wakeAt: Date): Promise<void> {
  await tx
    .updateTable('assistantReply')
    .set({ ...goingOn(reply), wakeAt, claimId: null, claimedUntil: null })
    .where('id', '=', reply.id)
    .execute()
}

/**
 * Ends a reply. What the customer wrote meanwhile, and the model was not told of, begins the next one in the
 * same transaction.
 */
export async function settleReply(
  { tx, deps, hand: { reply, settings }, now }: Turning,
  state: 'sent' | 'not_sent' | 'unknown' | 'cancelled' | 'handed_over' | 'failed',
  why: Fact,
  detail: string | null = null,
): Promise<void> {
  await tx
    .updateTable('assistantReply')
    .set({
      ...goingOn(reply),
      state,
      endReason: storeFact(why),
      detail,
      endedAt: now,
      wakeAt: null,
      claimId: null,
      claimedUntil: null,
    })
    .where('id', '=', reply.id)
    .execute()
  if (reply.state !== 'gathering') await withdrawUnstated(tx, reply, now)
  const goesOn = state === 'sent' || state === 'unknown'
  if (!goesOn || reply.notedMessageId === reply.coveredMessageId) return
  const { companyId, conversationId, notedMessageId, notedAt } = reply
  const quietUntil = notedAt.getTime() + (settings?.gatherMs ?? 0)
  const gatherUntil = new Date(Math.max(now.getTime(), quietUntil))
  await tx
    .insertInto('assistantReply')
    .values({
      id: deps.ids.uuid(),
      companyId,
      conversationId,
      state: 'gathering',
      gatherUntil,
      gatherLatest: new Date(now.getTime() + REPLY_OF_ASSISTANT.gatherMostMs),
      wakeAt: gatherUntil,
      firstMessageId: notedMessageId,
      notedMessageId,
      notedAt,
      startedAt: now,
    })
    .execute()
  noteWork(tx, 'replies')
}

/** What it drafted and the customer was never told of: nobody agrees to it any more. */
async function withdrawUnstated(
  tx: Transaction<DB>,
  { id, companyId }: ReplyRow,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('actionProposal')
    .set({ state: 'withdrawn', withdrawnBecause: 'not_stated', endedAt: now })
    .where('companyId', '=', companyId)
    .where('draftedBy', '=', id)
    .where('state', '=', 'drafted')
    .execute()
}
