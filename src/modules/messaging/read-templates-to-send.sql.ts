import { sql, type Selectable, type Transaction } from 'kysely'
import type { DB, Template } from '../../infra/database/tables.ts'

/** A template of a channel in one language. */
export type TemplateVersion = Pick<
  Selectable<Template>,
  'channelId' | 'name' | 'language' | 'category' | 'status' | 'parameterFormat' | 'components'
>

/** Loads the templates of these names on these channels, in every language that the channel has. */
export async function readTemplatesToSend(
  tx: Transaction<DB>,
  requested: readonly { channelId: string; name: string }[],
): Promise<TemplateVersion[]> {
  if (requested.length === 0) return []
  const wanted = [
    ...new Map(requested.map((key) => [`${key.channelId} ${key.name}`, key])).values(),
  ]
  const { rows } = await sql<TemplateVersion>`
    select version.* from unnest(
      ${wanted.map(({ channelId }) => channelId)}::uuid[], ${wanted.map(({ name }) => name)}::text[]
    ) as requested (channel_id, name) cross join lateral (
      select channel_id, name, language, category, status, parameter_format, components from template
      where template.channel_id = requested.channel_id and template.name = requested.name
      order by language limit 100
    ) version
  `.execute(tx)
  return rows
}
