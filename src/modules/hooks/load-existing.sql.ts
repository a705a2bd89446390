import type pg from 'pg'
import { TEMPLATE_LIMITS } from '../../core/limits/messaging.ts'
import {
  ASKED_COLUMNS,
  ASKED_CUSTOMERS,
  askedValues,
  FIND_CUSTOMERS,
  KNOWN_CUSTOMER,
  type AskedCustomer,
  type KnownCustomer,
} from '../messaging/look-up-customers.sql.ts'

/** What is asked of the store for one candidate. */
export type Question = {
  flowId: string
  key: string | null
  accountId: string
  /** Null without a number or a channel: only its key is looked up. */
  customer: AskedCustomer | null
}

export type KnownRow = KnownCustomer & {
  runOfKey: string | null
  accountTemplates: number
  customerTemplates: number
}

/**
 * Reads, for a batch, the runs of keys, the customers and their conversations, and the allowances.
 * The answers are in the order of the questions.
 *
 * Isolation: read committed, after the locks of `lock-candidates` were taken by a statement before:
 * what was written by whoever held them is seen. Each look-up is lateral, so that it goes through an
 * index however large the tables grow.
 */
export async function loadExisting(
  client: pg.PoolClient,
  questions: readonly Question[],
  now: Date,
): Promise<KnownRow[]> {
  const { rows } = await client.query<KnownRow>({
    name: 'read-known',
    text: `
      select ${KNOWN_CUSTOMER},
        (select id from flow_run where flow_run.flow_id = asked.flow_id
          and flow_run.idempotency_key = asked.key and flow_run.trigger_kind = 'webhook'
          limit 1) as "runOfKey",
        coalesce((select sent from template_day
          where template_day.account_id = asked.account_id
            and day = ($13::timestamptz at time zone 'UTC')::date), 0) as "accountTemplates",
        (select count(*)::int from template_send
          where template_send.contact_id = customer.id
            and sent_at > $14) as "customerTemplates"
      from unnest(${ASKED_CUSTOMERS}, $10::uuid[], $11::text[], $12::uuid[])
        with ordinality as asked (${ASKED_COLUMNS}, flow_id, key, account_id, place)
        ${FIND_CUSTOMERS}
      order by asked.place`,
    values: [
      ...askedValues(questions.map(({ customer }) => customer)),
      questions.map((question) => question.flowId),
      questions.map((question) => question.key),
      questions.map((question) => question.accountId),
      now,
      new Date(now.getTime() - TEMPLATE_LIMITS.perCustomerMs),
    ],
  })
  return rows
}
