/**
 * A dry run of a reply: the same decisions as for a customer, without writing, sending or changing anything. Tools
 * that only read are used when given; all others are only shown.
 *
 * Spec: Assistant › Trying it out.
 */
import type { ReplyDetail, StepView } from '../../contract/dashboard/assistant-reply.ts'
import { MODEL_LIMITS } from '../../core/limits/models.ts'
import { REPLY_OF_ASSISTANT as LIMITS } from '../../core/limits/replies.ts'
import { callModels } from '../models/call-models.ts'
import { addCarried, readCarried, writeCarried } from '../models/carried.ts'
import type { ModelDeps } from '../models/model-access.ts'
import type { ToolCall } from '../models/model.ts'
import type { OfferedTool } from '../../rules/assistant/offered-tool.ts'
import { dryRunAction } from '../connections/dry-run-action.ts'
import type { ModelPurpose } from '../../core/vocabulary/models.ts'
import { decideNext } from './decide-next.ts'
import { buildModelRequest } from './build-model-request.ts'
import type { Decision } from './decision.ts'
import { languageOf } from './language.ts'
import { addStep } from './record-steps.ts'
import { stepKey, type LoadedReply, type ReplyRow } from './reply.ts'
import { writeAnswerData, writeFailureData, writeToolData, type ToolData } from './step-data.ts'
import { toolContextOf } from './tool-context.ts'
import type { Tool, ToolResult } from './tools/tool.ts'
import { viewStep } from './view-step.ts'
import { readArguments } from './read-arguments.ts'

/** The options of a dry run. */
export type DryRun = {
  purpose: ModelPurpose
  /** The tools that the model is offered. */
  offered: readonly OfferedTool[]
  /** The tools that are used; for all others the model reads that this is a trial. */
  used: readonly Tool[]
  signal: AbortSignal
}

/** The last decision of a dry run, with its steps, its prompt and its usage of tokens. */
export type DryRunResult = {
  last: Decision
  steps: StepView[]
  parts: ReplyDetail['parts']
  tokensIn: number
  tokensOut: number
  /** The failure of the last model call, or null. */
  failure: string | null
}

const NOT_DONE =
  'This is a trial: it was shown to the staff, and nothing was done. Go on as if it had been done.'
const NOT_JSON = 'The arguments are no JSON object. Correct them and use it again.'

/** Runs a reply until it would send, wait or end, and returns its last decision with its steps. */
export async function dryRunReply(
  deps: ModelDeps,
  loaded: LoadedReply,
  dryRun: DryRun,
): Promise<DryRunResult> {
  const parts = new Map<string, string>()
  for (;;) {
    const decision = decideNext(loaded, deps.clock.now())
    switch (decision.kind) {
      case 'model':
        await requestModel(deps, loaded, dryRun, decision, parts)
        break
      case 'use':
        await use(deps, loaded, dryRun, decision.call)
        break
      case 'refuse': {
        const result = { text: decision.result, isDone: false, hasEffect: false }
        addTool(loaded, decision.call, deps.clock.now(), result)
        break
      }
      case 'repair': {
        const { name, why, clause } = decision
        const step = { kind: 'guard', state: 'failed', name, failure: why, result: clause } as const
        addStep(loaded, step, deps.clock.now())
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
        return formatResult(loaded, decision, parts)
    }
  }
}

function formatResult(
  { reply, steps }: LoadedReply,
  last: Decision,
  parts: ReadonlyMap<string, string>,
): DryRunResult {
  return {
    last,
    steps: steps.map((step) => viewStep(step)),
    parts: [...parts].map(([id, text]) => ({ id, text })),
    tokensIn: reply.tokensIn,
    tokensOut: reply.tokensOut,
    failure: steps.findLast(({ kind }) => kind === 'model')?.failure ?? null,
  }
}

async function requestModel(
  deps: ModelDeps,
  loaded: LoadedReply,
  { purpose, offered, signal }: DryRun,
  decision: Extract<Decision, { kind: 'model' }>,
  parts: Map<string, string>,
): Promise<void> {
  const { reply, company } = loaded
  const begunAt = deps.clock.now()
  const built = buildModelRequest(loaded, decision, begunAt, deps.ids.token(6))
  for (const { sha256, text } of built.kept) parts.set(sha256.toString('hex'), text)
  const kept = reply.carried === null ? {} : readCarried(reply.carried)
  const { answer, model, carried, tried } = await callModels(deps, {
    accountId: company.accountId,
    purpose,
    signal,
    request: { ...built.request, tools: offered },
    // A hanging model is not retried, but the next one is tried: an interactive user waits behind a proxy for less
    // than a minute.
    deadline: new Date(begunAt.getTime() + LIMITS.requestMs + MODEL_LIMITS.retryMs),
    isTrimmed: decision.isShortened,
    carried: kept,
  })
  const step = { kind: 'model', name: model, input: built.input, startedAt: begunAt } as const
  const now = deps.clock.now()
  const names = offered.map(({ name }) => name)
  if (!answer.ok) {
    const data = writeFailureData(tried, names)
    addStep(loaded, { ...step, state: 'failed', failure: answer.failure, data }, now)
    return
  }
  const { text, calls, finish, usage, thought } = answer
  const { tokensIn, tokensOut } = usage
  const data = writeAnswerData({ calls: [...calls], finish, tried, offered: names, thought })
  addStep(loaded, { ...step, state: 'done', result: text, data, tokensIn, tokensOut }, now)
  // Kept in the memory of this process only.
  reply.carried = writeCarried(addCarried(kept, stepKey(loaded.steps.at(-1)!), carried))
  reply.modelRequests += 1
  reply.tokensIn += tokensIn
  reply.tokensOut += tokensOut
}

async function use(
  deps: ModelDeps,
  loaded: LoadedReply,
  { used }: DryRun,
  call: ToolCall,
): Promise<void> {
  const begunAt = deps.clock.now()
  const tool = used.find((one) => one.isNamed(call.name))
  const args = readArguments(call.input)
  const toolContext = toolContextOf(loaded, begunAt)
  let result: ToolResult & { statement?: string }
  if (args === null) result = { text: NOT_JSON, isDone: false, hasEffect: false }
  else if (tool) result = await tool.use(deps, toolContext, call.name, args)
  else {
    const shown = await show(deps, loaded, call.name, args)
    result = { isDone: true, hasEffect: !('statement' in shown), ...shown }
  }
  addTool(loaded, call, deps.clock.now(), result, begunAt)
}

/** Returns what would have been done; for an action that needs confirmation, its statement. */
async function show(deps: ModelDeps, loaded: LoadedReply, tool: string, args: object) {
  const { companyId } = loaded.reply
  const language = languageOf(loaded)
  const shown = await dryRunAction(deps.db.kysely, { companyId, tool, args, language })
  const { does = null, ...result } = shown ?? {}
  return { text: NOT_DONE, ...result, ...(does && { does }) }
}

function addTool(
  loaded: LoadedReply,
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
    // As for a real draft, the action counts as proposed and not done.
    ...(statement !== undefined && { statement, proposalId: loaded.reply.id }),
  }
  const { name, input } = call
  const step = { kind: 'tool', state: 'done', name, input, result: text, startedAt } as const
  addStep(loaded, { ...step, data: writeToolData(kept) }, now)
}

/** Returns a reply in its thinking state that is not stored. */
export function transientReply({
  id,
  companyId,
  conversationId,
  messageId,
  now,
}: {
  id: string
  companyId: string
  conversationId: string
  /** The first message that it answers. */
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
    failureCount: 0,
    endReason: null,
    detail: null,
    startedAt: now,
    thinkingAt: now,
    endedAt: null,
  }
}
