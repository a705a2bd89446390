/**
 * Automated templates are counted when a flow sends one: an account and its projects together by UTC
 * day, a customer over any 24 hours. A send reserves first, under the lock of its account's day, so
 * that no number of runs at once goes over; a template that the provider refuses at once gives its
 * place back.
 *
 * Spec: Flows › Automated templates; readings F12, F13.
 */
import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { TEMPLATE_LIMITS } from '../../core/limits/messaging.ts'

export type TemplateSend = {
  accountId: string
  companyId: string
  contactId: string | null
  runId: string
  /** Automated templates that the account may send in a UTC day. */
  perDay: number
}

/**
 * Takes a place of both allowances for each send, or none: `account` or `customer` names the one that is
 * used up.
 *
 * Isolation: the rows of the accounts' days are locked in the order of ids until the transaction ends, so
 * that the customers' sends, which are counted in a statement after it, cannot be counted by two at once.
 */
export async function reserveTemplates(
  tx: Transaction<DB>,
  now: Date,
  sends: readonly TemplateSend[],
): Promise<('reserved' | 'account' | 'customer')[]> {
  const wanted = new Map<string, { places: number; perDay: number }>()
  for (const { accountId, perDay } of sends) {
    if (perDay === 0) continue
    const places = (wanted.get(accountId)?.places ?? 0) + 1
    wanted.set(accountId, { places, perDay })
  }
  const left = await takePlaces(tx, now, wanted)
  const sentTo = await countSends(tx, now, sends)
  const outcomes = sends.map(({ accountId, contactId }) => {
    const places = left.get(accountId) ?? 0
    if (places <= 0) return 'account' as const
    const toCustomer = contactId === null ? 0 : (sentTo.get(contactId) ?? 0)
    if (toCustomer >= TEMPLATE_LIMITS.perCustomer) return 'customer' as const
    left.set(accountId, places - 1)
    if (contactId !== null) sentTo.set(contactId, toCustomer + 1)
    return 'reserved' as const
  })
  await giveBackUnused(tx, now, sends, outcomes, wanted)
  return outcomes
}

/** Counts all that is wanted. Returns the places that there are for it. */
async function takePlaces(
  tx: Transaction<DB>,
  now: Date,
  wanted: ReadonlyMap<string, { places: number; perDay: number }>,
): Promise<Map<string, number>> {
  if (wanted.size === 0) return new Map()
  const { rows } = await sql<{ accountId: string; sent: number }>`
    insert into template_day as counted (account_id, day, sent)
    select id, (${now}::timestamptz at time zone 'UTC')::date, places
    from unnest(${[...wanted.keys()]}::uuid[],
      ${[...wanted.values()].map(({ places }) => places)}::int[]) as wanted (id, places)
    order by id
    on conflict (account_id, day) do update set sent = counted.sent + excluded.sent
    returning account_id, sent
  `.execute(tx)
  return new Map(
    rows.map(({ accountId, sent }) => {
      const { places, perDay } = wanted.get(accountId)!
      return [accountId, Math.min(places, perDay - (sent - places))]
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
    select asked.id, counted.sent from unnest(${contacts}::uuid[]) as asked (id)
      cross join lateral (select count(*)::int as sent from (
        select from template_send
        where contact_id = asked.id and sent_at > ${since} limit ${TEMPLATE_LIMITS.perCustomer}
      ) sent) counted
  `.execute(tx)
  return new Map(rows.map(({ id, sent }) => [id, sent]))
}

async function giveBackUnused(
  tx: Transaction<DB>,
  now: Date,
  sends: readonly TemplateSend[],
  outcomes: readonly string[],
  wanted: ReadonlyMap<string, unknown>,
): Promise<void> {
  const unused = new Map<string, number>()
  sends.forEach(({ accountId }, place) => {
    if (outcomes[place] === 'reserved' || !wanted.has(accountId)) return
    unused.set(accountId, (unused.get(accountId) ?? 0) + 1)
  })
  if (unused.size === 0) return
  await sql`
    update template_day set sent = sent - gone.places
    from unnest(${[...unused.keys()]}::uuid[], ${[...unused.values()]}::int[]) as gone (id, places)
    where account_id = gone.id and day = (${now}::timestamptz at time zone 'UTC')::date
  `.execute(tx)
}

/** Gives the places of a template back that the provider refused at once: nobody got it. */
export async function releaseTemplate(tx: Transaction<DB>, messageId: string): Promise<void> {
  const released = await tx
    .deleteFrom('templateSend')
    .where('messageId', '=', messageId)
    .returning(['accountId', 'sentAt'])
    .executeTakeFirst()
  if (released) await giveBack(tx, released.accountId, released.sentAt)
}

async function giveBack(tx: Transaction<DB>, accountId: string, sentAt: Date): Promise<void> {
  await sql`
    update template_day set sent = sent - 1
    where account_id = ${accountId} and day = (${sentAt}::timestamptz at time zone 'UTC')::date
  `.execute(tx)
}
