import { sql, type Selectable, type Transaction } from 'kysely'
import type { DB, Template } from '../../infra/database/tables.ts'

export type TemplateVersion = Pick<
  Selectable<Template>,
  'channelId' | 'name' | 'language' | 'category' | 'status' | 'parameterFormat' | 'components'
>

/** The templates of these names on these channels, each in every language that the channel has it in. */
export async function readTemplatesToSend(
  tx: Transaction<DB>,
  asked: readonly { channelId: string; name: string }[],
): Promise<TemplateVersion[]> {
  if (asked.length === 0) return []
  const wanted = [...new Map(asked.map((one) => [`${one.channelId} ${one.name}`, one])).values()]
  const { rows } = await sql<TemplateVersion>`
    select version.* from unnest(
      ${wanted.map(({ channelId }) => channelId)}::uuid[], ${wanted.map(({ name }) => name)}::text[]
    ) as asked (channel_id, name) cross join lateral (
      select channel_id, name, language, category, status, parameter_format, components from template
      where template.channel_id = asked.channel_id and template.name = asked.name
      order by language limit 100
    ) version
  `.execute(tx)
  return rows
}
