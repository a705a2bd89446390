import { sql, type Kysely } from 'kysely'
import type { TemplateView } from '../contract/dashboard/template.ts'
import type { DB } from '../database/tables.ts'
import { TEMPLATE_LIMITS } from '../limits/messaging.ts'

/** What went out: whatever the provider has told of it since. */
const SENT = ['accepted', 'sent', 'delivered', 'read']

/**
 * How many messages of each template, in its language, were sent and failed since then, in the order of
 * the templates. No count goes further than `weekCountsStopAt`, nor reads more than that of each status.
 */
export async function countTemplates(
  db: Kysely<DB>,
  templates: readonly Pick<TemplateView, 'channelId' | 'name' | 'language'>[],
  since: Date,
): Promise<{ sent: number; failed: number }[]> {
  const most = TEMPLATE_LIMITS.weekCountsStopAt
  const { rows } = await sql<{ sent: number; failed: number }>`
    select least(counted.sent, ${most})::int as sent, counted.failed::int as failed
    from unnest(
      ${templates.map(({ channelId }) => channelId)}::uuid[],
      ${templates.map(({ name }) => name)}::text[],
      ${templates.map(({ language }) => language)}::text[]
    ) with ordinality as asked (channel_id, name, language, place)
    cross join lateral (
      select coalesce(sum(found.count) filter (where wanted.status <> 'failed'), 0) as sent,
        coalesce(sum(found.count) filter (where wanted.status = 'failed'), 0) as failed
      from unnest(${[...SENT, 'failed']}::text[]) as wanted (status)
      cross join lateral (
        select count(*) from (
          select from message
          where message.channel_id = asked.channel_id and message.template_name = asked.name
            and message.template_language = asked.language and message.status = wanted.status
            and message.occurred_at >= ${since}
          limit ${most}
        ) taken
      ) found
    ) counted
    order by asked.place`.execute(db)
  return rows
}
