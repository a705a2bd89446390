import type { Context } from '../context.ts'
import type { TemplateInfo } from '../channels/channel-adapter.ts'
import { transaction } from '../database/transaction.ts'
import { cleanText } from '../rules/text/json-text.ts'

/**
 * Makes a channel's templates what the provider lists now: new and changed ones are written, ones
 * that are gone are deleted. Returns how many there are.
 */
export async function syncTemplates(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  channel: { id: string; companyId: string },
  listed: readonly TemplateInfo[],
): Promise<number> {
  const now = clock.now()
  await transaction(db, async (tx) => {
    for (const template of listed) {
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
    await tx
      .deleteFrom('template')
      .where('channelId', '=', channel.id)
      .where('syncedAt', '<', now)
      .execute()
  })
  return listed.length
}
