import { sql, type Transaction } from 'kysely'
import type { DB } from '../database/tables.ts'
import { usableModel } from '../models/has-usable-model.ts'
import { REPLY_OF_ASSISTANT } from '../limits/replies.ts'
import { SECOND_MS } from '../limits/units.ts'
import type { ClaimedReply } from './claim-replies.sql.ts'
import type { Exchanged } from '../rules/assistant/loop-protection.ts'
import type {
  DoneBefore,
  HandOfReply,
  ReplyRow,
  SentPart,
  StepRow,
  TalkMessage,
  ToolData,
} from './reply.ts'

/**
 * Locks the conversation of a reply, then the reply. Null when it is no longer this claim's: it ended, began
 * anew, or somebody else has it.
 */
export async function lockReply(
  tx: Transaction<DB>,
  { id, conversationId, claimId }: ClaimedReply,
): Promise<ReplyRow | null> {
  await sql`select id from conversation where id = ${conversationId} for update`.execute(tx)
  const { rows } = await sql<ReplyRow>`
    select * from assistant_reply
    where id = ${id} and claim_id = ${claimId} and state in ('gathering', 'thinking', 'sending')
    for update`.execute(tx)
  return rows[0] ?? null
}

type OwnersRow = HandOfReply['conversation'] &
  Omit<HandOfReply['channel'], 'id' | 'type'> & {
    companyName: string | null
    accountId: string
    plan: string
    timeZone: string
    openingHours: string | null
    channelId: string
    settings: HandOfReply['settings']
    hasModel: boolean
    contact: HandOfReply['contact']
    isBesideRun: boolean
    hasProposal: boolean
  }

/** Reads what the turn of a locked reply depends on. */
export async function readHand(
  tx: Transaction<DB>,
  reply: ReplyRow,
  { hasOperatorModel }: { hasOperatorModel(): boolean },
): Promise<HandOfReply> {
  const owners = await readOwners(tx, reply, hasOperatorModel())
  const steps = await tx
    .selectFrom('assistantStep')
    .selectAll()
    .where('replyId', '=', reply.id)
    .orderBy('epoch')
    .orderBy('number')
    .execute()
  return {
    ...owners,
    reply,
    steps: steps satisfies StepRow[],
    sent: reply.state === 'sending' ? await readSent(tx, reply) : [],
    talk: reply.state === 'sending' ? [] : await readTalk(tx, reply),
    exchanged: reply.state === 'gathering' ? await readExchanged(tx, reply) : [],
    doneBefore: reply.state === 'sending' ? [] : await readDoneBefore(tx, reply),
  }
}

async function readOwners(
  tx: Transaction<DB>,
  reply: ReplyRow,
  hasOperatorModel: boolean,
): Promise<Omit<HandOfReply, 'reply' | 'steps' | 'sent' | 'talk' | 'exchanged' | 'doneBefore'>> {
  const { rows } = await sql<OwnersRow>`
    select conversation.id, conversation.channel_type, conversation.contact_id,
      conversation.visitor_name, conversation.language, conversation.status, conversation.handled_by,
      conversation.taken_over_until, conversation.last_customer_at, conversation.channel_id,
      channel.is_coexistence, channel.is_connected, channel.disconnected_reason,
      company.name as company_name, company.time_zone, company.opening_hours,
      account.id as account_id, account.plan,
      ${usableModel(sql`account.id`, hasOperatorModel)} as has_model,
      exists (select from action_proposal
        where action_proposal.conversation_id = conversation.id
          and (state = 'proposed' or confirmed_by = ${reply.id})) as has_proposal,
      exists (select from flow_run where flow_run.conversation_id = conversation.id
        and flow_run.status in ('queued', 'running')) as is_beside_run
    from conversation
      join channel on channel.id = conversation.channel_id
      join company on company.id = conversation.company_id
      join account on account.id = company.account_id
    where conversation.id = ${reply.conversationId}`.execute(tx)
  const row = rows[0]!
  const settings = await tx
    .selectFrom('assistant')
    .selectAll()
    .where('companyId', '=', reply.companyId)
    .executeTakeFirst()
  const contact =
    row.contactId === null
      ? undefined
      : await tx
          .selectFrom('contact')
          .select(['name', 'language', 'tags', 'fields', 'optedOutAt'])
          .where('id', '=', row.contactId)
          .executeTakeFirst()
  return {
    company: {
      id: reply.companyId,
      name: row.companyName,
      accountId: row.accountId,
      plan: row.plan,
      timeZone: row.timeZone,
      openingHours: row.openingHours,
    },
    settings: settings ?? null,
    hasModel: row.hasModel,
    conversation: row,
    contact: contact ?? null,
    channel: {
      id: row.channelId,
      type: row.channelType,
      isCoexistence: row.isCoexistence,
      isConnected: row.isConnected,
      disconnectedReason: row.disconnectedReason,
    },
    isBesideRun: row.isBesideRun,
    hasProposal: row.hasProposal,
  }
}

/** Of each part the newest try. */
async function readSent(tx: Transaction<DB>, { id }: ReplyRow): Promise<SentPart[]> {
  const { rows } = await sql<SentPart>`
    select distinct on (send_key) id, split_part(send_key, ':', 2)::int as part, status, due_at,
      claim_id, error_code
    from message where reply_id = ${id} order by send_key, attempt desc`.execute(tx)
  return rows.toSorted((a, b) => a.part - b.part)
}

async function readTalk(tx: Transaction<DB>, reply: ReplyRow): Promise<TalkMessage[]> {
  const { rows } = await sql<TalkMessage>`
    select id, direction, sender, type, text, transcript, button_payload, reply_id, created_at,
      occurred_at,
      direction = 'in' and (
        exists (select from flow_run_reply where flow_run_reply.message_id = message.id)
        or exists (select from flow_run where flow_run.conversation_id = message.conversation_id
          and flow_run.trigger_message_id = message.id)) as is_of_run
    from message
    where conversation_id = ${reply.conversationId}
      and (${reply.heardAt}::timestamptz is null or created_at <= ${reply.heardAt}
        or id = ${reply.coveredMessageId})
      and (direction = 'in' or status is distinct from 'failed')
    order by occurred_at desc, created_at desc, id desc
    limit ${REPLY_OF_ASSISTANT.messages}`.execute(tx)
  return rows.toReversed().toSorted(byWhenSaid)
}

/** Phones tell whole seconds and we do not: within a second it is as it was saved. */
function byWhenSaid(a: TalkMessage, b: TalkMessage): number {
  const second = ({ occurredAt }: TalkMessage) => Math.floor(occurredAt.getTime() / SECOND_MS)
  return second(a) - second(b) || a.createdAt.getTime() - b.createdAt.getTime()
}

type ExchangedRow = {
  id: string
  at: Date
  by: Exchanged['by']
  type: string
  isTapped: boolean
  text: string | null
}

const MEDIA: readonly string[] = ['image', 'video', 'audio', 'document']

/** What was said from the last give-back on, oldest first, and no longer than a day ago. */
async function readExchanged(
  tx: Transaction<DB>,
  { conversationId, notedAt }: ReplyRow,
): Promise<HandOfReply['exchanged']> {
  const since = new Date(notedAt.getTime() - REPLY_OF_ASSISTANT.dayMs)
  const { rows } = await sql<ExchangedRow>`
    select id, coalesce(sent_at, created_at) as at, type, button_payload is not null as is_tapped, text,
      case when direction = 'in' then 'customer'
        when reply_id is not null and row_number() over (
          partition by reply_id, direction order by created_at, send_key) = 1 then 'reply'
        else 'ours' end as by
    from message
    where conversation_id = ${conversationId} and occurred_at >= ${since} and not is_imported
      and (direction = 'in' or status in ('accepted', 'sent', 'delivered', 'read', 'unknown'))
      and created_at > coalesce((select max(at) from conversation_entry
        where conversation_entry.conversation_id = ${conversationId}
          and kind in ('given_back', 'resolved')), '-infinity')
    order by occurred_at desc, created_at desc limit ${REPLY_OF_ASSISTANT.exchanged}`.execute(tx)
  return rows
    .map(({ id, at, by, type, isTapped, text }) => {
      const ofFile = MEDIA.includes(type) ? ('media' as const) : ('other' as const)
      const kind = isTapped ? ('button' as const) : type === 'text' ? ('text' as const) : ofFile
      return { id, at, by, kind, text }
    })
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

/** What tools and agreements of earlier replies have done, and told of. */
async function readDoneBefore(
  tx: Transaction<DB>,
  { id, conversationId }: ReplyRow,
): Promise<DoneBefore[]> {
  const rows = await tx
    .selectFrom('assistantStep')
    .innerJoin('assistantReply', 'assistantReply.id', 'assistantStep.replyId')
    .select(['assistantStep.name', 'told', 'data', 'assistantStep.endedAt'])
    .where('conversationId', '=', conversationId)
    .where('assistantReply.id', '<>', id)
    .where('assistantReply.hasEffect', '=', true)
    .where('assistantStep.kind', '=', 'tool')
    .where('assistantStep.state', '=', 'done')
    .orderBy('assistantStep.startedAt', 'desc')
    .limit(REPLY_OF_ASSISTANT.doneBefore)
    .execute()
  return rows.flatMap(({ name, told, data, endedAt }) => {
    const kept = JSON.parse(data ?? '{}') as Partial<ToolData>
    const { isDone, hasEffect = false, proposalId, handsOver, answered } = kept
    const isDeed = isDone === true && proposalId === undefined && !handsOver
    const tool = answered?.tool ?? name!
    return isDeed ? [{ name: tool, told: told ?? '', hasEffect, at: endedAt! }] : []
  })
}
