/**
 * What a reply does next, from all that is known of it. Pure: what it decides is written and carried out by
 * who takes the turn. Spec: Assistant › States of a reply.
 */
import { fact } from '../../core/facts/fact.ts'
import { REPLY_OF_ASSISTANT as LIMITS, REPLY_WORK } from '../../core/limits/replies.ts'
import { sendFacts } from '../messaging/may-send.ts'
import { whyNotSent, type SendRefusalCode } from '../../rules/messaging/may-send.ts'
import { isStaffHandling } from '../../rules/messaging/take-over.ts'
import type { ToolCall } from '../models/model.ts'
import type { GuardFault } from '../../core/vocabulary/reply-guard.ts'
import type { HandoverReason } from '../../core/vocabulary/inbox.ts'
import { handOver, type Decision, type HandOverDecision } from './decision.ts'
import { pendingMessagesOf } from './pending-messages.ts'
import { precheckMessages, runsInCircles } from './precheck-messages.ts'
import { checkMedia } from './check-media.ts'
import { checkReplyText } from './check-reply-text.ts'
import { outcomeOf } from './outcome.ts'
import {
  isAgreement,
  isDroppedDraft,
  type LoadedReply,
  type SentPart,
  type StepRow,
} from './reply.ts'
import { answerOf, partsOf, toolDataOf } from './step-data.ts'

export function decideNext(hand: LoadedReply, now: Date): Decision {
  const { reply } = hand
  const stop = whyStop(hand, now)
  if (stop) return stop
  if (reply.state === 'sending') return goOnSending(hand, now)
  if (reply.state === 'gathering') return gather(hand, now)
  return think(hand, now)
}

/** Looked at again before each effect. Spec: Assistant › When it answers. */
function whyStop(hand: LoadedReply, now: Date): Decision | null {
  const { conversation, settings, reply } = hand
  if (isStaffHandling(conversation, now)) {
    return { kind: 'end', state: 'cancelled', why: fact('reply_staff_has_it') }
  }
  if (!settings?.isOn || (reply.state === 'gathering' && !hand.hasModel)) {
    const why = fact('reply_assistant_off')
    return { kind: 'end', state: 'cancelled', why, leavesCustomerUnanswered: true }
  }
  const refusal = whyNotSaid(hand, now)
  if (refusal === null) return null
  if (refusal === 'opted_out') {
    return { kind: 'end', state: 'cancelled', why: fact('reply_customer_stopped') }
  }
  return handOver('needs_staff_action', refusal, { kind: 'nothing' })
}

/** Why a text may not be sent to the customer now; null when it may. */
function whyNotSaid(
  { channel, company, contact, conversation }: LoadedReply,
  now: Date,
): SendRefusalCode | null {
  const facts = sendFacts({
    channel,
    plan: company.plan,
    optedOutAt: contact?.optedOutAt ?? null,
    lastCustomerAt: conversation.lastCustomerAt,
  })
  return whyNotSent(facts, 'assistant', { kind: 'text', text: '' }, now)?.code ?? null
}

function gather(hand: LoadedReply, now: Date): Decision {
  const { reply, isBesideRun } = hand
  // Whoever runs in circles is handed over at the end of it: nothing is heard for them.
  const media = runsInCircles(hand, pendingMessagesOf(hand)) ? null : checkMedia(hand, now)
  if (media) return media
  if (reply.debounceUntil !== null && reply.debounceUntil > now) {
    return { kind: 'wait', dueAt: reply.debounceUntil }
  }
  if (isBesideRun) {
    return { kind: 'wait', dueAt: new Date(now.getTime() + LIMITS.besideRunMs) }
  }
  return precheckMessages(hand) ?? { kind: 'think' }
}

function think(hand: LoadedReply, now: Date): Decision {
  const { reply, steps } = hand
  const own = steps.filter(({ epoch }) => epoch === reply.epoch)
  if (hand.hasProposal && !steps.some((step) => isAnswerRead(step, reply.epoch))) {
    return { kind: 'answer_proposal' }
  }
  // Money may have moved: only a person can look.
  if (outcomeOf(hand)?.state === 'unknown') {
    return handOver('needs_staff_action', null, { kind: 'fixed' })
  }
  const handed = own.find((step) => step.kind === 'tool' && toolDataOf(step).handsOver)
  const asked = own.findLast(({ kind, state }) => kind === 'model' && state === 'done')
  if (handed) return handOverByTool(hand, handed, asked)
  const isLate = now.getTime() - (reply.thinkingAt ?? now).getTime() >= LIMITS.allMs
  const last = own.at(-1)
  if (last?.kind === 'model' && last.state === 'failed')
    return askAfterFailure(own, last, hand, now)
  const pending = asked && callsLeft(own, asked)[0]
  if (asked && pending) return useTool(hand, pending, isLate)
  const isAnswered = asked !== undefined && asked === own.findLast(({ kind }) => kind === 'model')
  const isTold = last?.kind === 'tool'
  if (isAnswered && !isTold && last?.kind !== 'guard') return checkReplyText(hand, asked)
  if (isLate) return handOver('missing_information', 'out_of_time', { kind: 'fixed' })
  return ask(hand, own, last?.kind === 'guard' ? (last.failure as GuardFault | null) : null)
}

function ask(hand: LoadedReply, own: readonly StepRow[], note: GuardFault | null): Decision {
  const { modelRequests } = hand.reply
  if (modelRequests >= LIMITS.modelRequests) {
    return handOver('missing_information', 'out_of_requests', { kind: 'fixed' })
  }
  const refused = own.filter((step) => isUse(step) && !toolDataOf(step).isDone).length
  const isLast = modelRequests === LIMITS.modelRequests - 1 || refused >= LIMITS.refusedTools
  const isShortened = own.some(({ failure }) => failure === 'context_too_long')
  return { kind: 'ask', toolChoice: isLast ? 'none' : 'auto', isShortened, note }
}

/** A tool that the model asked for. */
const isUse = (step: StepRow) => step.kind === 'tool' && !isAgreement(step)
/** That what the customer answered to a proposal was read, and taken in. What was called by it is read once. */
const isAnswerRead = (step: StepRow, epoch: number) =>
  isAgreement(step) &&
  step.state === 'done' &&
  (step.epoch === epoch || toolDataOf(step).answered?.isCalled === true)

/** Models are asked again for as long as a reply may take; then a person has to answer. */
function askAfterFailure(
  own: readonly StepRow[],
  last: StepRow,
  hand: LoadedReply,
  now: Date,
): Decision {
  const failed = own.filter(({ kind, state }) => kind === 'model' && state === 'failed')
  if (last.failure === 'allowance_used_up') {
    return handOver('missing_information', 'allowance_used_up', { kind: 'fixed' })
  }
  // It has used its tools, and will not say a word: asked again it would go round once more.
  if (last.failure === 'called_unasked') {
    return handOver('missing_information', 'out_of_requests', { kind: 'fixed' })
  }
  const isTooLong = last.failure === 'context_too_long'
  if (isTooLong && failed.filter((step) => step.failure === last.failure).length === 1) {
    return ask(hand, own, null)
  }
  const delays = REPLY_WORK.modelAgainMs
  const delayMs = delays[Math.min(failed.length, delays.length) - 1]!
  const againAt = new Date((last.endedAt ?? now).getTime() + delayMs)
  const until = (hand.reply.thinkingAt ?? now).getTime() + LIMITS.allMs
  if (againAt.getTime() >= until || isTooLong) {
    return handOver('missing_information', 'model_unavailable', { kind: 'fixed' })
  }
  return againAt > now ? { kind: 'wait', dueAt: againAt } : ask(hand, own, null)
}

/** What a model's answer asked for and was not done yet. */
function callsLeft(own: readonly StepRow[], asked: StepRow): ToolCall[] {
  const after = own.slice(own.indexOf(asked) + 1)
  const told = after.filter((step) => isUse(step) && step.told !== null)
  return answerOf(asked).calls.slice(told.length)
}

function useTool(hand: LoadedReply, call: ToolCall, isLate: boolean): Decision {
  if (isLate) {
    return {
      kind: 'refuse',
      call,
      told: 'There is no time left for this. Answer with what you know.',
    }
  }
  const before = hand.steps.filter(
    (step) => step.kind === 'tool' && step.name === call.name && !isDroppedDraft(step, hand.reply),
  )
  const same = before.filter(({ input }) => input === call.input)
  if (same.length >= LIMITS.sameCalls) {
    const told = 'You have used this tool like this twice already. Answer with what you know.'
    return { kind: 'refuse', call, told }
  }
  if (call.name === 'search_knowledge' && before.length >= LIMITS.searches) {
    const told = 'There are no searches left in this reply. Answer with what you found.'
    return { kind: 'refuse', call, told }
  }
  return { kind: 'use', call }
}

function handOverByTool(
  hand: LoadedReply,
  handed: StepRow,
  asked: StepRow | undefined,
): HandOverDecision {
  const { reason, reasonText, qualifies = false } = toolDataOf(handed).handsOver!
  const text = asked?.told?.trim() ?? ''
  const judged = text === '' || !asked ? null : checkReplyText(hand, asked)
  const isFit = judged?.kind === 'say' && judged.parts.texts.length === 1
  return {
    kind: 'hand_over',
    reason: reason as HandoverReason,
    reasonText,
    detail: null,
    qualifies,
    says: isFit ? { kind: 'text', text: judged.parts.texts[0]! } : { kind: 'fixed' },
  }
}

/** One part after the other: each once the provider has taken the one before. */
function goOnSending({ reply, sent }: LoadedReply, now: Date): Decision {
  const parts = partsOf(reply)
  for (const [part] of parts.texts.entries()) {
    const message = sent.find((one) => one.part === part)
    if (!message) return { kind: 'say_next', part, parts }
    const decision = judgeSent(message, now)
    if (decision) return decision
  }
  return { kind: 'end', state: 'sent', why: fact('reply_sent') }
}

/** Null once the provider has it. */
function judgeSent({ status, dueAt, claimId, errorCode }: SentPart, now: Date): Decision | null {
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
      return handOver('needs_staff_action', 'send_refused', { kind: 'nothing' })
  }
}
