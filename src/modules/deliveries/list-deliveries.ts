import type { Context } from '../../infra/context.ts'
import {
  writePosition,
  type DeliveryPage,
  type DeliveryQuery,
  type DeliveryView,
} from '../../contract/dashboard/delivery.ts'
import type { AttemptError, DeliveryKind, DeliveryState } from '../../core/vocabulary/deliveries.ts'
import { deliveryBadge } from '../../rules/deliveries/delivery-badge.ts'
import { eventIdText } from '../events/event-id.ts'
import { resolvePhoneFilter } from './resolve-phone-filter.ts'
import { searchDeliveries, type DeliveryRow } from './search-deliveries.sql.ts'
import { withinLog } from './within-log.ts'

/**
 * Returns a page of the company's delivery log, newest first. A page with few matches may be short; `searchedTo` is the
 * time down to which rows were examined, null when all were. Spec: Deliveries › Tests and resends.
 */
export async function listDeliveries(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { companyId, limit, cursor, ...query }: DeliveryQuery & { companyId: string },
): Promise<DeliveryPage> {
  const filter = await resolvePhoneFilter(db.kysely, { companyId, ...query })
  if (!filter) return { items: [], nextCursor: null, searchedTo: null }
  const search = { ...withinLog(filter, clock.now()), companyId, limit, cursor }
  const { rows, floor, position } = await searchDeliveries(db.kysely, search)
  const shown = rows.slice(0, search.limit)
  const last = shown.at(-1)
  const end = rows.length > search.limit && last ? position(last) : floor
  return {
    items: shown.map(viewDelivery),
    nextCursor: end && writePosition(end),
    searchedTo: end && timeOfId(end.eventId ?? end.deliveryId).toISOString(),
  }
}

/** Returns the time in the first 48 bits of a UUIDv7, which are milliseconds. */
function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))
}

/** Converts a row of the log to its view. */
export function viewDelivery(row: DeliveryRow): DeliveryView {
  return {
    id: row.id,
    eventId: eventIdText(row.eventId),
    type: row.eventType,
    apiVersion: row.apiVersion,
    kind: row.kind as DeliveryKind,
    endpoint: {
      id: row.endpointId,
      name: row.endpointName,
      isDeleted: row.endpointDeletedAt !== null,
    },
    state: row.state as DeliveryState,
    badge: deliveryBadge({ state: row.state as DeliveryState, attempts: row.attempts }),
    attempts: row.attempts,
    lastStatus: row.lastStatus,
    lastError: row.lastError as AttemptError | null,
    lastMs: row.lastMs,
    dueAt: row.dueAt?.toISOString() ?? null,
    conversationId: row.conversationId,
    contactId: row.contactId,
    contact: row.contactId === null ? null : { name: row.contactName, phone: row.contactPhone },
    runId: row.runId,
    resendOf: row.resendOf,
    lastResend:
      row.lastResendId === null
        ? null
        : { id: row.lastResendId, state: row.lastResendState as DeliveryState },
    jobId: row.jobId,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  }
}
