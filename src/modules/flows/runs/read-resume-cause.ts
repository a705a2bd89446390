import { isInternalRefusal } from '../../messaging/may-send.ts'
import type { FlowDefinition } from '../../../contract/flow-definition.ts'
import { fact, type Fact } from '../../../core/facts/fact.ts'
import { parseFact } from '../../../core/facts/stored-fact.ts'
import { callAt, type RunInput } from './interpret-flow.ts'
import type { InterruptedCall } from './interrupted-call.ts'
import type { MessageError, LoadedRun, LastSend } from './load-runs.sql.ts'

/** The reason why a claimed run is due: an input for the engine, or an outcome of its last send. */
export type ResumeCause =
  | Exclude<RunInput, { kind: 'effect_done' }>
  /** The run has no work yet; it is due again at `dueAt`, or when an outcome is recorded. */
  | { kind: 'nothing'; dueAt: Date | null }
  /** The response to the send was lost; the message is never sent again. */
  | { kind: 'send_unknown' }
  | { kind: 'send_refused_for_now'; detail: Fact; againAt: Date }
  /** The message was not sent, because it was no longer allowed. */
  | { kind: 'send_not_allowed'; detail: Fact }
  /** The provider reported later that the message did not arrive, so no reply to it can come. */
  | { kind: 'undelivered'; detail: Fact }
  /** The worker died during a call. */
  | { kind: 'call_interrupted'; unfinishedCall: InterruptedCall }

/** Returns why a claimed run is due: the first cause that its state, its replies and its last send show. */
export function readResumeCause(
  loaded: LoadedRun,
  definition: FlowDefinition,
  now: Date,
): ResumeCause {
  const { run, last } = loaded
  if (run.status === 'queued') return { kind: 'start' }
  if (run.status === 'waiting' && run.waitKind !== 'sent') {
    const [reply] = run.waitKind === 'reply' ? loaded.replies : []
    if (reply) return { kind: 'reply', ...reply }
    // Only once: afterwards the step is marked as failed.
    if (last?.message.status === 'failed' && last.step.status === 'done') {
      return { kind: 'undelivered', detail: undelivered(last.message) }
    }
    if (run.waitUntil! <= now) return { kind: 'timeout' }
    return { kind: 'nothing', dueAt: run.waitUntil! }
  }
  if (run.status === 'running' && callAt(definition, run.stepId)) {
    if (loaded.unfinishedCall)
      return { kind: 'call_interrupted', unfinishedCall: loaded.unfinishedCall }
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
      throw new Error(`message ${message.id} was not sent by this service`)
  }
}

/** Returns the fact that a message was accepted but did not arrive, with the provider's reason. */
export function undelivered(message: MessageError): Fact {
  return fact('message_undelivered', { why: whyFailed(message) })
}

/** Returns why a message of this service failed; a receipt may lack the reason. */
export function whyFailed({ errorCode, errorDetail }: MessageError): Fact {
  if (errorDetail !== null) return parseFact(errorDetail)
  return fact('provider_refused', { said: '', providerCode: errorCode ?? '' })
}
