import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type {
  DeliveryView,
  ExportDeliveries,
  LogPosition,
} from '../../contract/dashboard/delivery.ts'
import { LOG_LIMITS } from '../../core/limits/deliveries.ts'
import { CSV_BOM, csvLine } from '../../rules/text/csv-cell.ts'
import { resolvePhoneFilter } from './resolve-phone-filter.ts'
import { viewDelivery } from './list-deliveries.ts'
import { searchDeliveries } from './search-deliveries.sql.ts'
import { withinLog } from './within-log.ts'

const COLUMNS = ['id', 'event_id', 'type', 'kind', 'endpoint', 'state', 'attempts', 'last_status']
const MORE = ['last_error', 'last_ms', 'due_at', 'conversation_id', 'contact_id', 'run_id']
const LAST = ['resend_of', 'created_at', 'ended_at']

/**
 * Returns the deliveries that match a filter of the log, newest first and at most 100,000, as parts of a CSV file or of
 * lines of JSON. The export is audited before the first row is read.
 *
 * Spec: Deliveries › Tests and resends.
 */
export async function exportDeliveries(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, format, ...search }: ExportDeliveries & { companyId: string },
): Promise<AsyncGenerator<string>> {
  const { phone, ...named } = search
  await auditedTransaction({ db, ids, clock }, actor, (_tx, audit) =>
    audit(
      'deliveries.exported',
      { kind: 'company', id: companyId, companyId },
      // The number may have to be erased later, so the audit only records that one was searched.
      { ...named, isSearched: phone !== undefined, format },
    ),
  )
  const found = await resolvePhoneFilter(db.kysely, { companyId, ...search })
  const filter = found && withinLog(found, clock.now())
  return parts()

  async function* parts() {
    if (format === 'csv') yield CSV_BOM + csvLine([...COLUMNS, ...MORE, ...LAST])
    if (!filter) return
    let cursor: LogPosition | undefined
    let left: number = LOG_LIMITS.maxExported
    while (left > 0) {
      const limit = Math.min(left, LOG_LIMITS.exportPage)
      const page = await searchDeliveries(db.kysely, { ...filter, companyId, limit, cursor })
      const shown = page.rows.slice(0, limit)
      if (shown.length > 0) yield shown.map((row) => lineOf(viewDelivery(row))).join('')
      left -= shown.length
      const last = shown.at(-1)
      const end = page.rows.length > limit && last ? page.position(last) : page.floor
      if (end === null) return
      cursor = end
    }
  }

  function lineOf(delivery: DeliveryView): string {
    return format === 'ndjson' ? `${JSON.stringify(delivery)}\n` : cellsOf(delivery)
  }
}

function cellsOf(delivery: DeliveryView): string {
  return csvLine([
    delivery.id,
    delivery.eventId,
    delivery.type,
    delivery.kind,
    delivery.endpoint.name,
    delivery.state,
    String(delivery.attempts),
    numberText(delivery.lastStatus),
    delivery.lastError,
    numberText(delivery.lastMs),
    delivery.dueAt,
    delivery.conversationId,
    delivery.contactId,
    delivery.runId,
    delivery.resendOf,
    delivery.createdAt,
    delivery.endedAt,
  ])
}

function numberText(value: number | null): string | null {
  return value === null ? null : String(value)
}
