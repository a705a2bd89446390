import { sql, type RawBuilder, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { candidatesIn, candidatesQuery, type CandidateRow } from '../models/candidates.sql.ts'
import { ableModel, usableModel } from '../models/has-usable-model.ts'
import { REPLY_OF_ASSISTANT } from '../../core/limits/replies.ts'
import { SECOND_MS } from '../../core/limits/units.ts'
import type { ClaimedReply } from './reply-queue.ts'
import { noPendingWrites } from './record-steps.ts'
import type { ReplyAdvanceDeps } from './reply-context.ts'
import type { ExchangedMessage } from '../../rules/assistant/loop-protection.ts'
import type {
  DoneBefore,
  LoadedReply,
  ReplyRow,
  SentPart,
  StepRow,
  ConversationMessage,
} from './reply.ts'
import { readToolData } from './step-data.ts'
import { selectToolInputs } from './tools/offered.sql.ts'

/**
 * Locks the conversation of a reply, then the reply. Returns null when the claim is lost: the reply ended, restarted,
 * or was claimed by another process.
 */
export async function lockReply(
  tx: Transaction<DB>,
  { id, conversationId, claimId }: ClaimedReply,
): Promise<ReplyRow | null> {
  // The reply is re-read under the lock, as the previous holder of the conversation may have changed it.
  const { rows } = await sql<ReplyRow>`
    with held as materialized (
      select id from conversation where id = ${conversationId} for update
    )
    select reply.* from held cross join lateral (
      select * from assistant_reply
      where id = ${id} and claim_id = ${claimId} and state in ('gathering', 'thinking', 'sending')
      for update) reply`.execute(tx)
  return rows[0] ?? null
}

type OwnersRow = LoadedReply['conversation'] &
  Omit<LoadedReply['channel'], 'id' | 'type'> & {
    companyName: string | null
    accountId: string
    plan: string
    timeZone: string
    openingHours: string | null
    channelId: string
    settings: object | null
    hasModel: boolean
    hears: boolean
    sees: boolean
    contact: object | null
    isDuringRun: boolean
    hasProposal: boolean
    steps: object[]
    sent: object[]
    talk: object[]
    exchanged: object[]
    doneBefore: object[]
    candidates: CandidateRow[]
    offered: LoadedReply['offered']
  }

/** Loads the inputs of a locked reply's advance, in one statement. */
export async function loadReply(
  tx: Transaction<DB>,
  reply: ReplyRow,
  { operatorModel, clock, guard }: Pick<ReplyAdvanceDeps, 'operatorModel' | 'clock' | 'guard'>,
): Promise<LoadedReply> {
  const row = await readRow(tx, reply, { operator: operatorModel(), now: clock.now() })
  const settings = row.settings && (ofJson(row.settings) as NonNullable<LoadedReply['settings']>)
  return {
    reply,
    company: {
      id: reply.companyId,
      name: row.companyName,
      accountId: row.accountId,
      plan: row.plan,
      timeZone: row.timeZone,
      openingHours: row.openingHours,
    },
    settings,
    hasModel: row.hasModel,
    able: {
      hears: row.hears && settings?.transcribes === true,
      sees: row.sees && settings?.readsImages === true,
    },
    conversation: row,
    contact: row.contact && (ofJson(row.contact) as NonNullable<LoadedReply['contact']>),
    channel: {
      id: row.channelId,
      type: row.channelType,
      isCoexistence: row.isCoexistence,
      isConnected: row.isConnected,
      disconnectedReason: row.disconnectedReason,
    },
    isDuringRun: row.isDuringRun,
    hasProposal: row.hasProposal,
    steps: row.steps.map((one) => ofJson(one) as StepRow),
    sent: row.sent.map((one) => ofJson(one) as SentPart).toSorted((a, b) => a.part - b.part),
    talk: readTalk(row.talk.map((one) => ofJson(one) as TalkRow)),
    exchanged: readExchanged(row.exchanged.map((one) => ofJson(one) as ExchangedRow)),
    doneBefore: readDoneBefore(row.doneBefore.map((one) => ofJson(one) as DeedRow)),
    candidates: candidatesIn(row.candidates),
    offered: row.offered,
    pending: noPendingWrites(),
    observes: guard.observes,
    isForStaff: false,
  }
}

async function readRow(
  tx: Transaction<DB>,
  reply: ReplyRow,
  { operator, now }: { operator: ReturnType<ReplyAdvanceDeps['operatorModel']>; now: Date },
): Promise<OwnersRow> {
  const isSending = reply.state === 'sending'
  const none = sql`'[]'::json`
  const { rows } = await sql<OwnersRow>`
    select conversation.id, conversation.channel_type, conversation.contact_id,
      conversation.visitor_name, conversation.language, conversation.status, conversation.handled_by,
      conversation.taken_over_until, conversation.last_customer_at, conversation.channel_id,
      channel.is_coexistence, channel.is_connected, channel.disconnected_reason,
      company.name as company_name, company.time_zone, company.opening_hours,
      account.id as account_id, account.plan,
      ${usableModel(sql`account.id`, operator !== null)} as has_model,
      ${ableModel(sql`account.id`, operator, 'hears')} as hears,
      ${ableModel(sql`account.id`, operator, 'sees')} as sees,
      exists (select from action_proposal
        where action_proposal.conversation_id = conversation.id
          and (state = 'proposed' or confirmed_by = ${reply.id})) as has_proposal,
      exists (select from flow_run where flow_run.conversation_id = conversation.id
        and flow_run.status in ('queued', 'running')) as is_during_run,
      (select row_to_json(assistant) from assistant
        where assistant.company_id = company.id) as settings,
      (select row_to_json(one) from (select name, language, tags, fields, opted_out_at from contact
        where contact.id = conversation.contact_id) one) as contact,
      ${listOf(sql`select * from assistant_step where reply_id = ${reply.id} order by epoch, number`)}
        as steps,
      ${isSending ? listOf(sentOf(reply)) : none} as sent,
      ${isSending ? none : listOf(talkOf(reply))} as talk,
      ${reply.state === 'gathering' ? listOf(exchangedOf(reply)) : none} as exchanged,
      ${isSending ? none : listOf(doneBeforeOf(reply))} as done_before,
      ${isSending ? none : listOf(candidatesQuery(sql`account.id`, now.toISOString().slice(0, 10)))} as candidates,
      ${isSending ? sql`null::json` : selectToolInputs(sql`company.id`)} as offered
    from conversation
      join channel on channel.id = conversation.channel_id
      join company on company.id = conversation.company_id
      join account on account.id = company.account_id
    where conversation.id = ${reply.conversationId}`.execute(tx)
  return rows[0]!
}

/** Returns the rows of a select, in its order, as one JSON value. */
function listOf(select: RawBuilder<unknown>) {
  return sql`(select coalesce(json_agg(row_to_json(one)), '[]') from (${select}) one)`
}

const TIMES: ReadonlySet<string> = new Set([
  'at',
  'createdAt',
  'occurredAt',
  'startedAt',
  'endedAt',
  'updatedAt',
  'optedOutAt',
  'dueAt',
])

/** Converts a JSON row to the names and types of a query result. */
function ofJson(json: object): object {
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => {
      const name = key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
      return [
        name,
        TIMES.has(name) && value !== null ? new Date(value as string) : (value as unknown),
      ]
    }),
  )
}

/** Selects the newest attempt of each part. */
function sentOf({ id }: ReplyRow) {
  return sql`
    select distinct on (send_key) id, split_part(send_key, ':', 2)::int as part, status, due_at,
      claim_id, error_code
    from message where reply_id = ${id} order by send_key, attempt desc`
}

type TalkRow = Omit<ConversationMessage, 'media'> & {
  fileId: string | null
  fileState: string | null
  mediaType: string | null
  size: number | null
}

/** Selects the conversation, newest first. */
function talkOf(reply: ReplyRow) {
  return sql`
    select message.id, direction, sender, case when is_there then type else 'deleted' end as type,
      case when is_there then text end as text,
      case when is_there and type in ('audio', 'location') then transcript end as transcript,
      case when is_there then button_payload end as button_payload, reply_id,
      message.created_at, occurred_at, arrival, file.id as file_id, file.state as file_state, file.media_type, file.size,
      direction = 'in' and (
        exists (select from flow_run_reply where flow_run_reply.message_id = message.id)
        or exists (select from flow_run where flow_run.conversation_id = message.conversation_id
          and flow_run.trigger_message_id = message.id)) as is_of_run
    from message
      -- Only the existence of a deleted message is shown.
      cross join lateral (select message.deleted_at is null as is_there) deletion
      left join file on file.id = message.file_id and direction = 'in' and type in ('audio', 'image')
        and is_there
    where message.conversation_id = ${reply.conversationId}
      and (${reply.heardAt}::timestamptz is null or message.created_at <= ${reply.heardAt}
        or message.id = ${reply.answeredMessageId})
      and (direction = 'in' or status is distinct from 'failed')
    order by occurred_at desc, arrival desc
    limit ${REPLY_OF_ASSISTANT.messages}`
}

function readTalk(rows: readonly TalkRow[]): ConversationMessage[] {
  return rows
    .map(({ fileId, fileState, mediaType, size, ...message }) => ({
      ...message,
      media: fileId === null ? null : { fileId, state: fileState!, mediaType, size },
    }))
    .toSorted(byWhenSaid)
}

/** Compares messages by time. Phones report whole seconds, so arrival decides within a second. */
function byWhenSaid(a: ConversationMessage, b: ConversationMessage): number {
  const second = ({ occurredAt }: ConversationMessage) =>
    Math.floor(occurredAt.getTime() / SECOND_MS)
  return second(a) - second(b) || a.arrival - b.arrival
}

type ExchangedRow = {
  id: string
  at: Date
  by: ExchangedMessage['by']
  type: string
  isTapped: boolean
  text: string | null
}

const MEDIA: readonly string[] = ['image', 'video', 'audio', 'document']

/** Selects what was exchanged since the conversation returned to automation, within a day. */
function exchangedOf({ conversationId, notedAt }: ReplyRow) {
  const since = new Date(notedAt.getTime() - REPLY_OF_ASSISTANT.dayMs)
  return sql`
    select id, coalesce(sent_at, created_at) as at, type, button_payload is not null as is_tapped, text,
      case when direction = 'in' then 'customer'
        when reply_id is not null and row_number() over (
          partition by reply_id, direction order by arrival) = 1 then 'reply'
        else 'ours' end as by
    from message
    where conversation_id = ${conversationId} and occurred_at >= ${since} and not is_imported
      and (direction = 'in' or status in ('accepted', 'sent', 'delivered', 'read', 'unknown'))
      and created_at > coalesce((select max(at) from conversation_entry
        where conversation_entry.conversation_id = ${conversationId}
          and kind in ('given_back', 'resolved')), '-infinity')
    order by occurred_at desc, arrival desc limit ${REPLY_OF_ASSISTANT.exchanged}`
}

/** Returns the exchange, oldest first. */
function readExchanged(rows: readonly ExchangedRow[]): LoadedReply['exchanged'] {
  return rows
    .map(({ id, at, by, type, isTapped, text }) => {
      const ofFile = MEDIA.includes(type) ? ('media' as const) : ('other' as const)
      const kind = isTapped ? ('button' as const) : type === 'text' ? ('text' as const) : ofFile
      return { id, at, by, kind, text }
    })
    .toReversed()
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

type DeedRow = {
  name: string | null
  input: string | null
  result: string | null
  data: string | null
  endedAt: Date | null
}

/** Selects results of tools and agreements of earlier replies, newest first. */
function doneBeforeOf({ id, conversationId }: ReplyRow) {
  return sql`
    select step.name, step.input, step.result, step.data, step.ended_at
    from assistant_reply earlier join assistant_step step on step.reply_id = earlier.id
    where earlier.conversation_id = ${conversationId} and earlier.id <> ${id} and earlier.has_effect
      and step.kind = 'tool' and step.state = 'done'
    order by step.started_at desc limit ${REPLY_OF_ASSISTANT.doneBefore}`
}

/** Returns those that were executed. */
function readDoneBefore(rows: readonly DeedRow[]): DoneBefore[] {
  return rows.flatMap(({ name, input, result, data, endedAt }) => {
    const {
      isDone,
      hasEffect = false,
      does,
      mayBeReported,
      proposalId,
      handsOver,
      answered,
    } = readToolData({ data })
    const isDeed = isDone && proposalId === undefined && !handsOver
    const tool = answered?.tool ?? name!
    if (!isDeed) return []
    const chosen = { ...(does && { does }), ...(mayBeReported && { mayBeReported: mayBeReported }) }
    // For an agreement, the statement has the arguments.
    const given = answered?.what?.en ?? input
    return [{ name: tool, result: result ?? '', hasEffect, input: given, ...chosen, at: endedAt! }]
  })
}
