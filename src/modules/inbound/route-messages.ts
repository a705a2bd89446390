import type { Transaction } from 'kysely'
import { enqueueMessages } from '../assistant/enqueue-message.ts'
import type { DB } from '../../infra/database/tables.ts'
import { endDisplacedRun } from '../flows/runs/end-displaced-run.ts'
import { saveReplies } from '../flows/runs/save-replies.sql.ts'
import {
  readRoutingInputs,
  type AccountRoutingInputs,
} from '../flows/runs/read-routing-inputs.sql.ts'
import { startRuns } from '../flows/runs/start-runs.ts'
import { wakeRuns } from '../flows/runs/wake-runs.ts'
import type { FoundTrigger } from '../flows/runs/find-triggers.sql.ts'
import { routeMessage, type Route } from '../../flow-kinds/triggers/route-message.ts'
import { fact } from '../../core/facts/fact.ts'
import type { Ids } from '../../core/ids.ts'
import { cancelReplies } from '../messaging/cancel-replies.sql.ts'
import { transitionConversations } from '../messaging/transition-conversations.ts'
import type { ContactRow } from '../messaging/contact.ts'
import type { ConversationChange } from '../messaging/plan-changes.ts'
import type { ReceivedMessage } from '../messaging/receive-message.ts'

/** A message with its contact after earlier keywords and its own; the contact of a visitor is null. */
export type MessageToRoute = Omit<ReceivedMessage, 'contact'> & {
  contact: ContactRow | null
  isOptOutWord: boolean
}

/**
 * Routes customers' messages: to an active run, a flow that they start, the assistant, or staff. Each is of another
 * conversation and already saved, as are those in `unanswered`: these messages, and those routed after them.
 *
 * Isolation: the caller has locked the conversations.
 * Spec: Flows › Order of answers to a message; readings F8, F9, F19, F20, F21, F26.
 */
export async function routeMessages(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date; hasOperatorModel: boolean },
  messages: readonly MessageToRoute[],
  unanswered: readonly string[],
): Promise<void> {
  const inputs = await readRoutingInputs(
    tx,
    deps,
    messages.map(({ channel, conversation, contact, event, ...message }) => ({
      ...message,
      channelId: channel.id,
      conversationId: conversation.id,
      contactId: contact?.id ?? null,
      replyToProviderId: event.replyToProviderId ?? null,
      buttonPayload: event.buttonPayload ?? null,
    })),
    unanswered,
  )
  const routed = await routeToRuns(tx, deps.now, messages, inputs)
  for (const { route } of routed) {
    if (route.to === 'flow' && route.leaves) await endDisplacedRun(tx, deps, route.leaves)
  }
  await startRuns(
    tx,
    deps,
    routed.flatMap(({ message: { id, channel, conversation, contact }, accountId, route }) => {
      if (route.to !== 'flow') return []
      const { flowId, flowVersionId, kind } = route.candidate
      return [
        {
          accountId,
          companyId: channel.company.id,
          flowId,
          flowVersionId,
          channelId: channel.id,
          conversationId: conversation.id,
          contactId: contact?.id ?? null,
          triggerKind: kind,
          triggerMessageId: id,
          idempotencyKey: null,
          language: contact?.language ?? null,
          variables: {},
        },
      ]
    }),
  )
  const taken = routed.flatMap(({ message, route }) =>
    route.to === 'flow' ? [message.conversation.id] : [],
  )
  if (taken.length > 0) {
    await cancelReplies(tx, deps.now, { conversationIds: taken }, fact('reply_flow_has_it'))
  }
  const changed = await transitionConversations(
    tx,
    deps,
    routed.flatMap(({ message, route }) => {
      if (route.to !== 'staff') return []
      const { conversation, channel } = message
      const by = { kind: 'service' as const }
      const at = { companyId: channel.company.id, conversationId: conversation.id, by }
      return changesFor(route, message.receivedAt).map((change) => ({ ...at, change }))
    }),
  )
  for (const result of changed) {
    if (result?.endsRuns) await wakeRuns(tx, deps.now, { conversationId: result.conversationId })
  }
  await enqueueMessages(
    tx,
    deps,
    routed.flatMap(({ message: { id, channel, conversation, event }, route }) => {
      if (route.to !== 'assistant') return []
      const isTapped = (event.buttonPayload ?? null) !== null
      const isVoice = event.type === 'audio'
      const ofCompany = { companyId: channel.company.id, conversationId: conversation.id }
      return [{ id, ...ofCompany, isTapped, isVoice }]
    }),
  )
}

/**
 * Decides the route of each message, and saves those for runs. When the flow was deleted since the run was found, the
 * message goes to staff.
 */
async function routeToRuns(
  tx: Transaction<DB>,
  now: Date,
  messages: readonly MessageToRoute[],
  inputs: readonly AccountRoutingInputs[],
): Promise<{ message: MessageToRoute; accountId: string; route: Route<FoundTrigger> }[]> {
  const found = messages.map((message, index) => {
    const { accountId } = inputs[index]!
    return { message, accountId, route: routeMessage(inputs[index]!) }
  })
  const replies = found.flatMap(({ message: { id, channel }, accountId, route }) => {
    const companyId = channel.company.id
    return route.to === 'run' ? [{ runId: route.runId, messageId: id, accountId, companyId }] : []
  })
  const kept = await saveReplies(tx, now, replies)
  return found.map(({ message, accountId, route }, index) => {
    if (route.to !== 'run' || kept.has(message.id)) return { message, accountId, route }
    const why = inputs[index]!.isStaffHandling ? 'handles' : 'nobody_else'
    return { message, accountId, route: { to: 'staff', why, keptOut: null } }
  })
}

/** Returns the changes of a conversation whose message goes to staff. */
function changesFor(
  { why, keptOut }: Extract<Route<FoundTrigger>, { to: 'staff' }>,
  receivedAt: Date,
): ConversationChange[] {
  switch (why) {
    case 'burst':
      return [{ kind: 'hand_over', reason: 'message_burst', reasonText: null }]
    case 'handles':
      return keptOut
        ? [{ kind: 'keep_out', flow: { id: keptOut.flowId, name: keptOut.flowName } }]
        : []
    case 'nobody_else':
      return [{ kind: 'need_staff', since: receivedAt }]
  }
}
