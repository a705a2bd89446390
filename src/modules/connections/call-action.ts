import type { ActionDefinition } from '../../contract/ai-action.ts'
import { confirmedTransaction } from '../../infra/database/confirmed-transaction.ts'
import { ACTION_LIMITS } from '../../core/limits/calls.ts'
import { COULD_NOT_CHECK, NOTHING_FOUND } from '../../rules/calls/action-answer.ts'
import { readActionArguments, type ActionArguments } from '../../rules/calls/action-arguments.ts'
import { fillRequest } from '../../rules/calls/fill-request.ts'
import { asTyped, stateAction } from '../../rules/calls/state-action.ts'
import { capabilitiesOf, whyTooLong } from '../../rules/messaging/channel-capabilities.ts'
import { LANGUAGES } from '../../core/vocabulary/hooks.ts'
import type { ClaimKind } from '../../core/vocabulary/statements/kinds.ts'
import { draftProposal, type Drafted } from './draft-proposal.ts'
import { loadAction, type LoadedAction } from './load-action.ts'
import {
  isUsableIn,
  loadActionContext,
  customerValueIn,
  type ActionContext,
} from './load-action-context.ts'
import type { CallDeps } from './make-call.ts'
import type { Reply } from './offer-actions.ts'
import { sendInReply } from './send-action.ts'
import { CallQuotaExceeded, reserveActionCall } from './reserve-action-call.sql.ts'
import { toolOf } from './view-action.ts'

/** The result of an action as the assistant reads it. */
export type ActionResult =
  /** A proposal was drafted and the action not executed: the customer must agree first. */
  | Drafted
  /**
   * A call was made or attempted. With `isDone`, the merchant's system confirmed it. With `hasEffect`, it may have
   * changed something there. The effect chosen by the merchant is in `does`, or null. In `mayBeReported` are numbers
   * and addresses of the text that any customer may read.
   */
  | {
      kind: 'called'
      text: string
      isDone: boolean
      hasEffect: boolean
      does: readonly ClaimKind[] | null
      mayBeReported: string
    }
  /** The action was refused; the text says what to correct or do instead. */
  | { kind: 'refused'; text: string }

const NOT_HERE = 'This action cannot be used in this conversation. Go on without it.'

const TOO_LONG =
  'This cannot be stated to the customer in one message here: it is too long. Use shorter values, or hand over to staff.'

const NO_CALL_LEFT = {
  per_reply: `At most ${ACTION_LIMITS.callsPerReply} actions can be called in one reply. Answer the customer with what you know.`,
  per_customer:
    'No more actions can be called for this customer today. Tell them that you could not check.',
} as const

/**
 * Executes an action for the assistant: proposes one that needs confirmation, calls any other. Repeats the checks
 * made when it was offered; the call itself checks connection, plan and quota. Never throws for errors of the
 * assistant, the customer or the merchant.
 *
 * Spec: Calls › AI actions; Calls › Confirmation.
 */
export async function callAction(
  deps: CallDeps,
  reply: Reply,
  { tool, args: given }: { tool: string; args: unknown },
): Promise<ActionResult> {
  const { companyId } = reply
  const db = deps.db.kysely
  const context = await loadActionContext(db, reply, deps.clock.now())
  const action = await loadAction(db, { companyId, toolName: tool.replace(/^action_/, '') })
  if (!context?.isAssistantHandling || !action?.isOn || tool !== toolOf(action.toolName)) {
    return { kind: 'refused', text: NOT_HERE }
  }
  const { definition } = action
  if (!isUsableIn(context, definition)) return { kind: 'refused', text: NOT_HERE }
  const owner = customerValueIn(context, definition.identity)
  const read = readActionArguments(definition.parameters, given, definition.request)
  if (!read.ok) {
    return { kind: 'refused', text: formatProblems(read.problems) }
  }
  const args = read.value
  // A request that can never be sent is neither proposed nor counted.
  if (!fillRequest(definition.request, { args, identity: owner?.value ?? null }).ok) {
    return { kind: 'refused', text: COULD_NOT_CHECK }
  }
  const invocation = { action, args, owner }
  if (action.needsConfirmation) {
    if (!action.isConnectionOn) return { kind: 'refused', text: NOT_HERE }
    if (!canBeStated(context, action, args)) return { kind: 'refused', text: TOO_LONG }
    return draftProposal(deps, reply, invocation)
  }
  try {
    const withinMs = await confirmedTransaction(deps.db, (tx) =>
      reserveActionCall(tx, {
        companyId,
        replyId: reply.replyId,
        customer: context.customer,
        now: deps.clock.now(),
      }),
    )
    return toCallResult(action, await sendInReply(deps, reply, invocation, { withinMs }))
  } catch (error) {
    return noCallLeftResult(error)
  }
}

/** Returns whether a call may change something: by its method, or because the merchant says so. */
export function mayChange({ request, does }: Pick<ActionDefinition, 'request' | 'does'>): boolean {
  return request.method !== 'GET' || (does ?? []).length > 0
}

/** Converts a completed call to the assistant's result. */
export function toCallResult(
  { definition }: LoadedAction,
  { outcome, text, mayBeReported }: Awaited<ReturnType<typeof sendInReply>>,
): ActionResult {
  return {
    kind: 'called',
    text,
    isDone: outcome === 'success' && text !== NOTHING_FOUND,
    hasEffect: mayChange(definition),
    does: definition.does,
    mayBeReported,
  }
}

/** Returns whether the statement fits into one message in every language, as the customer agrees to it as a whole. */
function canBeStated(
  { channelType }: ActionContext,
  { toolName, definition }: LoadedAction,
  args: ActionArguments,
): boolean {
  return LANGUAGES.every((language) => {
    const text = stateAction({ toolName, ...definition }, args, language)
    return whyTooLong(asTyped(text, language), capabilitiesOf(channelType)) === null
  })
}

/**
 * Converts the error of an exhausted call quota to a tool's result for the model.
 * @throws any other error
 */
export function noCallLeftResult(error: unknown): ActionResult {
  if (!(error instanceof CallQuotaExceeded)) throw error
  return { kind: 'refused', text: NO_CALL_LEFT[error.reason] }
}

/** Returns the text by which the assistant corrects its arguments. */
export function formatProblems(problems: readonly string[]): string {
  return `Nothing was called. Correct this and use the action again:\n${problems.join('\n')}`
}
