import { sql, type Kysely } from 'kysely'
import { dueUnlessMoved, type Queue } from '../../infra/database/queues/queue.ts'
import { settle } from '../../infra/database/queues/release.sql.ts'
import type { DB } from '../../infra/database/tables.ts'
import { CHANNEL_LIMITS } from '../../core/limits/messaging.ts'

/** A claimed channel whose templates are to be read. */
export type ClaimedTemplates = { id: string; accountId: string; companyId: string; claimId: string }

/** The queue of connected channels whose templates are due to be read. */
export const TEMPLATE_QUEUE: Queue<ClaimedTemplates> = {
  name: 'channels whose templates are read',
  table: 'channel',
  due: 'templates_due_at',
  leaseMs: CHANNEL_LIMITS.templatesLeaseMs,
  waits: sql`deleted_at is null and is_connected`,
  byTime: {},
  movesDue: true,
  lock: 'no key update',
  columns: sql`id, company_id, claim_id`,
}

/**
 * Releases the claim of a channel whose templates were read, successfully or not. The next reading follows in an hour plus
 * up to six minutes derived from the channel's id, so that channels connected together drift apart. A channel that was
 * reconnected meanwhile is due immediately.
 */
export async function settleTemplates(
  db: Kysely<DB>,
  channel: ClaimedTemplates,
  now: Date,
): Promise<void> {
  const { templatesEveryMs, templatesSpreadMs } = CHANNEL_LIMITS
  const share = (Number.parseInt(channel.id.slice(-3), 16) % 1_000) / 1_000
  const dueAt = new Date(now.getTime() + templatesEveryMs + Math.floor(templatesSpreadMs * share))
  await settle(db, TEMPLATE_QUEUE, channel, dueUnlessMoved(TEMPLATE_QUEUE, dueAt))
}
