import type { Actor } from '../accounts/actor.ts'
import type { KeyRing } from '../accounts/key-ring.ts'
import { recordAudit } from '../accounts/record-audit.ts'
import type { Channel } from '../channels/load-channel.ts'
import { loadOwnedChannel, readCredentials } from '../channels/load-owned-channel.ts'
import { connectionOf, type Providers } from '../channels/provider-connection.ts'
import { explainProviderError } from '../channels/require-credentials.ts'
import { TemplatesNotListed } from '../channels/whatsapp/list-templates.ts'
import type { Context } from '../context.ts'
import type { SyncedTemplates } from '../contract/dashboard/template.ts'
import { transaction } from '../database/transaction.ts'
import { ServiceError } from '../service-error.ts'
import { syncTemplates } from './sync-templates.ts'

type Deps = Pick<Context, 'db' | 'ids' | 'clock'> & { providers: Providers }

/** Reads a channel's templates at its provider and keeps them. @throws provider_failed */
export async function readTemplates(
  deps: Deps,
  channel: Pick<Channel, 'id' | 'company' | 'isSimulated' | 'route' | 'providerAccount'> & {
    credentials: { accessToken: string }
  },
): Promise<number> {
  try {
    const connection = connectionOf(deps.providers, channel)
    const listed = await deps.providers.whatsApp.listTemplates(connection)
    return await syncTemplates(deps, { id: channel.id, companyId: channel.company.id }, listed)
  } catch (error) {
    if (!(error instanceof TemplatesNotListed)) throw error
    throw new ServiceError('provider_failed', explainProviderError(error.error), { cause: error })
  }
}

/** The same when a member asks for it. @throws not_found, provider_failed */
export async function readTemplatesNow(
  deps: Deps & { keyRing: KeyRing },
  actor: Actor,
  owned: { companyId: string; channelId: string },
): Promise<SyncedTemplates> {
  const row = await loadOwnedChannel(deps.db.kysely, owned)
  const templates = await readTemplates(deps, {
    id: row.id,
    company: { id: row.companyId, name: null },
    isSimulated: row.isSimulated,
    route: row.providerRoute,
    providerAccount: row.providerAccount,
    credentials: readCredentials(deps.keyRing, row),
  })
  await transaction(deps.db, (tx) =>
    recordAudit(
      tx,
      { ids: deps.ids, now: deps.clock.now() },
      {
        actor,
        action: 'channel.templates_read',
        subjectKind: 'channel',
        subjectId: row.id,
        companyId: owned.companyId,
        detail: { templates },
      },
    ),
  )
  return { templates }
}
