import {
  COULD_NOT_CHECK,
  isRefusedByServer,
  publicLines,
  REFUSED_BY_SERVER,
  formatAnswer,
} from '../../rules/calls/action-answer.ts'
import type { ActionArguments } from '../../rules/calls/action-arguments.ts'
import type { OwnDetails } from '../../rules/calls/personal-data.ts'
import type { CustomerValue } from '../../rules/calls/ownership.ts'
import { isDatabaseUnavailable } from '../../infra/database/is-database-unavailable.ts'
import { retryWhileUnavailable } from '../../infra/database/retry-while-unavailable.ts'
import type { LoadedAction } from './load-action.ts'
import { makeCall, type Call, type CallDeps, type CompletedCall } from './make-call.ts'
import type { Reply } from './offer-actions.ts'
import { readOwnDetails } from './read-own-details.sql.ts'
import { addReplyTime } from './reserve-action-call.sql.ts'

/** An action with checked arguments, and the customer's own value that it needs; `owner` is null if it needs none. */
export type ActionInvocation = {
  action: LoadedAction
  args: ActionArguments
  owner: CustomerValue | null
}

/**
 * Makes the call of an action and returns it with its result as text for the model. `said` has the customer's texts,
 * which are not masked in it; with null nothing is. Never throws for errors of the merchant's side.
 */
export async function sendAction(
  deps: CallDeps,
  companyId: string,
  { action: { definition }, args, owner }: ActionInvocation,
  {
    said,
    ...how
  }: Pick<Call, 'source' | 'withinMs' | 'evenIfOff' | 'onAttempt'> & { said: OwnDetails | null },
): Promise<{ made: CompletedCall; text: string }> {
  const made = await makeCall(deps, {
    companyId,
    request: definition.request,
    fillings: { args, identity: owner?.value ?? null },
    ...how,
  })
  const isRefused = isRefusedByServer(definition.request.method, made.httpStatus)
  return { made, text: isRefused ? REFUSED_BY_SERVER : formatAnswer(made, definition, owner, said) }
}

/**
 * Makes the call of an action in a reply and adds its duration to the reply. On an error of this service, the text for
 * the assistant says that it could not check. `mayBeReported`: lines of the response that any customer may read.
 * `claim` runs right before the call is sent, and returns whether it may be.
 * @throws when the database stays unavailable, and any error until the call is claimed; then nothing was sent
 */
export async function sendInReply(
  deps: CallDeps,
  { companyId, conversationId, replyId }: Reply,
  invocation: ActionInvocation,
  { withinMs, claim }: { withinMs: number; claim?(): Promise<boolean> },
): Promise<{ outcome: CompletedCall['outcome']; text: string; mayBeReported: string }> {
  const source = { kind: 'action', actionId: invocation.action.id, conversationId } as const
  let mayBeSent = claim === undefined
  async function onAttempt(): Promise<boolean> {
    // The claim of the first attempt covers a repetition.
    mayBeSent ||= await claim!()
    return mayBeSent
  }
  try {
    // The call reports an unavailable database only before an attempt, so nothing is sent twice.
    const { made, text } = await retryWhileUnavailable(async () => {
      const said = await readOwnDetails(deps.db.kysely, { companyId, conversationId })
      return sendAction(deps, companyId, invocation, { source, withinMs, said, onAttempt })
    })
    await writeAfterCall(deps, () =>
      addReplyTime(deps.db.kysely, { companyId, replyId, durationMs: made.durationMs }),
    )
    const mayBeReported = publicLines(made, invocation.action.definition.shown)
    return { outcome: made.outcome, text, mayBeReported }
  } catch (error) {
    if (!mayBeSent || isDatabaseUnavailable(error)) throw error
    deps.log.error(
      { err: error, actionId: invocation.action.id },
      'action failed: reported as not checked',
    )
    return { outcome: 'failed', text: COULD_NOT_CHECK, mayBeReported: '' }
  }
}

/** Runs a write after a call and logs its failure. Never throws, as the response must still be reported. */
export async function writeAfterCall(
  { log }: Pick<CallDeps, 'log'>,
  write: () => Promise<unknown>,
): Promise<void> {
  try {
    await write()
  } catch (error) {
    log.warn({ err: error }, 'outcome of an action not recorded')
  }
}
