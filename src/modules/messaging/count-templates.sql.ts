import { sql, type Kysely } from 'kysely'
import type { TemplateView } from '../../contract/dashboard/template.ts'
import type { DB } from '../../infra/database/tables.ts'
import { TEMPLATE_LIMITS } from '../../core/limits/messaging.ts'

/** What went out: whatever the provider has told of it since. */
const SENT = ['accepted', 'sent', 'delivered', 'read']

/**
 * How many messages of each template, in its language, were sent and failed since then, in the order of
 * the templates. No count goes further than `weekCountsStopAt`. What failed has an index of its own.
 */
export async function countTemplates(
  db: Kysely<DB>,
  templates: readonly Pick<TemplateView, 'channelId' | 'name' | 'language'>[],
  since: Date,
): Promise<{ sent: number; failed: number }[]> {
  const most = TEMPLATE_LIMITS.weekCountsStopAt
  const isOfTemplate = sql`message.channel_id = asked.channel_id
    and message.template_name = asked.name and message.template_language = asked.language`
  const { rows } = await sql<{ sent: number; failed: number }>`
    select counted.sent::int as sent, counted.failed::int as failed
    from unnest(
      ${templates.map(({ channelId }) => channelId)}::uuid[],
      ${templates.map(({ name }) => name)}::text[],
      ${templates.map(({ language }) => language)}::text[]
    ) with ordinality as asked (channel_id, name, language, place)
    cross join lateral (
      select (select count(*) from (
          select from message where ${isOfTemplate} and status = any(${SENT}::text[])
            and occurred_at >= ${since} limit ${most}) taken) as sent,
        (select count(*) from (
          select from message where ${isOfTemplate} and template_failed_at >= ${since}
          limit ${most}) refused) as failed
    ) counted
    order by asked.place`.execute(db)
  return rows
}
