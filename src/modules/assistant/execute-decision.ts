/** Executes the decisions of a reply within its advance. */
import { markConfirmationSent } from '../connections/mark-confirmation-sent.ts'
import { renderConfirmation } from '../connections/render-confirmation.ts'
import { REPLY_OF_ASSISTANT as LIMITS } from '../../core/limits/replies.ts'
import { newMessageId } from '../messaging/queue-message.ts'
import { handOverDecision, type Decision } from './decision.ts'
import { buildModelRequest } from './build-model-request.ts'
import { handOverReply } from './hand-over-reply.ts'
import { languageOf } from './language.ts'
import { flagForStaff } from './flag-for-staff.ts'
import { isReadOnlyTool } from './may-repeat.sql.ts'
import { queuePart } from './queue-part.ts'
import { AGREEMENT, type LoadedReply } from './reply.ts'
import {
  readParts,
  writeToolData,
  readToolData,
  writeParts,
  type Parts,
  type ToolData,
} from './step-data.ts'
import { saveIdleReply, saveReply, endReply } from './record-reply-outcome.sql.ts'
import { toolContextOf } from './tool-context.ts'
import type { ReplyEffect, ReplyContext } from './reply-context.ts'
import { addStep } from './record-steps.ts'

/**
 * Executes one decision about a reply: writes its changes, and returns the effect to run after the commit, or null when
 * the reply continues with the next decision. The effect `idle` means that the reply waits or has ended.
 */
export async function executeDecision(
  context: ReplyContext,
  decision: Decision,
): Promise<ReplyEffect | null> {
  const { tx, loaded, now } = context
  switch (decision.kind) {
    case 'wait':
      await saveIdleReply(tx, loaded, now, decision.dueAt)
      return { kind: 'idle', queued: [], hasClaim: true, dueAt: decision.dueAt }
    case 'end':
      if (decision.state === 'sent') await stateProposal(context)
      if (decision.leavesCustomerUnanswered) await flagForStaff(context)
      await endReply(context, decision.state, decision.why)
      return { kind: 'idle', queued: [], hasClaim: true }
    case 'hand_over':
      return { kind: 'idle', queued: await handOverReply(context, decision), hasClaim: true }
    case 'think':
      beginThinking(context)
      return null
    case 'model':
      return requestModel(context, decision)
    case 'hear':
      return hear(context, decision)
    case 'answer_proposal':
      return answerProposal(context)
    case 'use':
      return use(context, decision)
    case 'refuse': {
      const { call, result } = decision
      const data: ToolData = { callId: call.id, isDone: false }
      const step = { name: call.name, input: call.input, result, data: writeToolData(data) }
      addStep(loaded, { kind: 'tool', state: 'done', ...step }, now)
      return null
    }
    case 'repair':
      addStep(
        loaded,
        {
          kind: 'guard',
          state: 'failed',
          name: decision.name,
          failure: decision.why,
          result: decision.clause,
        },
        now,
      )
      return null
    case 'say':
      return say(context, decision.parts)
    case 'say_next': {
      const { part, parts } = decision
      const isLast = part === parts.texts.length - 1
      const queued = await queuePart(context, {
        id: newMessageId(context.deps.ids),
        part,
        text: parts.texts[part]!,
        buttons: isLast ? parts.buttons : [],
      })
      loaded.reply.completesOnAccept = isLast && parts.proposalId === null && !hasDrafted(loaded)
      await saveIdleReply(tx, loaded, now, new Date(now.getTime() + LIMITS.requestMs))
      return { kind: 'idle', queued, hasClaim: true }
    }
  }
}

/** Returns whether the reply drafted a proposal, in which case more is written when it ends. */
const hasDrafted = ({ steps }: LoadedReply) =>
  steps.some((step) => step.kind === 'tool' && readToolData(step).proposalId !== undefined)

/** Starts thinking: the model sees the messages up to now. */
function beginThinking({ loaded, now }: ReplyContext): void {
  const { reply, conversation } = loaded
  reply.state = 'thinking'
  reply.thinkingAt = now
  reply.heardAt = now
  reply.answeredMessageId = reply.lastMessageId
  const language = languageOf(loaded)
  if (language === conversation.language) return
  conversation.language = language
  loaded.pending.language = language
}

async function requestModel(
  { tx, deps, loaded, now }: ReplyContext,
  decision: Extract<Decision, { kind: 'model' }>,
): Promise<ReplyEffect> {
  const { reply, company } = loaded
  const built = buildModelRequest(loaded, decision, now, deps.ids.token(6))
  loaded.pending.promptParts = built.kept
  const step = addStep(loaded, { kind: 'model', state: 'started', input: built.input }, now)
  await saveReply(tx, loaded, now)
  // No request to a model begins after the time of the whole reply, except for the first one of this call.
  const untilMs = reply.thinkingAt!.getTime() + LIMITS.allMs
  return {
    kind: 'model',
    epoch: step.epoch,
    number: step.number,
    accountId: company.accountId,
    request: built.request,
    deadline: new Date(Math.max(untilMs, now.getTime() + 1)),
    isTrimmed: decision.isShortened,
    carried: reply.carried,
    known: loaded.candidates,
    photos: built.photos,
    toolContext: toolContextOf(loaded, now),
  }
}

async function hear(
  { tx, loaded, now }: ReplyContext,
  { notes, until }: Extract<Decision, { kind: 'hear' }>,
): Promise<ReplyEffect> {
  const { company } = loaded
  const input = JSON.stringify({ messages: notes.map(({ messageId }) => messageId) })
  const { epoch, number } = addStep(loaded, { kind: 'hear', state: 'started', input }, now)
  await saveReply(tx, loaded, now)
  return { kind: 'hear', epoch, number, accountId: company.accountId, notes, deadline: until }
}

/**
 * Starts reading the customer's answer to a stated proposal. A reply begins with this, so that the model knows the
 * result.
 */
async function answerProposal({ tx, loaded, now }: ReplyContext): Promise<ReplyEffect> {
  const { reply } = loaded
  const data: ToolData = { callId: '', isDone: false, hadEffect: reply.hasEffect }
  const begun = { name: AGREEMENT, data: writeToolData(data) }
  const step = addStep(loaded, { kind: 'tool', state: 'started', ...begun }, now)
  reply.hasEffect = true
  await saveReply(tx, loaded, now)
  const { epoch, number } = step
  return { kind: 'answer_proposal', epoch, number, toolContext: toolContextOf(loaded, now) }
}

/** Marks the proposal as stated, once the provider has accepted the statement: the customer can agree from now on. */
async function stateProposal({ tx, loaded, now }: ReplyContext): Promise<void> {
  const { companyId } = loaded.reply
  const { proposalId } = readParts(loaded.reply)
  if (proposalId === null) return
  const messageId = loaded.sent.at(-1)!.id
  await markConfirmationSent(tx, { companyId, proposalId, messageId, at: now })
}

async function say(context: ReplyContext, parts: Parts): Promise<ReplyEffect | null> {
  const { loaded } = context
  const stated = await withStatement(context, parts)
  // The proposal no longer exists, and there is nothing else to say.
  if (stated.texts.length === 0) {
    return executeDecision(
      context,
      handOverDecision('missing_information', 'not_fit_to_send', { kind: 'fixed' }),
    )
  }
  loaded.reply.state = 'sending'
  loaded.reply.parts = writeParts(stated)
  return null
}

/** Appends the statement of the proposal, which code renders. */
async function withStatement({ tx, loaded }: ReplyContext, parts: Parts): Promise<Parts> {
  const { proposalId } = parts
  if (proposalId === null) return parts
  const { companyId } = loaded.reply
  const stated = await renderConfirmation(tx, { companyId, proposalId }, languageOf(loaded))
  if (!stated) return { ...parts, proposalId: null }
  return { ...parts, texts: [...parts.texts, stated.text], buttons: stated.buttons }
}

async function use(
  { tx, loaded, now }: ReplyContext,
  { call }: Extract<Decision, { kind: 'use' }>,
): Promise<ReplyEffect> {
  const { reply } = loaded
  const data: ToolData = { callId: call.id, isDone: false, hadEffect: reply.hasEffect }
  const step = addStep(
    loaded,
    {
      kind: 'tool',
      state: 'started',
      name: call.name,
      input: call.input,
      data: writeToolData(data),
    },
    now,
  )
  // The tool may have had an effect from here on, so the reply does not restart until its result is known.
  reply.hasEffect ||= !(await isReadOnlyTool(tx, reply.companyId, call.name))
  await saveReply(tx, loaded, now)
  const { epoch, number } = step
  const toolContext = toolContextOf(loaded, now)
  return { kind: 'use', epoch, number, toolContext, name: call.name, input: call.input }
}
