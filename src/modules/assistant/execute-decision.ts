/** Writes what a reply does next, within its turn. */
import { markConfirmationSent } from '../connections/mark-confirmation-sent.ts'
import { renderConfirmation } from '../connections/render-confirmation.ts'
import { REPLY_OF_ASSISTANT as LIMITS } from '../../core/limits/replies.ts'
import { newMessageId } from '../messaging/queue-message.ts'
import { handOver, type Decision } from './decision.ts'
import { buildAsk } from './build-model-request.ts'
import { handOverReply } from './hand-over-reply.ts'
import { languageOf } from './language.ts'
import { flagForStaff } from './flag-for-staff.ts'
import { onlyReads } from './may-repeat.sql.ts'
import { queuePart } from './queue-part.ts'
import { AGREEMENT, type LoadedReply } from './reply.ts'
import {
  partsOf,
  toolData,
  toolDataOf,
  writeParts,
  type Parts,
  type ToolData,
} from './step-data.ts'
import { restReply, saveReply, settleReply } from './record-reply-outcome.sql.ts'
import { toolContextOf } from './tool-context.ts'
import type { ReplyEffect, ReplyContext } from './reply-context.ts'
import { addStep } from './record-steps.ts'

/** Null: it goes on with what is decided next. */
export async function executeDecision(
  turning: ReplyContext,
  decision: Decision,
): Promise<ReplyEffect | null> {
  const { tx, hand, now } = turning
  switch (decision.kind) {
    case 'wait':
      await restReply(tx, hand, now, decision.dueAt)
      return { kind: 'rest', queued: [], isOurs: true, dueAt: decision.dueAt }
    case 'end':
      if (decision.state === 'sent') await stateProposal(turning)
      if (decision.leavesCustomerUnanswered) await flagForStaff(turning)
      await settleReply(turning, decision.state, decision.why)
      return { kind: 'rest', queued: [], isOurs: true }
    case 'hand_over':
      return { kind: 'rest', queued: await handOverReply(turning, decision), isOurs: true }
    case 'think':
      beginThinking(turning)
      return null
    case 'ask':
      return ask(turning, decision)
    case 'hear':
      return hear(turning, decision)
    case 'answer_proposal':
      return answerProposal(turning)
    case 'use':
      return use(turning, decision)
    case 'refuse': {
      const { call, told } = decision
      const data: ToolData = { callId: call.id, isDone: false }
      const step = { name: call.name, input: call.input, told, data: toolData(data) }
      addStep(hand, { kind: 'tool', state: 'done', ...step }, now)
      return null
    }
    case 'repair':
      addStep(
        hand,
        {
          kind: 'guard',
          state: 'failed',
          name: decision.name,
          failure: decision.why,
          told: decision.clause,
        },
        now,
      )
      return null
    case 'say':
      return say(turning, decision.parts)
    case 'say_next': {
      const { part, parts } = decision
      const isLast = part === parts.texts.length - 1
      const queued = await queuePart(turning, {
        id: newMessageId(turning.deps.ids),
        part,
        text: parts.texts[part]!,
        buttons: isLast ? parts.buttons : [],
      })
      hand.reply.completesOnAccept = isLast && parts.proposalId === null && !hasDrafted(hand)
      await restReply(tx, hand, now, new Date(now.getTime() + LIMITS.requestMs))
      return { kind: 'rest', queued, isOurs: true }
    }
  }
}

/** It may have proposed something, of which more is to be written than that it was sent. */
const hasDrafted = ({ steps }: LoadedReply) =>
  steps.some((step) => step.kind === 'tool' && toolDataOf(step).proposalId !== undefined)

/** What has come until now is what the model is told of. */
function beginThinking({ hand, now }: ReplyContext): void {
  const { reply, conversation } = hand
  reply.state = 'thinking'
  reply.thinkingAt = now
  reply.heardAt = now
  reply.answeredMessageId = reply.lastMessageId
  const language = languageOf(hand)
  if (language === conversation.language) return
  conversation.language = language
  hand.unwritten.language = language
}

async function ask(
  { tx, deps, hand, now }: ReplyContext,
  decision: Extract<Decision, { kind: 'ask' }>,
): Promise<ReplyEffect> {
  const { reply, company } = hand
  const built = buildAsk(hand, decision, now, deps.ids.token(6))
  hand.unwritten.promptParts = built.kept
  const step = addStep(hand, { kind: 'model', state: 'started', input: built.input }, now)
  await saveReply(tx, hand, now)
  // One model that hangs takes its time twice: the next is asked all the same.
  const untilMs = reply.thinkingAt!.getTime() + LIMITS.allMs
  return {
    kind: 'ask',
    epoch: step.epoch,
    number: step.number,
    accountId: company.accountId,
    ask: built.ask,
    deadline: new Date(Math.max(untilMs, now.getTime() + 1)),
    isTrimmed: decision.isShortened,
    carried: reply.carried,
    known: hand.candidates,
    photos: built.photos,
    toolTurn: toolContextOf(hand, now),
  }
}

async function hear(
  { tx, hand, now }: ReplyContext,
  { notes, until }: Extract<Decision, { kind: 'hear' }>,
): Promise<ReplyEffect> {
  const { company } = hand
  const input = JSON.stringify({ messages: notes.map(({ messageId }) => messageId) })
  const { epoch, number } = addStep(hand, { kind: 'hear', state: 'started', input }, now)
  await saveReply(tx, hand, now)
  return { kind: 'hear', epoch, number, accountId: company.accountId, notes, deadline: until }
}

/** Every reply begins with it, where something was stated: the model is told what came of it. */
async function answerProposal({ tx, hand, now }: ReplyContext): Promise<ReplyEffect> {
  const { reply } = hand
  const data: ToolData = { callId: '', isDone: false, hadEffect: reply.hasEffect }
  const begun = { name: AGREEMENT, data: toolData(data) }
  const step = addStep(hand, { kind: 'tool', state: 'started', ...begun }, now)
  reply.hasEffect = true
  await saveReply(tx, hand, now)
  const { epoch, number } = step
  return { kind: 'answer_proposal', epoch, number, toolTurn: toolContextOf(hand, now) }
}

/** The provider took the statement: from now on the customer can agree to it. */
async function stateProposal({ tx, hand, now }: ReplyContext): Promise<void> {
  const { companyId } = hand.reply
  const { proposalId } = partsOf(hand.reply)
  if (proposalId === null) return
  const messageId = hand.sent.at(-1)!.id
  await markConfirmationSent(tx, { companyId, proposalId, messageId, at: now })
}

async function say(turning: ReplyContext, parts: Parts): Promise<ReplyEffect | null> {
  const { hand } = turning
  const stated = await withStatement(turning, parts)
  // What was to be stated is gone, and nothing else was to be said.
  if (stated.texts.length === 0) {
    return executeDecision(
      turning,
      handOver('missing_information', 'not_fit_to_send', { kind: 'fixed' }),
    )
  }
  hand.reply.state = 'sending'
  hand.reply.parts = writeParts(stated)
  return null
}

/** What is proposed is stated by code, last. */
async function withStatement({ tx, hand }: ReplyContext, parts: Parts): Promise<Parts> {
  const { proposalId } = parts
  if (proposalId === null) return parts
  const { companyId } = hand.reply
  const stated = await renderConfirmation(tx, { companyId, proposalId }, languageOf(hand))
  if (!stated) return { ...parts, proposalId: null }
  return { ...parts, texts: [...parts.texts, stated.text], buttons: stated.buttons }
}

async function use(
  { tx, hand, now }: ReplyContext,
  { call }: Extract<Decision, { kind: 'use' }>,
): Promise<ReplyEffect> {
  const { reply } = hand
  const data: ToolData = { callId: call.id, isDone: false, hadEffect: reply.hasEffect }
  const step = addStep(
    hand,
    {
      kind: 'tool',
      state: 'started',
      name: call.name,
      input: call.input,
      data: toolData(data),
    },
    now,
  )
  // From here on it may have been done: it does not begin anew until it is known.
  reply.hasEffect ||= !(await onlyReads(tx, reply.companyId, call.name))
  await saveReply(tx, hand, now)
  const { epoch, number } = step
  const toolTurn = toolContextOf(hand, now)
  return { kind: 'use', epoch, number, toolTurn, name: call.name, input: call.input }
}
