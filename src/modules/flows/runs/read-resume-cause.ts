import { isInternalRefusal } from '../../messaging/may-send.ts'
import type { FlowDefinition } from '../../../contract/flow-definition.ts'
import { fact, type Fact } from '../../../core/facts/fact.ts'
import { parseFact } from '../../../core/facts/stored-fact.ts'
import { callAt, type RunInput } from './interpret-flow.ts'
import type { InterruptedCall } from './interrupted-call.ts'
import type { FailedWhy, LoadedRun, LastSend } from './load-runs.sql.ts'

/** What a run that was claimed finds: an input for the engine, or a matter of its last send. */
export type ResumeCause =
  | Exclude<RunInput, { kind: 'errand_done' }>
  /** Woken for nothing; due again later, or when it is told. */
  | { kind: 'nothing'; dueAt: Date | null }
  /** The answer to the send was lost: it is never sent again blindly. */
  | { kind: 'send_unknown' }
  | { kind: 'send_refused_for_now'; detail: Fact; againAt: Date }
  /** It was not sent, since it might not go out any more. */
  | { kind: 'send_not_allowed'; detail: Fact }
  /** It had gone out, and the provider tells later that nobody got it: no reply to it can come. */
  | { kind: 'undelivered'; detail: Fact }
  /** Its worker died during a call. */
  | { kind: 'call_cut_off'; cutOff: InterruptedCall }

/** Reads why a run is due. */
export function readResumeCause(
  hand: LoadedRun,
  definition: FlowDefinition,
  now: Date,
): ResumeCause {
  const { run, last } = hand
  if (run.status === 'queued') return { kind: 'start' }
  if (run.status === 'waiting' && run.waitKind !== 'sent') {
    const [reply] = run.waitKind === 'reply' ? hand.replies : []
    if (reply) return { kind: 'reply', ...reply }
    // Once: from then on the step says that it failed.
    if (last?.message.status === 'failed' && last.step.status === 'done') {
      return { kind: 'undelivered', detail: undelivered(last.message) }
    }
    if (run.waitUntil! <= now) return { kind: 'timeout' }
    return { kind: 'nothing', dueAt: run.waitUntil! }
  }
  if (run.status === 'running' && callAt(definition, run.stepId)) {
    if (hand.cutOff) return { kind: 'call_cut_off', cutOff: hand.cutOff }
  }
  if (!last) return { kind: 'send_failed', detail: fact('message_gone') }
  const outcome = outcomeOfMessage(last.message)
  if (outcome.kind !== 'send_unknown' || run.status === 'running') return outcome
  if (run.waitUntil! > now) return { kind: 'nothing', dueAt: run.waitUntil! }
  return {
    kind: 'send_failed',
    detail: fact('send_never_told'),
  }
}

function outcomeOfMessage(message: LastSend['message']): ResumeCause {
  switch (message.status) {
    case 'queued':
      return { kind: 'nothing', dueAt: null }
    case 'sending':
      return message.claimId ? { kind: 'nothing', dueAt: null } : { kind: 'send_unknown' }
    case 'unknown':
      return { kind: 'send_unknown' }
    case 'failed': {
      const detail = whyFailed(message)
      if (message.dueAt) return { kind: 'send_refused_for_now', detail, againAt: message.dueAt }
      return isInternalRefusal(message.errorCode)
        ? { kind: 'send_not_allowed', detail }
        : { kind: 'send_failed', detail }
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

/** That a message was taken and did not arrive. */
export function undelivered(message: FailedWhy): Fact {
  return fact('message_undelivered', { why: whyFailed(message) })
}

/** Why a message of ours failed: a receipt may have come without a reason. */
export function whyFailed({ errorCode, errorDetail }: FailedWhy): Fact {
  if (errorDetail !== null) return parseFact(errorDetail)
  return fact('provider_refused', { said: '', providerCode: errorCode ?? '' })
}
