import type { ActionDefinition } from '../../contract/ai-action.ts'
import { surely } from '../../infra/database/surely.ts'
import { ACTION_LIMITS } from '../../core/limits/calls.ts'
import { COULD_NOT_CHECK, NOTHING_FOUND } from '../../rules/calls/action-answer.ts'
import { readArguments, type ActionArguments } from '../../rules/calls/action-arguments.ts'
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
  ownerIn,
  type ActionContext,
} from './load-action-context.ts'
import type { CallDeps } from './make-call.ts'
import type { Reply } from './offer-actions.ts'
import { sendInReply } from './send-action.ts'
import { CallQuotaExceeded, reserveActionCall } from './reserve-action-call.sql.ts'
import { toolOf } from './view-action.ts'

/** What the assistant reads after it used a tool. */
export type ActionResult =
  /** Nothing was sent: the customer must agree first. */
  | Drafted
  /**
   * One call was made, or was to be made; the text tells what came of it. `isDone`: the shop's system said so.
   * `hasEffect`: it may have changed something there, done or not. `does`: what the action does, by its merchant's
   * choice; null where none was made. `mayBeTold`: numbers and addresses in it that anybody may read.
   */
  | {
      kind: 'called'
      text: string
      isDone: boolean
      hasEffect: boolean
      does: readonly ClaimKind[] | null
      mayBeTold: string
    }
  /** Nothing was sent, and the text says what to correct or do instead. */
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
 * The assistant uses an action: one that needs confirmation is proposed, any other is called at once.
 * All that was looked at when it was offered is looked at again; the connection, the plan and the
 * day's allowance by the call itself. Never throws for what the assistant, the customer or the
 * merchant did.
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
  const turn = await loadActionContext(db, reply, deps.clock.now())
  const action = await loadAction(db, { companyId, toolName: tool.replace(/^action_/, '') })
  if (!turn?.isAssistants || !action?.isOn || tool !== toolOf(action.toolName)) {
    return { kind: 'refused', text: NOT_HERE }
  }
  const { definition } = action
  if (!isUsableIn(turn, definition)) return { kind: 'refused', text: NOT_HERE }
  const owner = ownerIn(turn, definition.identity)
  const read = readArguments(definition.parameters, given, definition.request)
  if (!read.ok) {
    return { kind: 'refused', text: tellProblems(read.problems) }
  }
  const args = read.value
  // What can never be sent is not proposed to a customer, and takes no place.
  if (!fillRequest(definition.request, { args, identity: owner?.value ?? null }).ok) {
    return { kind: 'refused', text: COULD_NOT_CHECK }
  }
  const hand = { action, args, owner }
  if (action.needsConfirmation) {
    if (!action.isConnectionOn) return { kind: 'refused', text: NOT_HERE }
    if (!canBeStated(turn, action, args)) return { kind: 'refused', text: TOO_LONG }
    return draftProposal(deps, reply, hand)
  }
  try {
    const withinMs = await surely(deps.db, (tx) =>
      reserveActionCall(tx, {
        companyId,
        replyId: reply.replyId,
        customer: turn.customer,
        now: deps.clock.now(),
      }),
    )
    return asCalled(action, await sendInReply(deps, reply, hand, withinMs))
  } catch (error) {
    return tellNoCallLeft(error)
  }
}

/** Whether a call may change something there: by its method, or because the merchant says that it does something. */
export function mayChange({ request, does }: Pick<ActionDefinition, 'request' | 'does'>): boolean {
  return request.method !== 'GET' || (does ?? []).length > 0
}

/** What is told of a call that was made for the customer. */
export function asCalled(
  { definition }: LoadedAction,
  { outcome, text, mayBeTold }: Awaited<ReturnType<typeof sendInReply>>,
): ActionResult {
  return {
    kind: 'called',
    text,
    isDone: outcome === 'success' && text !== NOTHING_FOUND,
    hasEffect: mayChange(definition),
    does: definition.does,
    mayBeTold,
  }
}

/** A statement is one message, in whichever language it is written: it is agreed to whole. */
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

/** In words why no call is left. @throws what was thrown for any other reason. */
export function tellNoCallLeft(error: unknown): ActionResult {
  if (!(error instanceof CallQuotaExceeded)) throw error
  return { kind: 'refused', text: NO_CALL_LEFT[error.reason] }
}

/** For the assistant: what to correct. */
export function tellProblems(problems: readonly string[]): string {
  return `Nothing was called. Correct this and use the action again:\n${problems.join('\n')}`
}
