import type { Context } from '../context.ts'
import { readJson } from '../rules/text/json-text.ts'
import type { Answer, Ask, OfferedTool } from '../models/model.ts'
import type { MessageInHand } from '../messaging/queue-message.ts'
import type { ClaimedReply } from './claim-replies.sql.ts'
import { takeReplyTurn } from './take-reply-turn.ts'
import type { Tool, ToolTold, ToolTurn } from './tools/tool.ts'
import type { CameBack, ReplyTurn, ReplyTurnDeps, TriedModel } from './turning.ts'

/** Asks the account's models in their order. Never throws for what a model's server does. */
export type AskModels = (asked: {
  accountId: string
  ask: Ask
  deadline: Date
}) => Promise<{ answer: Answer; model: string | null; tried: readonly TriedModel[] }>

export type RunReplyDeps = ReplyTurnDeps & {
  context: Context
  askModels: AskModels
  tools: readonly Tool[]
  handOver(messages: readonly MessageInHand[]): void
  /** Does what waits for others outside the places of those that are at work with the database. */
  whileWaiting<Value>(companyId: string, work: () => Promise<Value>): Promise<Value>
}

/** Takes a claimed reply on until it waits or has ended. */
export async function runReply(deps: RunReplyDeps, claimed: ClaimedReply): Promise<void> {
  let came: CameBack | null = null
  for (;;) {
    const turn: ReplyTurn = await takeReplyTurn(deps, claimed, came)
    if (turn.kind === 'rest') return deps.handOver(turn.queued)
    const { epoch, number } = turn
    came = await deps.whileWaiting(claimed.companyId, async (): Promise<CameBack> => {
      if (turn.kind === 'ask') return { epoch, number, kind: 'answer', ...(await ask(deps, turn)) }
      return { epoch, number, kind: 'told', told: await use(deps, turn) }
    })
  }
}

async function ask(
  { context, tools, askModels }: RunReplyDeps,
  { accountId, ask: asked, deadline, toolTurn }: Extract<ReplyTurn, { kind: 'ask' }>,
) {
  const offered: OfferedTool[] = []
  for (const tool of tools) offered.push(...(await tool.offer(context, toolTurn)))
  return askModels({ accountId, ask: { ...asked, tools: offered }, deadline })
}

const NO_SUCH_TOOL = 'There is no such tool. Use one of those that you were given, or answer.'
const NOT_JSON =
  'The arguments are no JSON object. Nothing was done. Correct them and use it again.'
const FAULT = 'It could not be found out whether this was done. Do not do it again.'

async function use(
  { context, tools }: RunReplyDeps,
  { toolTurn, name, input }: Extract<ReplyTurn, { kind: 'use' }>,
): Promise<ToolTold> {
  const tool = tools.find((one) => one.isNamed(name))
  if (!tool) return refused(NO_SUCH_TOOL)
  const args = readArguments(input)
  if (!args) return refused(NOT_JSON)
  return useSafely(context, tool, toolTurn, name, args)
}

async function useSafely(
  context: Context,
  tool: Tool,
  turn: ToolTurn,
  name: string,
  args: object,
): Promise<ToolTold> {
  try {
    return await tool.use(context, turn, name, args)
  } catch (error) {
    context.log.error({ err: error, replyId: turn.replyId, tool: name }, 'a tool failed')
    return { text: FAULT, isDone: false, hasEffect: true }
  }
}

/** Some models write nothing where a tool takes no arguments. */
function readArguments(input: string): object | null {
  if (input.trim() === '') return {}
  const read = readJson(input, { mustBeContainer: true })
  return read.ok && !Array.isArray(read.value) ? (read.value as object) : null
}

const refused = (text: string): ToolTold => ({ text, isDone: false, hasEffect: false })
