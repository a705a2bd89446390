import type { TemplateInfo } from '../channels/outbound.ts'
import type { Context } from '../../infra/context.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { cleanText } from '../../rules/text/json-text.ts'

export type ListedTemplates = {
  templates: TemplateInfo[]
  /** Whether there are no others: of a list that was left unfinished none may be taken for deleted. */
  isWhole: boolean
}

/**
 * Makes a channel's templates what the provider lists now: new and changed ones are written, ones
 * that are gone from a whole list are deleted. Returns how many are listed.
 */
export async function syncTemplates(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  channel: { id: string; companyId: string },
  { templates, isWhole }: ListedTemplates,
): Promise<number> {
  const now = clock.now()
  await transaction(db, async (tx) => {
    for (const template of templates) {
      const columns = {
        providerTemplateId: template.providerTemplateId,
        category: template.category,
        status: template.status,
        parameterFormat: template.parameterFormat,
        components: cleanText(JSON.stringify(template.components)),
        syncedAt: now,
      }
      await tx
        .insertInto('template')
        .values({
          id: ids.uuid(),
          companyId: channel.companyId,
          channelId: channel.id,
          name: template.name,
          language: template.language,
          ...columns,
        })
        .onConflict((conflict) =>
          conflict.columns(['channelId', 'name', 'language']).doUpdateSet(columns),
        )
        .execute()
    }
    if (!isWhole) return
    await tx
      .deleteFrom('template')
      .where('channelId', '=', channel.id)
      .where('syncedAt', '<', now)
      .execute()
  })
  return templates.length
}
