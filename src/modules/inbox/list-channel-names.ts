import { pageOf } from '../../infra/database/page-of.ts'
import type { Context } from '../../infra/context.ts'
import type { ChannelName } from '../../contract/dashboard/conversation.ts'
import { toPage, type Page, type PageQuery } from '../../contract/dashboard/page.ts'

/**
 * Returns a page of the company's channels, oldest first, with the fields that lists filter by and show, without any
 * settings. Spec: Inbox › Additional reads of Agents.
 */
export async function listChannelNames(
  { db }: Pick<Context, 'db'>,
  { companyId, limit, cursor }: PageQuery & { companyId: string },
): Promise<Page<ChannelName>> {
  const rows = await pageOf(
    db.kysely
      .selectFrom('channel')
      .select(['id', 'type', 'name', 'displayNumber'])
      .where('companyId', '=', companyId)
      .where('deletedAt', 'is', null),
    { limit, cursor },
    ['id', 'oldest'],
  ).execute()
  return toPage(rows, limit, (row) => row)
}
