import type { Transaction } from 'kysely'
import type { Actor } from '../../accounts/actor.ts'
import { auditedTransaction, type Audit } from '../../accounts/audited-transaction.ts'
import type { Context } from '../../../infra/context.ts'
import type { CheckImport, ContactImportView } from '../../../contract/dashboard/contact-import.ts'
import type { FormatFact } from '../../../contract/dashboard/localized-fact.ts'
import { notifyAfterCommit } from '../../../infra/database/after-commit.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { fact, type FieldFact } from '../../../core/facts/fact.ts'
import { ServiceError, wrongFields } from '../../../core/service-error.ts'
import { readFieldDesigns } from '../read-custom-fields.ts'
import { NO_COUNTS } from './counts.ts'
import { deleteRows } from './import-row-store.sql.ts'
import {
  FIRST_ROW,
  requireImport,
  viewImport,
  type ImportJob,
  type OwnedImport,
} from './view-import.ts'

type Deps = Context & { formatFact: FormatFact }

const ENDED = new Set(['done', 'cancelled', 'failed'])
const IN_PROGRESS = new Set(['checking', 'running'])

/**
 * Starts a check, which reads the whole file and plans every row; it may be repeated until the start. No contact is
 * changed. @throws not_found; invalid; conflict
 * Spec: Contacts › Import.
 */
export function checkImport(
  context: Deps,
  actor: Actor,
  { columns, mode, country, ...owned }: OwnedImport & CheckImport,
): Promise<ContactImportView> {
  return change(context, actor, owned, async (tx, job) => {
    requireOpen(job)
    await requireColumns(tx, job, columns)
    await deleteRows(tx, job.id)
    notifyAfterCommit(tx, 'contacts')
    return {
      state: 'checking',
      columns: JSON.stringify(columns),
      mode,
      country,
      ...NO_COUNTS,
      nextByte: job.firstByte,
      nextRow: FIRST_ROW,
      rowsFound: null,
      dueAt: context.clock.now(),
    }
  })
}

/** Starts the import of the checked rows. @throws not_found; conflict */
export function startImport(
  context: Deps,
  actor: Actor,
  owned: OwnedImport,
): Promise<ContactImportView> {
  return change(context, actor, owned, async (tx, job, audit) => {
    if (job.state !== 'checked') {
      const why = ENDED.has(job.state) ? fact('import_over') : fact('import_not_checked')
      throw new ServiceError('conflict', why)
    }
    await audit(
      'contact_import.started',
      { id: job.id, companyId: job.companyId },
      { name: job.name, mode: job.mode, rows: job.rowsFound },
    )
    notifyAfterCommit(tx, 'contacts')
    return { state: 'running', ...NO_COUNTS, nextRow: FIRST_ROW, dueAt: context.clock.now() }
  })
}

/** Cancels an import: imported rows stay. An import that has ended is unchanged. @throws not_found */
export function cancelImport(
  context: Deps,
  actor: Actor,
  owned: OwnedImport,
): Promise<ContactImportView> {
  return change(context, actor, owned, async (_tx, job, audit) => {
    if (ENDED.has(job.state)) return {}
    await audit(
      'contact_import.cancelled',
      { id: job.id, companyId: job.companyId },
      { rows: job.nextRow - FIRST_ROW },
    )
    return { state: 'cancelled', dueAt: null, endedAt: context.clock.now() }
  })
}

/** Throws if an import is being checked, runs or has ended. @throws conflict */
export function requireOpen({ state }: ImportJob): void {
  if (ENDED.has(state)) throw new ServiceError('conflict', fact('import_over'))
  if (IN_PROGRESS.has(state)) throw new ServiceError('conflict', fact('import_under_way'))
}

function change(
  { db, ids, clock, formatFact }: Deps,
  actor: Actor,
  owned: OwnedImport,
  decide: (tx: Transaction<DB>, job: ImportJob, audit: Audit) => Promise<Partial<ImportJob>>,
): Promise<ContactImportView> {
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    await tx
      .selectFrom('contactImport')
      .select('id')
      .where('id', '=', owned.importId)
      .where('companyId', '=', owned.companyId)
      .forUpdate()
      .executeTakeFirst()
    const changes = await decide(tx, await requireImport(tx, owned), audit)
    if (Object.keys(changes).length > 0) {
      await tx
        .updateTable('contactImport')
        .set(changes)
        .where('id', '=', owned.importId)
        .where('companyId', '=', owned.companyId)
        .execute()
    }
    return viewImport(formatFact, await requireImport(tx, owned))
  })
}

async function requireColumns(
  tx: Transaction<DB>,
  job: ImportJob,
  columns: CheckImport['columns'],
): Promise<void> {
  const designs = await readFieldDesigns(tx, job.companyId)
  const errors: FieldFact[] = []
  for (const [target, header] of Object.entries(columns)) {
    const field = `columns.${target}`
    if (!job.headers.includes(header ?? ''))
      errors.push({ field, ...fact('import_unknown_header', { header: header ?? '' }) })
    const key = target.startsWith('fields.') ? target.slice('fields.'.length) : null
    if (key !== null && !designs.has(key)) {
      errors.push({ field, ...fact('unknown_contact_field', { key }) })
    }
  }
  if (!('name' in columns || 'phone' in columns || 'email' in columns)) {
    errors.push({ field: 'columns', ...fact('import_needs_column') })
  }
  if (errors.length > 0) throw wrongFields(errors)
}
