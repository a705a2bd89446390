import { sql, type Kysely } from 'kysely'
import type { TemplateView } from '../../contract/dashboard/template.ts'
import type { DB } from '../../infra/database/tables.ts'
import { TEMPLATE_LIMITS } from '../../core/limits/messaging.ts'

/** Statuses of messages that were sent, whatever receipts followed. */
const SENT = ['accepted', 'sent', 'delivered', 'read']

/**
 * Counts the messages of each template and language that were sent and that failed since a time, in the order of the
 * templates. Every count stops at `weekCountsStopAt`. Failed messages have a separate index.
 */
export async function countTemplates(
  db: Kysely<DB>,
  templates: readonly Pick<TemplateView, 'channelId' | 'name' | 'language'>[],
  since: Date,
): Promise<{ sent: number; failed: number }[]> {
  const limit = TEMPLATE_LIMITS.weekCountsStopAt
  const ofTemplate = sql`message.channel_id = template.channel_id
    and message.template_name = template.name and message.template_language = template.language`
  const { rows } = await sql<{ sent: number; failed: number }>`
    select counted.sent::int as sent, counted.failed::int as failed
    from unnest(
      ${templates.map(({ channelId }) => channelId)}::uuid[],
      ${templates.map(({ name }) => name)}::text[],
      ${templates.map(({ language }) => language)}::text[]
    ) with ordinality as template (channel_id, name, language, place)
    cross join lateral (
      select (select count(*) from (
          select from message where ${ofTemplate} and provider_message_id is not null
            and status = any(${SENT}::text[]) and occurred_at >= ${since} limit ${limit}) taken) as sent,
        (select count(*) from (
          select from message where ${ofTemplate} and template_failed_at >= ${since}
          limit ${limit}) refused) as failed
    ) counted
    order by template.place`.execute(db)
  return rows
}
