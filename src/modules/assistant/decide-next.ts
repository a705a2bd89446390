/**
 * Decides what a reply does next, from its loaded state. Pure: `advanceReply` writes and executes the decision. Spec:
 * Assistant › States of a reply.
 */
import { fact } from '../../core/facts/fact.ts'
import { REPLY_OF_ASSISTANT as LIMITS, REPLY_WORK } from '../../core/limits/replies.ts'
import { sendInputs } from '../messaging/may-send.ts'
import { whyNotSent, type SendRefusalCode } from '../../rules/messaging/may-send.ts'
import { isStaffHandling } from '../../rules/messaging/take-over.ts'
import type { ToolCall } from '../models/model.ts'
import type { GuardFault } from '../../core/vocabulary/reply-guard.ts'
import type { HandoverReason } from '../../core/vocabulary/inbox.ts'
import { handOverDecision, type Decision, type HandOverDecision } from './decision.ts'
import { pendingMessagesOf } from './pending-messages.ts'
import { precheckMessages, hasLoop } from './precheck-messages.ts'
import { checkMedia } from './check-media.ts'
import { checkReplyText } from './check-reply-text.ts'
import { proposalOutcomeOf } from './proposal-outcome.ts'
import {
  isAnswerToProposal,
  isDroppedDraft,
  type LoadedReply,
  type SentPart,
  type StepRow,
} from './reply.ts'
import { readAnswerData, readParts, readToolData } from './step-data.ts'

/** Decides what a reply does next: wait, call a model, use a tool, send or end. */
export function decideNext(loaded: LoadedReply, now: Date): Decision {
  const { reply } = loaded
  const stop = whyStop(loaded, now)
  if (stop) return stop
  if (reply.state === 'sending') return continueSending(loaded, now)
  if (reply.state === 'gathering') return decideGathering(loaded, now)
  return decideThinking(loaded, now)
}

/**
 * Returns the decision that stops the reply, or null. Checked before each effect. Spec: Assistant › When it answers.
 */
function whyStop(loaded: LoadedReply, now: Date): Decision | null {
  const { conversation, settings, reply } = loaded
  if (isStaffHandling(conversation, now)) {
    return { kind: 'end', state: 'cancelled', why: fact('reply_staff_has_it') }
  }
  if (!settings?.isOn || (reply.state === 'gathering' && !loaded.hasModel)) {
    const why = fact('reply_assistant_off')
    return { kind: 'end', state: 'cancelled', why, leavesCustomerUnanswered: true }
  }
  const refusal = whyNotSaid(loaded, now)
  if (refusal === null) return null
  if (refusal === 'opted_out') {
    return { kind: 'end', state: 'cancelled', why: fact('reply_customer_stopped') }
  }
  return handOverDecision('needs_staff_action', refusal, { kind: 'nothing' })
}

/** Returns why a text may not be sent to the customer now, or null. */
function whyNotSaid(
  { channel, company, contact, conversation }: LoadedReply,
  now: Date,
): SendRefusalCode | null {
  const facts = sendInputs({
    channel,
    plan: company.plan,
    optedOutAt: contact?.optedOutAt ?? null,
    lastCustomerAt: conversation.lastCustomerAt,
  })
  return whyNotSent(facts, 'assistant', { kind: 'text', text: '' }, now)?.code ?? null
}

function decideGathering(loaded: LoadedReply, now: Date): Decision {
  const { reply, isDuringRun } = loaded
  // A loop is handed over after the debounce, without transcribing anything first.
  const media = hasLoop(loaded, pendingMessagesOf(loaded)) ? null : checkMedia(loaded, now)
  if (media) return media
  if (reply.debounceUntil !== null && reply.debounceUntil > now) {
    return { kind: 'wait', dueAt: reply.debounceUntil }
  }
  if (isDuringRun) {
    return { kind: 'wait', dueAt: new Date(now.getTime() + LIMITS.duringRunMs) }
  }
  return precheckMessages(loaded) ?? { kind: 'think' }
}

function decideThinking(loaded: LoadedReply, now: Date): Decision {
  const { reply, steps } = loaded
  const own = steps.filter(({ epoch }) => epoch === reply.epoch)
  if (loaded.hasProposal && !steps.some((step) => isAnswerRead(step, reply.epoch))) {
    return { kind: 'answer_proposal' }
  }
  // Money may have moved, so a person has to check.
  if (proposalOutcomeOf(loaded)?.state === 'unknown') {
    return handOverDecision('needs_staff_action', null, { kind: 'fixed' })
  }
  const handed = own.find((step) => step.kind === 'tool' && readToolData(step).handsOver)
  const answerStep = own.findLast(({ kind, state }) => kind === 'model' && state === 'done')
  if (handed) return handOverByTool(loaded, handed, answerStep)
  const isLate = now.getTime() - (reply.thinkingAt ?? now).getTime() >= LIMITS.allMs
  const last = own.at(-1)
  if (last?.kind === 'model' && last.state === 'failed')
    return askAfterFailure(own, last, loaded, now)
  const pending = answerStep && callsLeft(own, answerStep)[0]
  if (answerStep && pending) return useTool(loaded, pending, isLate)
  const isAnswered =
    answerStep !== undefined && answerStep === own.findLast(({ kind }) => kind === 'model')
  const isReported = last?.kind === 'tool'
  if (isAnswered && !isReported && last?.kind !== 'guard') return checkReplyText(loaded, answerStep)
  if (isLate) return handOverDecision('missing_information', 'out_of_time', { kind: 'fixed' })
  return requestModel(
    loaded,
    own,
    last?.kind === 'guard' ? (last.failure as GuardFault | null) : null,
  )
}

function requestModel(
  loaded: LoadedReply,
  own: readonly StepRow[],
  note: GuardFault | null,
): Decision {
  const { modelRequests } = loaded.reply
  if (modelRequests >= LIMITS.modelRequests) {
    return handOverDecision('missing_information', 'out_of_requests', { kind: 'fixed' })
  }
  const refused = own.filter((step) => isUse(step) && !readToolData(step).isDone).length
  const isLast = modelRequests === LIMITS.modelRequests - 1 || refused >= LIMITS.refusedTools
  const isShortened = own.some(({ failure }) => failure === 'context_too_long')
  return { kind: 'model', toolChoice: isLast ? 'none' : 'auto', isShortened, note }
}

/** Returns whether a step is a tool that the model called. */
const isUse = (step: StepRow) => step.kind === 'tool' && !isAnswerToProposal(step)
/** Returns whether the customer's answer to a proposal was read in this epoch; an executed one is read only once. */
const isAnswerRead = (step: StepRow, epoch: number) =>
  isAnswerToProposal(step) &&
  step.state === 'done' &&
  (step.epoch === epoch || readToolData(step).answered?.isCalled === true)

/** Retries models within the time limit of a reply; afterwards a person has to answer. */
function askAfterFailure(
  own: readonly StepRow[],
  last: StepRow,
  loaded: LoadedReply,
  now: Date,
): Decision {
  const failed = own.filter(({ kind, state }) => kind === 'model' && state === 'failed')
  if (last.failure === 'allowance_used_up') {
    return handOverDecision('missing_information', 'allowance_used_up', { kind: 'fixed' })
  }
  // The model has used its tools and returns no text; a retry would only repeat that.
  if (last.failure === 'called_unasked') {
    return handOverDecision('missing_information', 'out_of_requests', { kind: 'fixed' })
  }
  const isTooLong = last.failure === 'context_too_long'
  if (isTooLong && failed.filter((step) => step.failure === last.failure).length === 1) {
    return requestModel(loaded, own, null)
  }
  const delays = REPLY_WORK.modelAgainMs
  const delayMs = delays[Math.min(failed.length, delays.length) - 1]!
  const againAt = new Date((last.endedAt ?? now).getTime() + delayMs)
  const until = (loaded.reply.thinkingAt ?? now).getTime() + LIMITS.allMs
  if (againAt.getTime() >= until || isTooLong) {
    return handOverDecision('missing_information', 'model_unavailable', { kind: 'fixed' })
  }
  return againAt > now ? { kind: 'wait', dueAt: againAt } : requestModel(loaded, own, null)
}

/** Returns the calls of a model's answer that have not been executed. */
function callsLeft(own: readonly StepRow[], answerStep: StepRow): ToolCall[] {
  const after = own.slice(own.indexOf(answerStep) + 1)
  const executed = after.filter((step) => isUse(step) && step.result !== null)
  return readAnswerData(answerStep).calls.slice(executed.length)
}

function useTool(loaded: LoadedReply, call: ToolCall, isLate: boolean): Decision {
  if (isLate) {
    return {
      kind: 'refuse',
      call,
      result: 'There is no time left for this. Answer with what you know.',
    }
  }
  const before = loaded.steps.filter(
    (step) =>
      step.kind === 'tool' && step.name === call.name && !isDroppedDraft(step, loaded.reply),
  )
  const same = before.filter(({ input }) => input === call.input)
  if (same.length >= LIMITS.sameCalls) {
    const result = 'You have used this tool like this twice already. Answer with what you know.'
    return { kind: 'refuse', call, result }
  }
  if (call.name === 'search_knowledge' && before.length >= LIMITS.searches) {
    const result = 'There are no searches left in this reply. Answer with what you found.'
    return { kind: 'refuse', call, result }
  }
  return { kind: 'use', call }
}

function handOverByTool(
  loaded: LoadedReply,
  handed: StepRow,
  answerStep: StepRow | undefined,
): HandOverDecision {
  const { reason, reasonText, qualifies = false } = readToolData(handed).handsOver!
  const text = answerStep?.result?.trim() ?? ''
  const outcomes = text === '' || !answerStep ? null : checkReplyText(loaded, answerStep)
  const isFit = outcomes?.kind === 'say' && outcomes.parts.texts.length === 1
  return {
    kind: 'hand_over',
    reason: reason as HandoverReason,
    reasonText,
    detail: null,
    qualifies,
    says: isFit ? { kind: 'text', text: outcomes.parts.texts[0]! } : { kind: 'fixed' },
  }
}

/** Sends part after part, each once the provider has accepted the previous one. */
function continueSending({ reply, sent }: LoadedReply, now: Date): Decision {
  const parts = readParts(reply)
  for (const [part] of parts.texts.entries()) {
    const message = sent.find((one) => one.part === part)
    if (!message) return { kind: 'say_next', part, parts }
    const decision = checkSentPart(message, now)
    if (decision) return decision
  }
  return { kind: 'end', state: 'sent', why: fact('reply_sent') }
}

/** Returns null once the provider has accepted the part. */
function checkSentPart(
  { status, dueAt, claimId, errorCode }: SentPart,
  now: Date,
): Decision | null {
  const later = new Date(now.getTime() + REPLY_WORK.sendLookMs)
  switch (status) {
    case 'queued':
      return { kind: 'wait', dueAt: later }
    case 'sending':
      if (claimId !== null) return { kind: 'wait', dueAt: later }
      return { kind: 'end', state: 'unknown', why: fact('reply_send_unknown') }
    case 'unknown':
      return { kind: 'end', state: 'unknown', why: fact('reply_send_unknown') }
    case 'failed':
    case 'cancelled':
      if (dueAt !== null) return { kind: 'wait', dueAt: later > dueAt ? later : dueAt }
      return notSent(errorCode)
    default:
      return null
  }
}

function notSent(errorCode: string | null): Decision {
  switch (errorCode) {
    case 'opted_out':
      return { kind: 'end', state: 'cancelled', why: fact('reply_customer_stopped') }
    case 'staff_handles':
    case 'sender_ended':
      return { kind: 'end', state: 'cancelled', why: fact('reply_staff_has_it') }
    case null:
    default:
      return handOverDecision('needs_staff_action', 'send_refused', { kind: 'nothing' })
  }
}
