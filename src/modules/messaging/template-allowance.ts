/**
 * Quotas of automated templates: an account with its projects per UTC day, a customer per 24 hours. A send first
 * reserves a unit of both, under the lock of its account's day, so that concurrent runs cannot exceed a quota. A
 * template that the provider refuses releases its units.
 *
 * Spec: Flows › Automated templates; readings F12, F13.
 */
import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { TEMPLATE_LIMITS } from '../../core/limits/messaging.ts'

/** A template send that counts against the quotas. */
export type TemplateSend = {
  accountId: string
  companyId: string
  contactId: string | null
  /** The account's quota of automated templates per UTC day. */
  perDay: number
}

/**
 * Reserves a unit of both quotas for each send, or neither: `account` or `customer` names the exhausted one.
 *
 * Isolation: the rows of the accounts' days are locked in id order until the transaction ends, so that two
 * transactions cannot count the customers' sends, which a later statement reads, at the same time.
 */
export async function reserveTemplates(
  tx: Transaction<DB>,
  now: Date,
  sends: readonly TemplateSend[],
): Promise<('reserved' | 'account' | 'customer')[]> {
  const wanted = new Map<string, { slots: number; perDay: number }>()
  for (const { accountId, perDay } of sends) {
    if (perDay === 0) continue
    const slots = (wanted.get(accountId)?.slots ?? 0) + 1
    wanted.set(accountId, { slots, perDay })
  }
  const left = await reserveOfAccounts(tx, now, wanted)
  const sentTo = await countSends(tx, now, sends)
  const outcomes = sends.map(({ accountId, contactId }) => {
    const slots = left.get(accountId) ?? 0
    if (slots <= 0) return 'account' as const
    const toCustomer = contactId === null ? 0 : (sentTo.get(contactId) ?? 0)
    if (toCustomer >= TEMPLATE_LIMITS.perCustomer) return 'customer' as const
    left.set(accountId, slots - 1)
    if (contactId !== null) sentTo.set(contactId, toCustomer + 1)
    return 'reserved' as const
  })
  await releaseUnused(tx, now, sends, outcomes, wanted)
  return outcomes
}

/** Reserves all that is wanted. Returns how much of it each account has left. */
async function reserveOfAccounts(
  tx: Transaction<DB>,
  now: Date,
  wanted: ReadonlyMap<string, { slots: number; perDay: number }>,
): Promise<Map<string, number>> {
  if (wanted.size === 0) return new Map()
  const { rows } = await sql<{ accountId: string; sent: number }>`
    insert into template_day as counted (account_id, day, sent)
    select id, (${now}::timestamptz at time zone 'UTC')::date, slots
    from unnest(${[...wanted.keys()]}::uuid[],
      ${[...wanted.values()].map(({ slots }) => slots)}::int[]) as wanted (id, slots)
    order by id
    on conflict (account_id, day) do update set sent = counted.sent + excluded.sent
    returning account_id, sent
  `.execute(tx)
  return new Map(
    rows.map(({ accountId, sent }) => {
      const { slots, perDay } = wanted.get(accountId)!
      return [accountId, Math.min(slots, perDay - (sent - slots))]
    }),
  )
}

async function countSends(
  tx: Transaction<DB>,
  now: Date,
  sends: readonly TemplateSend[],
): Promise<Map<string, number>> {
  const contacts = [...new Set(sends.map(({ contactId }) => contactId))].filter((id) => id !== null)
  if (contacts.length === 0) return new Map()
  const since = new Date(now.getTime() - TEMPLATE_LIMITS.perCustomerMs)
  const { rows } = await sql<{ id: string; sent: number }>`
    select customer.id, counted.sent from unnest(${contacts}::uuid[]) as customer (id)
      cross join lateral (select count(*)::int as sent from (
        select from template_send
        where contact_id = customer.id and sent_at > ${since} limit ${TEMPLATE_LIMITS.perCustomer}
      ) sent) counted
  `.execute(tx)
  return new Map(rows.map(({ id, sent }) => [id, sent]))
}

async function releaseUnused(
  tx: Transaction<DB>,
  now: Date,
  sends: readonly TemplateSend[],
  outcomes: readonly string[],
  wanted: ReadonlyMap<string, unknown>,
): Promise<void> {
  const unused = new Map<string, number>()
  sends.forEach(({ accountId }, index) => {
    if (outcomes[index] === 'reserved' || !wanted.has(accountId)) return
    unused.set(accountId, (unused.get(accountId) ?? 0) + 1)
  })
  if (unused.size === 0) return
  await sql`
    update template_day set sent = sent - gone.slots
    from unnest(${[...unused.keys()]}::uuid[], ${[...unused.values()]}::int[]) as gone (id, slots)
    where account_id = gone.id and day = (${now}::timestamptz at time zone 'UTC')::date
  `.execute(tx)
}

/** Releases the quota of a template that the provider refused, as the customer did not get it. */
export async function releaseTemplate(tx: Transaction<DB>, messageId: string): Promise<void> {
  const released = await tx
    .deleteFrom('templateSend')
    .where('messageId', '=', messageId)
    .returning(['accountId', 'sentAt'])
    .executeTakeFirst()
  if (released) await releaseOne(tx, released.accountId, released.sentAt)
}

async function releaseOne(tx: Transaction<DB>, accountId: string, sentAt: Date): Promise<void> {
  await sql`
    update template_day set sent = sent - 1
    where account_id = ${accountId} and day = (${sentAt}::timestamptz at time zone 'UTC')::date
  `.execute(tx)
}
