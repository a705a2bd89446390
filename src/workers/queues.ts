/** All tables whose rows processes claim. */
import type { Kysely } from 'kysely'
import { endLowerBounds } from '../infra/database/queues/lower-bound.ts'
import type { DB } from '../infra/database/tables.ts'
import { REPLY_QUEUE } from '../modules/assistant/reply-queue.ts'
import { APPOINTMENT_NOTICE_QUEUE } from '../modules/appointments/due-notices.sql.ts'
import { POLL_QUEUE } from '../modules/channels/poll-queue.sql.ts'
import type { Claimable } from '../infra/database/queues/queue.ts'
import { DELIVERY_QUEUE } from '../modules/deliveries/claim-deliveries.sql.ts'
import { FILE_QUEUE } from '../modules/files/file-queue.ts'
import { RUN_QUEUE } from '../modules/flows/runs/run-queue.ts'
import { SOURCE_QUEUE } from '../modules/knowledge/source-queue.ts'
import { SEND_QUEUE } from '../modules/messaging/claim-sends.sql.ts'
import { NAME_QUEUE } from '../modules/messaging/profile-lookup-queue.sql.ts'
import { TEMPLATE_QUEUE } from '../modules/messaging/template-queue.ts'
import { MAIL_QUEUE } from '../modules/notices/mail-queue.sql.ts'

/** Every queue. Expired leases of a table outside of this list are never released. */
export const QUEUES = [
  RUN_QUEUE,
  REPLY_QUEUE,
  SEND_QUEUE,
  DELIVERY_QUEUE,
  FILE_QUEUE,
  POLL_QUEUE,
  SOURCE_QUEUE,
  NAME_QUEUE,
  MAIL_QUEUE,
  APPOINTMENT_NOTICE_QUEUE,
  TEMPLATE_QUEUE,
] as const satisfies readonly Claimable[]

/**
 * Releases claims in every queue by `release`, and returns the number of released rows per queue, without zeros. Released
 * rows may have been due for long, so the lower bounds of the queues end.
 */
export async function releaseInEveryQueue(
  db: Kysely<DB>,
  release: (queue: Claimable) => Promise<number>,
): Promise<Record<string, number>> {
  const released: Record<string, number> = {}
  for (const queue of QUEUES) {
    const rows = await release(queue)
    if (rows > 0) released[queue.name] = rows
  }
  endLowerBounds(db)
  return released
}
