import type { Selectable } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import { loadOwnedChannel, lockChannel, type ChannelRow } from '../channels/load-owned-channel.ts'
import type { Context } from '../../infra/context.ts'
import type { EditSite, SiteView } from '../../contract/dashboard/site.ts'
import type { Site as SiteTable } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { FormField } from '../../core/vocabulary/visitors.ts'

type Owned = { companyId: string; channelId: string }
type Deps = Context & { publicUrl(): string }
type Row = Selectable<SiteTable>

/**
 * Returns the settings of a widget or form: its allowed origins, its appearance, and the snippet that embeds it.
 * @throws not_found, also for a channel of another type
 */
export async function showSite({ db, publicUrl }: Deps, owned: Owned): Promise<SiteView> {
  const channel = requireSite(await loadOwnedChannel(db.kysely, owned))
  const row = await db.kysely
    .selectFrom('site')
    .selectAll()
    .where('channelId', '=', owned.channelId)
    .executeTakeFirst()
  return viewSite(publicUrl(), channel, row)
}

/** Changes the given settings of a widget or form; visitors' pages see them from their next request on. @throws not_found */
export async function editSite(
  { db, ids, clock, publicUrl }: Deps,
  actor: Actor,
  { companyId, channelId, ...values }: EditSite & Owned,
): Promise<SiteView> {
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const channel = requireSite(await lockChannel(tx, { companyId, channelId }))
    const row = await tx
      .insertInto('site')
      .values({ channelId, companyId, ...values, createdAt: now, updatedAt: now })
      .onConflict((other) => other.column('channelId').doUpdateSet({ ...values, updatedAt: now }))
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit('channel.edited', { id: channelId, companyId }, { fields: Object.keys(values) })
    return viewSite(publicUrl(), channel, row)
  })
}

function requireSite(channel: ChannelRow): ChannelRow {
  if (channel.type === 'web_widget' || channel.type === 'website') return channel
  throw new ServiceError('not_found', fact('no_such_site'))
}

function viewSite(
  publicUrl: string,
  { type, providerRoute: key }: ChannelRow,
  row: Row | undefined,
): SiteView {
  const isWidget = type === 'web_widget'
  return {
    key,
    origins: row?.origins ?? [],
    accent: row?.accent ?? null,
    greetingEn: row?.greetingEn ?? null,
    greetingAr: row?.greetingAr ?? null,
    asksName: (row?.asksName ?? 'no') as FormField,
    asksEmail: (row?.asksEmail ?? 'no') as FormField,
    snippet: isWidget
      ? `<script async src="${publicUrl}/widget/v1/loader.js" data-widget="${key}"></script>`
      : `<iframe src="${publicUrl}/website/v1/${key}/form" title="Contact form" style="border:0;width:100%;height:640px"></iframe>`,
    enquiriesUrl: isWidget ? null : `${publicUrl}/website/v1/${key}/leads`,
  }
}
