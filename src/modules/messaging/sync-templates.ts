import type { TemplateInfo } from '../channels/outbound.ts'
import type { Context } from '../../infra/context.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { cleanText } from '../../rules/text/json-text.ts'

/** The templates that a provider listed. */
export type ListedTemplates = {
  templates: TemplateInfo[]
  /** States whether the list is complete: templates missing from an incomplete list are not deleted. */
  isWhole: boolean
}

/**
 * Synchronises a channel's templates with the provider's list: writes new and changed ones, and deletes those missing
 * from a complete list. Returns how many are listed.
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
