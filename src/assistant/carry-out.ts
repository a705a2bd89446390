/** Writes what a reply does next, within its turn. */
import { markStated } from '../connections/mark-stated.ts'
import { writeStatement } from '../connections/write-statement.ts'
import { REPLY_OF_ASSISTANT as LIMITS } from '../limits/replies.ts'
import { newMessageId } from '../messaging/queue-message.ts'
import { handOver, type Decision } from './decision.ts'
import { buildAsk } from './build-ask.ts'
import { handOverReply } from './hand-over-reply.ts'
import { languageOf } from './language.ts'
import { leaveToStaff } from './leave-to-staff.ts'
import { onlyReads } from './may-repeat.sql.ts'
import { queuePart } from './queue-part.ts'
import { AGREEMENT, type HandOfReply } from './reply.ts'
import {
  partsOf,
  toolData,
  toolDataOf,
  writeParts,
  type Parts,
  type ToolData,
} from './step-data.ts'
import { restReply, saveReply, settleReply } from './settle-reply.sql.ts'
import { toolTurnOf } from './tool-turn.ts'
import type { ReplyTurn, Turning } from './turning.ts'
import { addStep } from './note-steps.ts'

/** Null: it goes on with what is decided next. */
export async function carryOut(turning: Turning, decision: Decision): Promise<ReplyTurn | null> {
  const { tx, hand, now } = turning
  switch (decision.kind) {
    case 'wait':
      await restReply(tx, hand, now, decision.wakeAt)
      return { kind: 'rest', queued: [], isOurs: true, wakeAt: decision.wakeAt }
    case 'end':
      if (decision.state === 'sent') await stateProposal(turning)
      if (decision.leavesCustomer) await leaveToStaff(turning)
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
      hand.reply.endsWhenTaken = isLast && parts.proposalId === null && !hasDrafted(hand)
      await restReply(tx, hand, now, new Date(now.getTime() + LIMITS.requestMs))
      return { kind: 'rest', queued, isOurs: true }
    }
  }
}

/** It may have proposed something, of which more is to be written than that it was sent. */
const hasDrafted = ({ steps }: HandOfReply) =>
  steps.some((step) => step.kind === 'tool' && toolDataOf(step).proposalId !== undefined)

/** What has come until now is what the model is told of. */
function beginThinking({ hand, now }: Turning): void {
  const { reply, conversation } = hand
  reply.state = 'thinking'
  reply.thinkingAt = now
  reply.heardAt = now
  reply.coveredMessageId = reply.notedMessageId
  const language = languageOf(hand)
  if (language === conversation.language) return
  conversation.language = language
  hand.unwritten.language = language
}

async function ask(
  { tx, deps, hand, now }: Turning,
  decision: Extract<Decision, { kind: 'ask' }>,
): Promise<ReplyTurn> {
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
    toolTurn: toolTurnOf(hand, now),
  }
}

async function hear(
  { tx, hand, now }: Turning,
  { notes, until }: Extract<Decision, { kind: 'hear' }>,
): Promise<ReplyTurn> {
  const { company } = hand
  const input = JSON.stringify({ messages: notes.map(({ messageId }) => messageId) })
  const { epoch, number } = addStep(hand, { kind: 'hear', state: 'started', input }, now)
  await saveReply(tx, hand, now)
  return { kind: 'hear', epoch, number, accountId: company.accountId, notes, deadline: until }
}

/** Every reply begins with it, where something was stated: the model is told what came of it. */
async function answerProposal({ tx, hand, now }: Turning): Promise<ReplyTurn> {
  const { reply } = hand
  const data: ToolData = { callId: '', isDone: false, hadEffect: reply.hasEffect }
  const begun = { name: AGREEMENT, data: toolData(data) }
  const step = addStep(hand, { kind: 'tool', state: 'started', ...begun }, now)
  reply.hasEffect = true
  await saveReply(tx, hand, now)
  const { epoch, number } = step
  return { kind: 'answer_proposal', epoch, number, toolTurn: toolTurnOf(hand, now) }
}

/** The provider took the statement: from now on the customer can agree to it. */
async function stateProposal({ tx, hand, now }: Turning): Promise<void> {
  const { companyId } = hand.reply
  const { proposalId } = partsOf(hand.reply)
  if (proposalId === null) return
  const messageId = hand.sent.at(-1)!.id
  await markStated(tx, { companyId, proposalId, messageId, at: now })
}

async function say(turning: Turning, parts: Parts): Promise<ReplyTurn | null> {
  const { hand } = turning
  const stated = await withStatement(turning, parts)
  // What was to be stated is gone, and nothing else was to be said.
  if (stated.texts.length === 0) {
    return carryOut(turning, handOver('missing_information', 'not_fit_to_send', { kind: 'fixed' }))
  }
  hand.reply.state = 'sending'
  hand.reply.parts = writeParts(stated)
  return null
}

/** What is proposed is stated by code, last. */
async function withStatement({ tx, hand }: Turning, parts: Parts): Promise<Parts> {
  const { proposalId } = parts
  if (proposalId === null) return parts
  const { companyId } = hand.reply
  const stated = await writeStatement(tx, { companyId, proposalId }, languageOf(hand))
  if (!stated) return { ...parts, proposalId: null }
  return { ...parts, texts: [...parts.texts, stated.text], buttons: stated.buttons }
}

async function use(
  { tx, hand, now }: Turning,
  { call }: Extract<Decision, { kind: 'use' }>,
): Promise<ReplyTurn> {
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
  const toolTurn = toolTurnOf(hand, now)
  return { kind: 'use', epoch, number, toolTurn, name: call.name, input: call.input }
}
