import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { CONTACT_JOBS } from '../../core/limits/contacts.ts'
import type { EventType } from '../../core/vocabulary/events.ts'

const CONTACT_EVENTS: readonly EventType[] = [
  'contact.created',
  'contact.updated',
  'contact.opted_out',
]

/**
 * Returns when the next page of a job on contacts is due, after a page that raised `events` events: endpoints receive at
 * most 200 events per second of a job. It is due immediately when no endpoint of the company subscribes to contact events.
 */
export async function nextPageAt(
  tx: Transaction<DB>,
  { companyId, events, now }: { companyId: string; events: number; now: Date },
): Promise<Date> {
  const { rows } = await sql<{ isSubscribed: boolean }>`
    select exists (select from endpoint where company_id = ${companyId} and deleted_at is null
      and event_types && ${CONTACT_EVENTS}::text[]) as is_subscribed`.execute(tx)
  const pausedMs = rows[0]!.isSubscribed
    ? (events / CONTACT_JOBS.page) * CONTACT_JOBS.pageEveryMs
    : 0
  return new Date(now.getTime() + pausedMs)
}
