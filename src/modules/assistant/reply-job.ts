import { processProposalAnswer } from '../connections/process-proposal-answer.ts'
import type { CallDeps } from '../connections/make-call.ts'
import { callModels } from '../models/call-models.ts'
import { addCarried } from '../models/carried.ts'
import { recordUsage, warnOfUsage } from '../models/record-usage.ts'
import type { ModelDeps } from '../models/model-access.ts'
import type { ModelRequest } from '../models/model.ts'
import type { OfferedTool } from '../../rules/assistant/offered-tool.ts'
import { isDatabaseUnavailable } from '../../infra/database/is-database-unavailable.ts'
import { deferJob } from '../../infra/database/queues/defer-job.ts'
import { REPLY_RETRIES } from './reply-retries.ts'
import type { ClaimedReply } from './reply-queue.ts'
import type { PhotoToShow } from './build-model-request.ts'
import { transcribeNotes } from './transcribe-notes.ts'
import { decryptModelState, encryptModelState } from './model-state.ts'
import type { WithMedia } from './load-media.ts'
import { stepKey } from './reply.ts'
import { advanceReply } from './advance-reply.ts'
import type { Tool, ToolResult, ToolContext } from './tools/tool.ts'
import type { EffectResult, ReplyEffect, ReplyAdvanceDeps } from './reply-context.ts'
import { readArguments } from './read-arguments.ts'

/** The dependencies of a reply's execution. */
export type ReplyJobDeps = CallDeps &
  ModelDeps &
  ReplyAdvanceDeps & {
    tools: readonly Tool[]
    withMedia: WithMedia
    /** Starts the typing indicator; the returned function stops it. */
    beginTyping(reply: ClaimedReply): () => void
    /** Aborts when the process stops: no model call is awaited any more. */
    stopping: AbortSignal
  }

/** An effect that is performed outside of an advance. */
export type PerformableEffect = Exclude<ReplyEffect, { kind: 'idle' }>

/** Returns the job of a claimed reply, whose effects are calls of models, uses of tools and answers to proposals. */
export function createReplyJob(deps: ReplyJobDeps, claimed: ClaimedReply) {
  let endTyping: (() => void) | null = null
  return {
    async advance(result: EffectResult | null): Promise<ReplyEffect> {
      const next = await advanceReply(deps, claimed, result)
      await countUsed(deps, next, result)
      return next
    },
    perform(effect: PerformableEffect): Promise<EffectResult | null> {
      if (effect.kind !== 'hear') endTyping ??= deps.beginTyping(claimed)
      return perform(deps, claimed, effect)
    },
    defer: () => deferJob(deps, REPLY_RETRIES, claimed),
    onEnd: () => endTyping?.(),
  }
}

/** Records model usage, unless the advance has recorded it, which it does while the claim holds. Never throws. */
async function countUsed(
  deps: ReplyJobDeps,
  next: ReplyEffect,
  result: EffectResult | null,
): Promise<void> {
  if (result?.kind !== 'answer' || !result.used) return
  const isCounted = next.kind !== 'idle' || next.hasClaim
  if (!isCounted) return recordUsage(deps, result.used, deps.stopping)
  try {
    await warnOfUsage(deps, result.used)
  } catch (error) {
    // The next use of a model that day notifies them. A repeated advance would no longer accept the result.
    const { accountId } = result.used
    deps.log.error({ err: error, accountId }, 'notice of used tokens not raised')
  }
}

async function perform(
  deps: ReplyJobDeps,
  { companyId }: ClaimedReply,
  effect: PerformableEffect,
): Promise<EffectResult | null> {
  const { epoch, number } = effect
  switch (effect.kind) {
    case 'model': {
      const response = await requestModel(deps, companyId, effect)
      if (deps.stopping.aborted && !response.answer.ok) {
        if (response.used) await recordUsage(deps, response.used)
        return null
      }
      return { epoch, number, kind: 'answer', ...response }
    }
    case 'hear': {
      const heard = await transcribeNotes(deps, companyId, effect)
      return deps.stopping.aborted ? null : { epoch, number, kind: 'transcribed', notes: heard }
    }
    case 'use':
      return { epoch, number, kind: 'result', result: await use(deps, effect) }
    case 'answer_proposal':
      return {
        epoch,
        number,
        kind: 'answered',
        answered: await processProposalAnswer(deps, effect.toolContext),
      }
  }
}

async function requestModel(
  deps: ReplyJobDeps,
  companyId: string,
  {
    epoch,
    number,
    accountId,
    request: prompt,
    deadline,
    isTrimmed,
    carried,
    known,
    photos,
    toolContext,
  }: Extract<ReplyEffect, { kind: 'model' }>,
) {
  const tools: OfferedTool[] = []
  for (const tool of deps.tools) tools.push(...(await tool.offer(deps, toolContext)))
  const owner = { replyId: toolContext.replyId, accountId }
  const kept = decryptModelState(deps.keyRing, owner, carried)
  const asking = {
    accountId,
    deadline,
    isTrimmed,
    carried: kept,
    ...(known && { known }),
    signal: deps.stopping,
    purpose: 'customer',
    isCountedByCaller: true,
  } as const
  const files = photos.map(({ file }) => file)
  const response = await deps.withMedia(companyId, files, (bytes) =>
    callModels(deps, { ...asking, request: { ...showPhotos(prompt, photos, bytes), tools } }),
  )
  const all = addCarried(kept, stepKey({ epoch, number }), response.carried)
  return {
    ...response,
    carried: encryptModelState(deps.keyRing, owner, all),
    offered: tools.map(({ name }) => name),
  }
}

/** Returns the request with the photos attached to their messages; missing files are omitted. */
function showPhotos(
  prompt: Omit<ModelRequest, 'tools'>,
  photos: readonly PhotoToShow[],
  bytes: readonly (Buffer | null)[],
): Omit<ModelRequest, 'tools'> {
  const messages = [...prompt.messages]
  for (const [index, { at, file, text }] of photos.entries()) {
    const [said, shown] = [messages[at], bytes[index]]
    if (said?.by !== 'customer' || !shown) continue
    messages[at] = { ...said, image: { mediaType: file.mediaType, bytes: shown, text } }
  }
  return { ...prompt, messages }
}

const NO_SUCH_TOOL = 'There is no such tool. Use one of those that you were given, or answer.'
const NOT_JSON =
  'The arguments are no JSON object. Nothing was done. Correct them and use it again.'
const NOT_CONFIRMED = 'It could not be found out whether this was done. Do not do it again.'

async function use(
  deps: ReplyJobDeps,
  { toolContext, name, input }: Extract<ReplyEffect, { kind: 'use' }>,
): Promise<ToolResult> {
  const tool = deps.tools.find((one) => one.isNamed(name))
  if (!tool) return refused(NO_SUCH_TOOL)
  const args = readArguments(input)
  if (!args) return refused(NOT_JSON)
  return useSafely(deps, tool, toolContext, name, args)
}

async function useSafely(
  deps: ReplyJobDeps,
  tool: Tool,
  toolContext: ToolContext,
  name: string,
  args: object,
): Promise<ToolResult> {
  try {
    return await tool.use(deps, toolContext, name, args)
  } catch (error) {
    // The next claim finds the tool begun, and uses it again where a repetition does no harm.
    if (isDatabaseUnavailable(error)) throw error
    deps.log.error(
      { err: error, replyId: toolContext.replyId, tool: name },
      'tool failed: reported as not checked',
    )
    return { text: NOT_CONFIRMED, isDone: false, hasEffect: true }
  }
}

const refused = (text: string): ToolResult => ({ text, isDone: false, hasEffect: false })
