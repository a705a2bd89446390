import type { Transaction } from 'kysely'
import type { SendResult } from '../channels/channel-adapter.ts'
import { NOT_SENT } from '../channels/send-on-channel.ts'
import type { DB } from '../database/tables.ts'
import type { MessageRow } from '../messaging/record-receipt.ts'
import type { FlowDefinition } from '../contract/flow-definition.ts'
import type { RunInput } from './advance.ts'
import { readCutOffCall, type CutOffCall } from './cut-off-call.ts'
import { takeKeptReply } from './kept-reply.ts'
import type { RunInHand } from './read-run.ts'

/** What a run that was claimed finds: an input for the engine, or a matter of its last send. */
export type Happened =
  | RunInput
  /** Woken for nothing; due again later. */
  | { kind: 'nothing'; wakeAt: Date }
  /** The answer to the send was lost: it is never sent again blindly. */
  | { kind: 'send_unknown' }
  | { kind: 'send_refused_for_now'; detail: string }
  /** The provider had refused for now; it is time to try again. */
  | { kind: 'send_again' }
  /** Its worker died during a call. */
  | { kind: 'call_cut_off'; cutOff: CutOffCall }

/** Reads the answer to a send that was just made. */
export function outcomeOfSend(message: MessageRow, result: SendResult): Happened {
  // A receipt may have overtaken the answer, and knows better: also that the message has failed.
  if (result.outcome !== 'refused' || message.status !== 'failed') return outcomeOfMessage(message)
  const detail = providerSaid(result.error)
  const isForNow = result.error.class === 'rate' || result.error.class === 'transient'
  return isForNow ? { kind: 'send_refused_for_now', detail } : { kind: 'send_failed', detail }
}

/** Reads from the run's rows why it is due. */
export async function whatHappened(
  tx: Transaction<DB>,
  hand: RunInHand,
  definition: FlowDefinition,
  now: Date,
): Promise<Happened> {
  const { run } = hand
  if (run.status === 'queued') return { kind: 'start' }
  if (run.status === 'waiting' && run.waitKind === 'reply') {
    const reply = await takeKeptReply(tx, run.id, now)
    if (reply) return reply
    if (run.waitUntil! <= now) return { kind: 'timeout' }
    return { kind: 'nothing', wakeAt: run.waitUntil! }
  }
  if (run.status === 'running' && definition.steps[run.stepId ?? '']?.kind === 'http_request') {
    const cutOff = await readCutOffCall(tx, hand)
    if (cutOff) return { kind: 'call_cut_off', cutOff }
  }
  const last = await lastSend(tx, run.id)
  if (!last) return { kind: 'send_failed', detail: 'The message of this step is gone.' }
  if (run.status === 'running') {
    // Its worker died, or the provider had refused for now; a receipt since then shows that the
    // message went out all the same.
    const isRefused = last.stepStatus === 'failed' && last.message.status === 'failed'
    return isRefused ? { kind: 'send_again' } : outcomeOfMessage(last.message)
  }
  const outcome = outcomeOfMessage(last.message)
  if (outcome.kind !== 'send_unknown') return outcome
  if (run.waitUntil! > now) return { kind: 'nothing', wakeAt: run.waitUntil! }
  return {
    kind: 'send_failed',
    detail:
      'The provider never told whether this message went out. It was not sent again, so that the customer does not get it twice.',
  }
}

function outcomeOfMessage(message: MessageRow): Happened {
  switch (message.status) {
    case 'sending':
    case 'unknown':
      return { kind: 'send_unknown' }
    case 'failed':
      return {
        kind: 'send_failed',
        detail: providerSaid({ code: message.errorCode ?? '', message: message.errorDetail ?? '' }),
      }
    case 'accepted':
    case 'sent':
    case 'delivered':
    case 'read':
      return { kind: 'sent' }
    case null:
    default:
      throw new Error(`message ${message.id} is not one that we sent`)
  }
}

function providerSaid(error: { code: string; message: string }): string {
  if (error.code === NOT_SENT) return `Nothing was sent: ${error.message}.`
  return `The provider refused: ${error.message || 'no reason given'}${error.code ? ` (${error.code})` : ''}.`
}

async function lastSend(tx: Transaction<DB>, runId: string) {
  const step = await tx
    .selectFrom('flowRunStep')
    .select(['status', 'messageId'])
    .where('runId', '=', runId)
    .where('messageId', 'is not', null)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!step?.messageId) return null
  const message = await tx
    .selectFrom('message')
    .selectAll()
    .where('id', '=', step.messageId)
    .forUpdate()
    .executeTakeFirst()
  return message ? { stepStatus: step.status, message } : null
}
