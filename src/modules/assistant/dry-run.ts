/**
 * A reply that is thought out as for a customer, by the same decisions, while nothing of it is written, sent
 * or done: tools that only look are used where they are named, all others are shown.
 *
 * Spec: Assistant › Trying it out.
 */
import type { ReplyDetail, StepView } from '../../contract/dashboard/assistant-reply.ts'
import { MODEL_LIMITS } from '../../core/limits/models.ts'
import { REPLY_OF_ASSISTANT as LIMITS } from '../../core/limits/replies.ts'
import { callModels } from '../models/call-models.ts'
import { addCarried, readCarried, writeCarried } from '../models/carried.ts'
import type { ModelDeps } from '../models/model-access.ts'
import type { OfferedTool, ToolCall } from '../models/model.ts'
import { dryRunAction } from '../connections/dry-run-action.ts'
import type { ModelPurpose } from '../../core/vocabulary/models.ts'
import { decideNext } from './decide-next.ts'
import { buildAsk } from './build-model-request.ts'
import type { Decision } from './decision.ts'
import { languageOf } from './language.ts'
import { stepName, type LoadedReply, type ReplyRow, type StepRow } from './reply.ts'
import { answerData, failureData, toolData, type ToolData } from './step-data.ts'
import { toolContextOf } from './tool-context.ts'
import type { Tool, ToolResult } from './tools/tool.ts'
import { viewStep } from './view-step.ts'
import { readArguments } from './read-arguments.ts'

export type DryRun = {
  purpose: ModelPurpose
  /** What the model is offered. */
  offered: readonly OfferedTool[]
  /** Those that are used; of others the model is told that this is a trial. */
  used: readonly Tool[]
  signal: AbortSignal
}

export type Rehearsed = {
  last: Decision
  steps: StepView[]
  parts: ReplyDetail['parts']
  tokensIn: number
  tokensOut: number
  /** Why no model answered last; null where one did. */
  failure: string | null
}

const NOT_DONE =
  'This is a trial: it was shown to the staff, and nothing was done. Go on as if it had been done.'
const NOT_JSON = 'The arguments are no JSON object. Correct them and use it again.'

export async function dryRunReply(
  deps: ModelDeps,
  hand: LoadedReply,
  rehearsal: DryRun,
): Promise<Rehearsed> {
  const parts = new Map<string, string>()
  for (;;) {
    const decision = decideNext(hand, deps.clock.now())
    switch (decision.kind) {
      case 'ask':
        await ask(deps, hand, rehearsal, decision, parts)
        break
      case 'use':
        await use(deps, hand, rehearsal, decision.call)
        break
      case 'refuse': {
        const told = { text: decision.told, isDone: false, hasEffect: false }
        addTool(hand, decision.call, deps.clock.now(), told)
        break
      }
      case 'repair': {
        const { name, why, clause } = decision
        const step = { kind: 'guard', state: 'failed', name, failure: why, told: clause } as const
        addStep(hand, step, deps.clock.now())
        break
      }
      case 'wait':
      case 'end':
      case 'hand_over':
      case 'think':
      case 'answer_proposal':
      case 'hear':
      case 'say':
      case 'say_next':
        return tell(hand, decision, parts)
    }
  }
}

function tell(
  { reply, steps }: LoadedReply,
  last: Decision,
  parts: ReadonlyMap<string, string>,
): Rehearsed {
  return {
    last,
    steps: steps.map((step) => viewStep(step)),
    parts: [...parts].map(([id, text]) => ({ id, text })),
    tokensIn: reply.tokensIn,
    tokensOut: reply.tokensOut,
    failure: steps.findLast(({ kind }) => kind === 'model')?.failure ?? null,
  }
}

async function ask(
  deps: ModelDeps,
  hand: LoadedReply,
  { purpose, offered, signal }: DryRun,
  decision: Extract<Decision, { kind: 'ask' }>,
  parts: Map<string, string>,
): Promise<void> {
  const { reply, company } = hand
  const begunAt = deps.clock.now()
  const built = buildAsk(hand, decision, begunAt, deps.ids.token(6))
  for (const { sha256, text } of built.kept) parts.set(sha256.toString('hex'), text)
  const kept = reply.carried === null ? {} : readCarried(reply.carried)
  const { answer, model, carried, tried } = await callModels(deps, {
    accountId: company.accountId,
    purpose,
    signal,
    ask: { ...built.ask, tools: offered },
    // Of one that hangs the next is asked, and it not again: who waits here waits before a proxy, no minute.
    deadline: new Date(begunAt.getTime() + LIMITS.requestMs + MODEL_LIMITS.retryMs),
    isTrimmed: decision.isShortened,
    carried: kept,
  })
  const step = { kind: 'model', name: model, input: built.input, startedAt: begunAt } as const
  const now = deps.clock.now()
  const names = offered.map(({ name }) => name)
  if (!answer.ok) {
    const data = failureData(tried, names)
    addStep(hand, { ...step, state: 'failed', failure: answer.failure, data }, now)
    return
  }
  const { text, calls, finish, usage, thought } = answer
  const { tokensIn, tokensOut } = usage
  const data = answerData({ calls: [...calls], finish, tried, offered: names, thought })
  addStep(hand, { ...step, state: 'done', told: text, data, tokensIn, tokensOut }, now)
  // In the memory of this process alone.
  reply.carried = writeCarried(addCarried(kept, stepName(hand.steps.at(-1)!), carried))
  reply.modelRequests += 1
  reply.tokensIn += tokensIn
  reply.tokensOut += tokensOut
}

async function use(
  deps: ModelDeps,
  hand: LoadedReply,
  { used }: DryRun,
  call: ToolCall,
): Promise<void> {
  const begunAt = deps.clock.now()
  const tool = used.find((one) => one.isNamed(call.name))
  const args = readArguments(call.input)
  const turn = toolContextOf(hand, begunAt)
  let told: ToolResult & { statement?: string }
  if (args === null) told = { text: NOT_JSON, isDone: false, hasEffect: false }
  else if (tool) told = await tool.use(deps, turn, call.name, args)
  else {
    const shown = await show(deps, hand, call.name, args)
    told = { isDone: true, hasEffect: !('statement' in shown), ...shown }
  }
  addTool(hand, call, deps.clock.now(), told, begunAt)
}

/** What is not done: an action that asks the customer first shows how it asks. */
async function show(deps: ModelDeps, hand: LoadedReply, tool: string, args: object) {
  const { companyId } = hand.reply
  const language = languageOf(hand)
  const shown = await dryRunAction(deps.db.kysely, { companyId, tool, args, language })
  const { does = null, ...told } = shown ?? {}
  return { text: NOT_DONE, ...told, ...(does && { does }) }
}

function addTool(
  hand: LoadedReply,
  call: ToolCall,
  now: Date,
  {
    text,
    isDone,
    hasEffect,
    does,
    handsOver,
    data,
    statement,
  }: ToolResult & { statement?: string },
  startedAt = now,
): void {
  const kept: ToolData = {
    callId: call.id,
    isDone,
    hasEffect,
    ...(does && { does }),
    ...(handsOver && { handsOver }),
    ...(data && { data: { ...data } }),
    // As where it is drafted: it is asked, and not done.
    ...(statement !== undefined && { statement, proposalId: hand.reply.id }),
  }
  const { name, input } = call
  const step = { kind: 'tool', state: 'done', name, input, told: text, startedAt } as const
  addStep(hand, { ...step, data: toolData(kept) }, now)
}

function addStep(
  { reply, steps }: LoadedReply,
  step: Pick<StepRow, 'kind' | 'state'> & Partial<StepRow>,
  now: Date,
): void {
  steps.push({
    name: null,
    input: null,
    told: null,
    data: null,
    tokensIn: null,
    tokensOut: null,
    failure: null,
    startedAt: now,
    endedAt: now,
    ...step,
    replyId: reply.id,
    companyId: reply.companyId,
    epoch: reply.epoch,
    number: steps.length + 1,
  })
}

/** A reply that thinks, and stands in no table. */
export function replyOfNobody({
  id,
  companyId,
  conversationId,
  messageId,
  now,
}: {
  id: string
  companyId: string
  conversationId: string
  /** The first message that it is for. */
  messageId: string
  now: Date
}): ReplyRow {
  return {
    id,
    companyId,
    conversationId,
    state: 'thinking',
    epoch: 1,
    debounceUntil: null,
    debounceMaxAt: null,
    dueAt: null,
    claimId: null,
    leaseExpiresAt: null,
    restarts: 0,
    firstMessageId: messageId,
    lastMessageId: messageId,
    notedAt: now,
    answeredMessageId: null,
    heardAt: null,
    hasEffect: false,
    completesOnAccept: false,
    carried: null,
    modelRequests: 0,
    tokensIn: 0,
    tokensOut: 0,
    parts: null,
    faults: 0,
    endReason: null,
    detail: null,
    startedAt: now,
    thinkingAt: now,
    endedAt: null,
  }
}
