import type { Transaction } from 'kysely'
import type { DB } from '../database/tables.ts'
import { cleanText } from '../rules/json-text.ts'

const BUTTON_OF_RUN = /^run:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):\d+$/
const ACTIVE = ['queued', 'running', 'waiting'] as const

export type IncomingReply = {
  messageId: string
  companyId: string
  conversationId: string
  channelId: string
  replyToProviderId: string | null
  buttonPayload: string | null
}

/**
 * Gives a customer's message to the run that it answers, and wakes that run. A message that quotes or
 * presses a button of a run's message goes to that run alone; any other goes to the run that began
 * waiting last or, when none waits yet, to one that has sent something and is still at work. Returns
 * the run's id; null when no run wants it.
 *
 * The conversation is locked by the caller.
 * Spec: readings F8, F9.
 */
export async function keepReplyForRun(
  tx: Transaction<DB>,
  now: Date,
  reply: IncomingReply,
): Promise<string | null> {
  const runId = await findRun(tx, reply)
  if (!runId) return null
  await tx
    .insertInto('flowRunReply')
    .values({ runId, messageId: reply.messageId, companyId: reply.companyId, receivedAt: now })
    .execute()
  await tx
    .updateTable('flowRun')
    .set({ wakeAt: now })
    .where('id', '=', runId)
    .where('status', '=', 'waiting')
    .where('waitKind', '=', 'reply')
    .execute()
  return runId
}

async function findRun(tx: Transaction<DB>, reply: IncomingReply): Promise<string | null> {
  const pressed = await runOfPressedMessage(tx, reply)
  if (pressed) {
    const run = await tx
      .selectFrom('flowRun')
      .select('id')
      .where('id', '=', pressed)
      .where('conversationId', '=', reply.conversationId)
      .where('status', 'in', ACTIVE)
      .executeTakeFirst()
    return run?.id ?? null
  }
  const listening = await tx
    .selectFrom('flowRun')
    .select('id')
    .where('conversationId', '=', reply.conversationId)
    .where('status', 'in', ['running', 'waiting'])
    .where('hasSent', '=', true)
    .orderBy((eb) => eb(eb.fn.coalesce('waitKind', eb.val('')), '=', 'reply'), 'desc')
    .orderBy('waitingSince', (order) => order.desc().nullsLast())
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return listening?.id ?? null
}

/** The run whose message is quoted or whose button is pressed, whether or not it still runs. */
async function runOfPressedMessage(
  tx: Transaction<DB>,
  reply: IncomingReply,
): Promise<string | null> {
  const named = BUTTON_OF_RUN.exec(reply.buttonPayload ?? '')?.[1]
  if (named) return named
  if (!reply.replyToProviderId) return null
  const quoted = await tx
    .selectFrom('message')
    .select('runId')
    .where('channelId', '=', reply.channelId)
    .where('providerMessageId', '=', cleanText(reply.replyToProviderId))
    .executeTakeFirst()
  return quoted?.runId ?? null
}
