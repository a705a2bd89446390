import { answerProposal } from '../connections/answer-proposal.ts'
import type { CallDeps } from '../connections/make-call.ts'
import { callModels } from '../models/call-models.ts'
import { addCarried } from '../models/carried.ts'
import { recordUsage, warnOfUsage } from '../models/record-usage.ts'
import type { ModelDeps } from '../models/model-access.ts'
import type { ModelRequest, OfferedTool } from '../models/model.ts'
import type { ClaimedMessage } from '../messaging/queue-message.ts'
import { retryWhileUnavailable } from '../../infra/database/retry-while-unavailable.ts'
import { giveBack } from '../../infra/database/queues/release.sql.ts'
import { REPLY_QUEUE, type ClaimedReply } from './reply-queue.ts'
import type { PhotoToShow } from './build-model-request.ts'
import { hearNotes } from './transcribe-notes.ts'
import { openCarried, sealCarried } from './keep-carried.ts'
import type { WithMedia } from './load-media.ts'
import { stepName } from './reply.ts'
import { advanceReply } from './advance-reply.ts'
import type { Tool, ToolResult, ToolContext } from './tools/tool.ts'
import type { EffectResult, ReplyEffect, ReplyAdvanceDeps } from './reply-context.ts'
import { readArguments } from './read-arguments.ts'

export type RunReplyDeps = CallDeps &
  ModelDeps &
  ReplyAdvanceDeps & {
    tools: readonly Tool[]
    handOver(messages: readonly ClaimedMessage[]): void
    /** Does what waits for others outside the places of those that are at work with the database. */
    whileWaiting<Value>(accountId: string, work: () => Promise<Value>): Promise<Value>
    withMedia: WithMedia
    /** Told when a reply that rests is due again. */
    noteWait(until: Date): void
    /** Told that a reply thinks; what comes back is called once it does no more. */
    beginTyping(reply: ClaimedReply): () => void
    /** The process ends: no model is waited for any more. */
    stopping: AbortSignal
  }

/** Takes a claimed reply on until it waits or has ended. */
export async function runReply(deps: RunReplyDeps, claimed: ClaimedReply): Promise<void> {
  let came: EffectResult | null = null
  let endTyping: (() => void) | null = null
  try {
    for (;;) {
      const back: EffectResult | null = came
      // What a model has written, or a tool has done, could not be learnt again.
      const turn: ReplyEffect = await retryWhileUnavailable(
        (): Promise<ReplyEffect> => advanceReply(deps, claimed, back),
        deps,
      )
      await countUsed(deps, turn, came)
      if (turn.kind === 'rest') {
        endTyping?.()
        if (turn.dueAt) deps.noteWait(turn.dueAt)
        return deps.handOver(turn.queued)
      }
      if (turn.kind !== 'hear') endTyping ??= deps.beginTyping(claimed)
      came = await deps.whileWaiting(claimed.accountId, () => runUntilIdle(deps, claimed, turn))
      // Whoever takes it up finds it cut off, and asks again.
      if (!came) {
        return await giveBack(deps.db.kysely, REPLY_QUEUE, [claimed], deps.clock.now())
      }
    }
  } finally {
    endTyping?.()
  }
}

/** The turn has counted what models were asked for, unless the reply is another's by now. */
async function countUsed(
  deps: RunReplyDeps,
  turn: ReplyEffect,
  came: EffectResult | null,
): Promise<void> {
  if (came?.kind !== 'answer' || !came.used) return
  const isCounted = turn.kind !== 'rest' || turn.isOurs
  await (isCounted ? warnOfUsage(deps, came.used) : recordUsage(deps, came.used))
}

async function runUntilIdle(
  deps: RunReplyDeps,
  { companyId }: ClaimedReply,
  turn: Exclude<ReplyEffect, { kind: 'rest' }>,
): Promise<EffectResult | null> {
  const { epoch, number } = turn
  switch (turn.kind) {
    case 'ask': {
      const asked = await ask(deps, companyId, turn)
      if (deps.stopping.aborted && !asked.answer.ok) {
        if (asked.used) await recordUsage(deps, asked.used)
        return null
      }
      return { epoch, number, kind: 'answer', ...asked }
    }
    case 'hear': {
      const heard = await hearNotes(deps, companyId, turn)
      return deps.stopping.aborted ? null : { epoch, number, kind: 'heard', heard }
    }
    case 'use':
      return { epoch, number, kind: 'told', told: await use(deps, turn) }
    case 'answer_proposal':
      return {
        epoch,
        number,
        kind: 'answered',
        answered: await answerProposal(deps, turn.toolTurn),
      }
  }
}

async function ask(
  deps: RunReplyDeps,
  companyId: string,
  {
    epoch,
    number,
    accountId,
    ask: prompt,
    deadline,
    isTrimmed,
    carried,
    known,
    photos,
    toolTurn,
  }: Extract<ReplyEffect, { kind: 'ask' }>,
) {
  const tools: OfferedTool[] = []
  for (const tool of deps.tools) tools.push(...(await tool.offer(deps, toolTurn)))
  const owner = { replyId: toolTurn.replyId, accountId }
  const kept = openCarried(deps.keyRing, owner, carried)
  const asking = {
    accountId,
    deadline,
    isTrimmed,
    carried: kept,
    ...(known && { known }),
    signal: deps.stopping,
    purpose: 'customer',
    isCountedByAsker: true,
  } as const
  const files = photos.map(({ file }) => file)
  const asked = await deps.withMedia(companyId, files, (bytes) =>
    callModels(deps, { ...asking, ask: { ...showPhotos(prompt, photos, bytes), tools } }),
  )
  const all = addCarried(kept, stepName({ epoch, number }), asked.carried)
  return {
    ...asked,
    carried: sealCarried(deps.keyRing, owner, all),
    offered: tools.map(({ name }) => name),
  }
}

/** What is asked with the photos beside their messages, but for those that are gone. */
function showPhotos(
  prompt: Omit<ModelRequest, 'tools'>,
  photos: readonly PhotoToShow[],
  bytes: readonly (Buffer | null)[],
): Omit<ModelRequest, 'tools'> {
  const messages = [...prompt.messages]
  for (const [place, { at, file, text }] of photos.entries()) {
    const [said, shown] = [messages[at], bytes[place]]
    if (said?.by !== 'customer' || !shown) continue
    messages[at] = { ...said, image: { mediaType: file.mediaType, bytes: shown, text } }
  }
  return { ...prompt, messages }
}

const NO_SUCH_TOOL = 'There is no such tool. Use one of those that you were given, or answer.'
const NOT_JSON =
  'The arguments are no JSON object. Nothing was done. Correct them and use it again.'
const FAULT = 'It could not be found out whether this was done. Do not do it again.'

async function use(
  deps: RunReplyDeps,
  { toolTurn, name, input }: Extract<ReplyEffect, { kind: 'use' }>,
): Promise<ToolResult> {
  const tool = deps.tools.find((one) => one.isNamed(name))
  if (!tool) return refused(NO_SUCH_TOOL)
  const args = readArguments(input)
  if (!args) return refused(NOT_JSON)
  return useSafely(deps, tool, toolTurn, name, args)
}

async function useSafely(
  deps: RunReplyDeps,
  tool: Tool,
  turn: ToolContext,
  name: string,
  args: object,
): Promise<ToolResult> {
  try {
    return await tool.use(deps, turn, name, args)
  } catch (error) {
    deps.log.error({ err: error, replyId: turn.replyId, tool: name }, 'a tool failed')
    return { text: FAULT, isDone: false, hasEffect: true }
  }
}

const refused = (text: string): ToolResult => ({ text, isDone: false, hasEffect: false })
