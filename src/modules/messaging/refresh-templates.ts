import type { Actor } from '../accounts/actor.ts'
import type { KeyRing } from '../../infra/secrets/key-ring.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import { ProviderRefused, type ChannelAdapter } from '../channels/channel-adapter.ts'
import type { ChannelAccess } from '../channels/channel-access.ts'
import type { TemplatePage, TemplateInfo } from '../channels/outbound.ts'
import type { OpenedChannel } from '../channels/load-channel.ts'
import { loadOwnedChannel, readCredentials } from '../channels/load-owned-channel.ts'
import { adapterOf, type ChannelAdapters } from '../channels/registry.ts'
import { identityOf } from '../channels/view-channel.ts'
import type { Context } from '../../infra/context.ts'
import type { SyncedTemplates } from '../../contract/dashboard/template.ts'
import { PROVIDER_LIMITS } from '../../core/limits/messaging.ts'
import { ServiceError } from '../../core/service-error.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { cleanText } from '../../rules/text/json-text.ts'

/** The templates that a provider lists. */
type ListedTemplates = {
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

type Deps = Pick<Context, 'db' | 'ids' | 'clock'> & { adapters: ChannelAdapters }

/** Reads a channel's templates from its provider and stores them. Returns how many. @throws provider_failed */
export async function refreshTemplates(
  deps: Deps,
  channel: Omit<OpenedChannel, 'type'> & { type: string },
): Promise<number> {
  const adapter = adapterOf(deps.adapters, channel.type)
  try {
    return await syncTemplates(deps, channel, await listProviderTemplates(adapter, channel))
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    throw new ServiceError('provider_failed', adapter.explain(error.error), { cause: error })
  }
}

/**
 * Reads all pages of a channel's templates from its provider, up to a maximum; none for a provider without templates.
 * @throws ProviderRefused on any page: a partial list would look as if templates had been deleted.
 */
export async function listProviderTemplates(
  adapter: ChannelAdapter,
  channel: ChannelAccess,
): Promise<ListedTemplates> {
  const templates: ListedTemplates['templates'] = []
  let after: string | null = null
  for (let page = 0; page < PROVIDER_LIMITS.templatePages; page += 1) {
    const read: TemplatePage | undefined = await adapter.listTemplates?.(channel, after)
    templates.push(...(read?.templates ?? []))
    after = read?.next ?? null
    if (after === null) return { templates, isWhole: true }
  }
  return { templates, isWhole: false }
}

/** Reads and stores a channel's templates for a member, with an audit entry. @throws not_found, provider_failed */
export async function refreshTemplatesForMember(
  deps: Deps & { keyRing: KeyRing },
  actor: Actor,
  owned: { companyId: string; channelId: string },
): Promise<SyncedTemplates> {
  const row = await loadOwnedChannel(deps.db.kysely, owned)
  const templates = await refreshTemplates(deps, {
    id: row.id,
    companyId: row.companyId,
    type: row.type,
    ...identityOf(row),
    isSimulated: row.isSimulated,
    credentials: readCredentials(deps.keyRing, adapterOf(deps.adapters, row.type), row),
  })
  const { companyId } = owned
  await auditedTransaction(deps, actor, (_tx, audit) =>
    audit('channel.templates_read', { id: row.id, companyId }, { templates }),
  )
  return { templates }
}
