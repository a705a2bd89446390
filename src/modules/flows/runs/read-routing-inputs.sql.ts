import { sql, type Transaction } from 'kysely'
import type { DB } from '../../../infra/database/tables.ts'
import { PLAN_LIMITS } from '../../../core/limits/accounts.ts'
import { BURST_LIMITS } from '../../../core/limits/messaging.ts'
import { usableModel } from '../../models/has-usable-model.ts'
import { capabilitiesOf } from '../../../rules/messaging/channel-capabilities.ts'
import { readButtonPayload } from '../../../rules/flows/button-payload.ts'
import { isStaffHandling } from '../../../rules/messaging/take-over.ts'
import { cleanText } from '../../../rules/text/json-text.ts'
import type { Plan } from '../../../core/vocabulary/accounts.ts'
import { TRIGGER_KINDS, type RunStatus, type TriggerKind } from '../../../core/vocabulary/flows.ts'
import type { ActiveRun, RoutingInputs } from '../../../flow-kinds/triggers/route-message.ts'
import {
  toIncomingMessage,
  type IncomingMessage,
} from '../../../flow-kinds/triggers/trigger-design.ts'
import { TRIGGERS } from '../../../flow-kinds/triggers/triggers.ts'
import { mayRunDuringStaffHandling } from './may-run-during-staff-handling.ts'
import { findTriggers, type TriggerLookup, type FoundTrigger } from './find-triggers.sql.ts'

/** A customer's saved message to be routed. */
export type MessageToRoute = {
  id: string
  channelId: string
  conversationId: string
  /** The contact; null for a visitor. */
  contactId: string | null
  /** The type; a tapped button also has `text`. */
  type: string
  text: string | null
  receivedAt: Date
  replyToProviderId: string | null
  buttonPayload: string | null
  isOptOutWord: boolean
}

/** The inputs that decide who answers a message, with its account. */
export type AccountRoutingInputs = RoutingInputs<FoundTrigger> & { accountId: string }

type Row = {
  accountId: string
  handledBy: string
  takenOverUntil: Date | null
  takenOverAt: Date | null
  channelType: string
  plan: Plan
  optedOutAt: Date | null
  quotedRun: string | null
  quotedTemplate: string | null
  lastMinute: number
  lastMinutes: number
  isFirst: boolean
  isAssistantOn: boolean
}

/**
 * Loads what decides who answers each of several messages, in their order; each is of another conversation. Messages in
 * `unanswered` are saved already but routed later, so they do not count as earlier ones. Takes three statements for any
 * number of messages.
 *
 * Isolation: the caller has locked the conversations, so that two messages of one cannot both find its flow without a
 * run.
 */
export async function readRoutingInputs(
  tx: Transaction<DB>,
  { now, hasOperatorModel }: { now: Date; hasOperatorModel: boolean },
  messages: readonly MessageToRoute[],
  unanswered: readonly string[],
): Promise<AccountRoutingInputs[]> {
  const rows = await readConversations(tx, hasOperatorModel, messages, unanswered)
  const runs = await readActiveRuns(tx, messages, rows)
  const seen = messages.map((message, index): IncomingMessage => {
    const isPressed = message.buttonPayload !== null
    const pressedTemplate = isPressed ? rows[index]!.quotedTemplate : null
    return toIncomingMessage({ ...message, isFirst: rows[index]!.isFirst, pressedTemplate })
  })
  const lookups = seen.flatMap((as, index) => {
    const { isOptOutWord } = messages[index]!
    const mayStart = !isOptOutWord && rows[index]!.optedOutAt === null
    return mayStart ? lookupsOf(messages[index]!, as).map((one) => ({ ...one, index })) : []
  })
  const found = Map.groupBy(await findTriggers(tx, lookups), ({ nth }) => lookups[nth]!.index)
  return messages.map((message, index) => {
    const row = rows[index]!
    return {
      accountId: row.accountId,
      message: seen[index]!,
      isOptOutWord: message.isOptOutWord,
      isBurst: message.type === 'text' && isBurst(row),
      isStaffHandling: isStaffHandling(row, now),
      isOptedOut: row.optedOutAt !== null,
      hasAutomations: PLAN_LIMITS[row.plan].automations,
      isAssistantOn: row.isAssistantOn && capabilitiesOf(row.channelType).reply.kind !== 'never',
      runs: runs.get(message.conversationId) ?? [],
      meantFor: readButtonPayload(message.buttonPayload)?.runId ?? row.quotedRun,
      candidates: found.get(index) ?? [],
    }
  })
}

/** Returns whether too many texts arrived in a short time. Spec: Flows › Order of answers to a message; reading F37. */
function isBurst({ lastMinute, lastMinutes }: Row): boolean {
  return lastMinute > BURST_LIMITS.textsInMinute || lastMinutes > BURST_LIMITS.textsInMinutes
}

/** Loads the current conversations and customers, the quoted or tapped messages, and recent message counts. */
async function readConversations(
  tx: Transaction<DB>,
  hasOperatorModel: boolean,
  messages: readonly MessageToRoute[],
  unanswered: readonly string[],
): Promise<Row[]> {
  const { rows } = await sql<Row & { place: string }>`
    select input.place, company.account_id, conversation.handled_by, conversation.taken_over_until,
      conversation.taken_over_at, conversation.channel_type, account.plan, contact.opted_out_at,
      quoted.run_id as quoted_run, quoted.template_name as quoted_template,
      recent.last_minute, recent.last_minutes,
      coalesce(assistant.is_on, false) and ${usableModel(sql`account.id`, hasOperatorModel)}
        as is_assistant_on,
      not exists (
        select from message earlier
        where earlier.conversation_id = input.conversation_id and earlier.direction = 'in'
          and earlier.id <> all(${unanswered}::text[])
      ) as is_first
    from unnest(${messages.map(({ conversationId }) => conversationId)}::text[],
        ${messages.map(({ channelId }) => channelId)}::uuid[],
        ${messages.map(({ contactId }) => contactId)}::uuid[],
        ${messages.map(({ replyToProviderId: id }) => id && cleanText(id))}::text[],
        ${messages.map(({ receivedAt }) => receivedAt)}::timestamptz[])
        with ordinality as input (conversation_id, channel_id, contact_id, reply_to, at, place)
      join conversation on conversation.id = input.conversation_id
      join company on company.id = conversation.company_id
      join account on account.id = company.account_id
      left join contact on contact.id = input.contact_id
      left join assistant on assistant.company_id = company.id
      left join lateral (
        select run_id, template_name from message
        where message.channel_id = input.channel_id
          and message.conversation_id = input.conversation_id
          and message.provider_message_id = input.reply_to
      ) quoted on true
      cross join lateral (
        select count(*) filter (
            where occurred_at > input.at - ${BURST_LIMITS.minuteMs} * interval '1 ms'
          )::int as last_minute,
          count(*)::int as last_minutes
        from (
          select occurred_at from message
          where message.conversation_id = input.conversation_id and occurred_at <= input.at
            and occurred_at > input.at - ${BURST_LIMITS.minutesMs} * interval '1 ms'
            and direction = 'in' and type = 'text' and not is_imported
          order by occurred_at desc limit ${BURST_LIMITS.textsInMinutes + 1}
        ) late
      ) recent
    order by input.place
  `.execute(tx)
  return rows
}

/** Loads active runs, without those about to be cancelled, which read nothing more. */
async function readActiveRuns(
  tx: Transaction<DB>,
  messages: readonly MessageToRoute[],
  rows: readonly Row[],
): Promise<Map<string, ActiveRun[]>> {
  const takenOverAt = new Map(
    messages.map(({ conversationId }, index) => [conversationId, rows[index]!.takenOverAt]),
  )
  const { rows: runs } = await sql<{
    id: string
    conversationId: string
    triggerKind: TriggerKind
    status: RunStatus
    waitKind: string | null
    waitingSince: Date | null
    hasSent: boolean
    createdAt: Date
  }>`
    select id, conversation_id, trigger_kind, status, wait_kind, waiting_since, has_sent, created_at
    from flow_run where conversation_id = any(${[...takenOverAt.keys()]}::text[])
      and ended_at is null and cancel_detail is null
  `.execute(tx)
  const active = runs.map((run) => ({
    conversationId: run.conversationId,
    id: run.id,
    mayRunDuringStaffHandling: mayRunDuringStaffHandling(run, takenOverAt.get(run.conversationId)!),
    listeningSince: run.waitKind === 'reply' ? run.waitingSince : null,
    isAtWork: run.hasSent && (run.status === 'running' || run.waitKind === 'sent'),
  }))
  return Map.groupBy(active, ({ conversationId }) => conversationId)
}

function lookupsOf(
  { channelId, conversationId }: MessageToRoute,
  as: IncomingMessage,
): TriggerLookup[] {
  return TRIGGER_KINDS.flatMap((kind) =>
    [...new Set(TRIGGERS[kind].byMessage?.keysOf(as))].map((key) => ({
      channelId,
      conversationId,
      kind,
      key,
    })),
  )
}
