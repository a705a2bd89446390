import type pg from 'pg'
import { TEMPLATE_LIMITS } from '../limits.ts'

/** What is asked of the store for one candidate. Without a number only its key is looked up. */
export type Question = {
  flowId: string
  key: string | null
  companyId: string
  accountId: string
  channelId: string | null
  /** Digits. */
  number: string | null
}

export type KnownRow = {
  run_of_key: string | null
  contact_id: string | null
  contact_name: string | null
  contact_language: string | null
  is_opted_out: boolean
  has_alias: boolean
  conversation_id: string | null
  filed_under: string | null
  account_templates: number
  customer_templates: number
}

/**
 * Reads, for a batch, the runs of keys, the customers and their conversations, and the allowances.
 * The answers are in the order of the questions.
 *
 * Isolation: read committed, after the locks of `lock-candidates` were taken by a statement before:
 * what was written by whoever held them is seen. Each look-up is lateral, so that it goes through an
 * index however large the tables grow.
 */
export async function readKnown(
  client: pg.PoolClient,
  questions: readonly Question[],
  now: Date,
): Promise<KnownRow[]> {
  const { rows } = await client.query<KnownRow>({
    name: 'read-known',
    text: `
      select
        (select id from flow_run where flow_run.flow_id = asked.flow_id
          and flow_run.idempotency_key = asked.key limit 1) as run_of_key,
        customer.id as contact_id, customer.name as contact_name,
        customer.language as contact_language,
        coalesce(customer.is_opted_out, false) as is_opted_out,
        exists (select from contact_alias alias where alias.company_id = asked.company_id
          and alias.kind = 'number' and alias.value = asked.number) as has_alias,
        conversation.id as conversation_id, conversation.filed_under,
        coalesce((select sent from template_day
          where template_day.account_id = asked.account_id
            and day = ($7::timestamptz at time zone 'UTC')::date), 0) as account_templates,
        (select count(*)::int from template_send
          where template_send.contact_id = customer.id
            and sent_at > $8) as customer_templates
      from unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[])
        with ordinality as asked (flow_id, key, company_id, account_id, channel_id, number, place)
        left join lateral (
          select contact.id, contact.name, contact.language,
            bool_or(contact.opted_out_at is not null) over () as is_opted_out
          from (
            select id from contact by_phone
              where by_phone.company_id = asked.company_id and by_phone.phone = '+' || asked.number
            union
            select contact_id from contact_alias alias
              where alias.company_id = asked.company_id and alias.kind = 'number'
                and alias.value = asked.number
          ) candidate join contact on contact.id = candidate.id
          order by exists (select from conversation of_contact
              where of_contact.channel_id = asked.channel_id
                and of_contact.filed_under = asked.number
                and of_contact.contact_id = contact.id) desc,
            contact.id desc
          limit 1
        ) customer on asked.number is not null
        left join lateral (
          select found.id, found.filed_under from (
            select id, filed_under, 0 as preference from conversation by_id
              where by_id.channel_id = asked.channel_id and by_id.filed_under = asked.number
            union all
            select id, filed_under, 1 from conversation by_contact
              where by_contact.contact_id = customer.id
                and by_contact.channel_id = asked.channel_id
          ) found order by preference limit 1
        ) conversation on asked.number is not null
      order by asked.place`,
    values: [
      questions.map((question) => question.flowId),
      questions.map((question) => question.key),
      questions.map((question) => question.companyId),
      questions.map((question) => question.accountId),
      questions.map((question) => question.channelId),
      questions.map((question) => question.number),
      now,
      new Date(now.getTime() - TEMPLATE_LIMITS.perCustomerMs),
    ],
  })
  return rows
}
