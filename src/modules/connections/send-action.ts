import {
  COULD_NOT_CHECK,
  isRefusedThere,
  publicLines,
  REFUSED_THERE,
  tellAnswer,
} from '../../rules/calls/action-answer.ts'
import type { ActionArguments } from '../../rules/calls/action-arguments.ts'
import type { Said } from '../../rules/calls/personal-data.ts'
import type { Owner } from '../../rules/calls/ownership.ts'
import type { LoadedAction } from './load-action.ts'
import { makeCall, type Call, type CallDeps, type CompletedCall } from './make-call.ts'
import type { Reply } from './offer-actions.ts'
import { saidByCustomer } from './said-by-customer.sql.ts'
import { addReplyTime } from './reserve-action-call.sql.ts'

/** What one action is called with. */
export type ActionInvocation = { action: LoadedAction; args: ActionArguments; owner: Owner | null }

/** Makes the call of an action and puts into words what came of it. Never throws for the merchant's faults. */
export async function sendAction(
  deps: CallDeps,
  companyId: string,
  { action: { definition }, args, owner }: ActionInvocation,
  { said, ...how }: Pick<Call, 'source' | 'withinMs' | 'evenIfOff'> & { said: Said | null },
): Promise<{ made: CompletedCall; text: string }> {
  const made = await makeCall(deps, {
    companyId,
    request: definition.request,
    fillings: { args, identity: owner?.value ?? null },
    ...how,
  })
  const isRefused = isRefusedThere(definition.request.method, made.httpStatus)
  return { made, text: isRefused ? REFUSED_THERE : tellAnswer(made, definition, owner, said) }
}

/**
 * The same in a reply: what the call took is taken from the reply's time. Whatever goes wrong, the
 * assistant is told that it could not check. `mayBeTold`: what of the answer anybody may read.
 */
export async function sendInReply(
  deps: CallDeps,
  { companyId, conversationId, replyId }: Reply,
  hand: ActionInvocation,
  withinMs: number,
): Promise<{ outcome: CompletedCall['outcome']; text: string; mayBeTold: string }> {
  const source = { kind: 'action', actionId: hand.action.id, conversationId } as const
  try {
    const said = await saidByCustomer(deps.db.kysely, { companyId, conversationId })
    const { made, text } = await sendAction(deps, companyId, hand, { source, withinMs, said })
    await writeAfterCall(deps, () =>
      addReplyTime(deps.db.kysely, { companyId, replyId, durationMs: made.durationMs }),
    )
    const mayBeTold = publicLines(made, hand.action.definition.shown)
    return { outcome: made.outcome, text, mayBeTold }
  } catch (error) {
    deps.log.error({ err: error, actionId: hand.action.id }, 'an action could not be called')
    return { outcome: 'failed', text: COULD_NOT_CHECK, mayBeTold: '' }
  }
}

/** Writes down what came of a call. Never throws: what was answered is told all the same. */
export async function writeAfterCall(
  { log }: Pick<CallDeps, 'log'>,
  write: () => Promise<unknown>,
): Promise<void> {
  try {
    await write()
  } catch (error) {
    log.warn({ err: error }, 'what came of an action could not be written down')
  }
}
