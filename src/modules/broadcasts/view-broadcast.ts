import { pageOf } from '../../infra/database/page-of.ts'
import type { Context } from '../../infra/context.ts'
import type { BroadcastView } from '../../contract/dashboard/broadcast.ts'
import { toPage, type Page, type PageQuery } from '../../contract/dashboard/page.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import { parseFact } from '../../core/facts/stored-fact.ts'
import { SECOND_MS } from '../../core/limits/units.ts'
import { SKIP_REASONS } from '../../core/vocabulary/broadcasts.ts'
import type { StoredCounts } from './count-broadcast.sql.ts'
import {
  parseBroadcastRow,
  requireBroadcast,
  type BroadcastRow,
  type OwnedBroadcast,
} from './require-broadcast.ts'

type Deps = Pick<Context, 'db' | 'clock'> & { formatFact: FormatFact }

/** Lists broadcasts, newest first. */
export async function listBroadcasts(
  { db, clock, formatFact }: Deps,
  { companyId, limit, cursor }: PageQuery & { companyId: string },
): Promise<Page<BroadcastView>> {
  const rows = await pageOf(
    db.kysely.selectFrom('broadcast').selectAll().where('companyId', '=', companyId),
    { limit, cursor },
    ['id', 'newest'],
  ).execute()
  return toPage(rows.map(parseBroadcastRow), limit, (row) =>
    viewBroadcast(row, clock.now(), formatFact),
  )
}

/** Returns a broadcast as the dashboard shows it. @throws not_found */
export async function showBroadcast(
  { db, clock, formatFact }: Deps,
  owned: OwnedBroadcast,
): Promise<BroadcastView> {
  return viewBroadcast(await requireBroadcast(db.kysely, owned), clock.now(), formatFact)
}

/** Converts a broadcast to its view. */
export function viewBroadcast(row: BroadcastRow, now: Date, formatFact: FormatFact): BroadcastView {
  const { leftOut = {}, ...counts } = row.counts as StoredCounts
  const at = (time: Date | null) => time?.toISOString() ?? null
  return {
    id: row.id,
    name: row.name,
    channelId: row.channelId,
    template: row.template,
    audience: row.audience,
    perSecond: row.perSecond,
    state: row.state,
    reason: row.reason === null ? null : formatFact(parseFact(row.reason)),
    sendAt: at(row.sendAt),
    total: row.total,
    counts,
    leftOut: SKIP_REASONS.flatMap((reason) => {
      const count = leftOut[reason]
      return count === undefined ? [] : [{ reason, count }]
    }),
    endsAt: at(endOf(row, now)),
    createdAt: row.createdAt.toISOString(),
    startedAt: at(row.startedAt),
    endedAt: at(row.endedAt),
  }
}

/** Returns the expected end at the current rate; null unless the broadcast is sending. */
function endOf(
  { state, total, enqueuedTo, perSecond, pace }: BroadcastRow,
  now: Date,
): Date | null {
  if (state !== 'sending') return null
  return new Date(now.getTime() + ((total - enqueuedTo) / (pace ?? perSecond)) * SECOND_MS)
}
