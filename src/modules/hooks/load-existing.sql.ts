import type pg from 'pg'
import { TEMPLATE_LIMITS } from '../../core/limits/messaging.ts'
import {
  LOOKUP_COLUMNS,
  LOOKUP_PARAMETERS,
  lookupValues,
  FIND_CUSTOMERS,
  KNOWN_CUSTOMER,
  type CustomerLookup,
  type KnownCustomer,
} from '../messaging/look-up-customers.sql.ts'

/** A look-up of what exists for one candidate. */
export type ExistingLookup = {
  flowId: string
  key: string | null
  accountId: string
  /** The customer to find; null without a number or a channel, so that only the key is looked up. */
  customer: CustomerLookup | null
}

/** The stored state of a candidate: its key's run, its customer and the numbers of automated templates sent. */
export type KnownRow = KnownCustomer & {
  runOfKey: string | null
  accountTemplates: number
  customerTemplates: number
}

/**
 * Loads the stored state of each look-up, in their order: the run of its key, its customer with the conversation, and the
 * numbers of automated templates sent.
 *
 * Isolation: read committed. An earlier statement of the transaction has taken the locks of `acceptBatch`, so this
 * one sees what their previous holders wrote. Each look-up is lateral, so that it uses an index however large the
 * tables grow.
 */
export async function loadExisting(
  client: pg.PoolClient,
  lookups: readonly ExistingLookup[],
  now: Date,
): Promise<KnownRow[]> {
  const { rows } = await client.query<KnownRow>({
    name: 'read-known',
    text: `
      select ${KNOWN_CUSTOMER},
        (select id from flow_run where flow_run.flow_id = input.flow_id
          and flow_run.idempotency_key = input.key and flow_run.trigger_kind = 'webhook'
          limit 1) as "runOfKey",
        coalesce((select sent from template_day
          where template_day.account_id = input.account_id
            and day = ($13::timestamptz at time zone 'UTC')::date), 0) as "accountTemplates",
        (select count(*)::int from template_send
          where template_send.contact_id = customer.id
            and sent_at > $14) as "customerTemplates"
      from unnest(${LOOKUP_PARAMETERS}, $10::uuid[], $11::text[], $12::uuid[])
        with ordinality as input (${LOOKUP_COLUMNS}, flow_id, key, account_id, place)
        ${FIND_CUSTOMERS}
      order by input.place`,
    values: [
      ...lookupValues(lookups.map(({ customer }) => customer)),
      lookups.map((lookup) => lookup.flowId),
      lookups.map((lookup) => lookup.key),
      lookups.map((lookup) => lookup.accountId),
      now,
      new Date(now.getTime() - TEMPLATE_LIMITS.perCustomerMs),
    ],
  })
  return rows
}
