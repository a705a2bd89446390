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
 * Returns when the next page of a job on contacts is due, after one that raised so many events: endpoints get at most
 * 200 events a second of it. It is due at once where no endpoint of the company subscribes to events of contacts.
 */
export async function nextPageAt(
  tx: Transaction<DB>,
  { companyId, events, now }: { companyId: string; events: number; now: Date },
): Promise<Date> {
  const { rows } = await sql<{ isHeard: boolean }>`
    select exists (select from endpoint where company_id = ${companyId} and deleted_at is null
      and event_types && ${CONTACT_EVENTS}::text[]) as is_heard`.execute(tx)
  const pausedMs = rows[0]!.isHeard ? (events / CONTACT_JOBS.page) * CONTACT_JOBS.pageEveryMs : 0
  return new Date(now.getTime() + pausedMs)
}
