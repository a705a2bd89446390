import { pageOf } from '../../../infra/database/page-of.ts'
import type { Kysely, Selectable } from 'kysely'
import type { Context } from '../../../infra/context.ts'
import type {
  ContactImportState,
  ContactImportView,
} from '../../../contract/dashboard/contact-import.ts'
import { toPage, type Page, type PageQuery } from '../../../contract/dashboard/page.ts'
import type { FormatFact } from '../../../contract/dashboard/localized-fact.ts'
import type { ContactImport, DB } from '../../../infra/database/tables.ts'
import { fact } from '../../../core/facts/fact.ts'
import { parseFact } from '../../../core/facts/stored-fact.ts'
import { ServiceError } from '../../../core/service-error.ts'
import type { ImportEncoding, ImportMode } from '../../../core/vocabulary/contacts.ts'

/** The id of an import with the id of its company. */
export type OwnedImport = { companyId: string; importId: string }

/** A row of the table of imports. */
export type ImportJob = Selectable<ContactImport>

/** The number of the first row after the header, which is row 1. */
export const FIRST_ROW = 2

type Deps = Pick<Context, 'db'> & { formatFact: FormatFact }

/**
 * Returns the state and progress of an import of contacts.
 * @throws not_found
 */
export async function showImport(
  { db, formatFact }: Deps,
  owned: OwnedImport,
): Promise<ContactImportView> {
  return viewImport(formatFact, await requireImport(db.kysely, owned))
}

/** Returns a page of the company's imports, newest first. */
export async function listImports(
  { db, formatFact }: Deps,
  { companyId, limit, cursor }: { companyId: string } & PageQuery,
): Promise<Page<ContactImportView>> {
  const rows = await pageOf(
    db.kysely.selectFrom('contactImport').selectAll().where('companyId', '=', companyId),
    { limit, cursor },
    ['id', 'newest'],
  ).execute()
  return toPage(rows, limit, (row) => viewImport(formatFact, row))
}

/**
 * Loads an import of contacts of the company.
 * @throws not_found
 */
export async function requireImport(
  db: Kysely<DB>,
  { companyId, importId }: OwnedImport,
): Promise<ImportJob> {
  return db
    .selectFrom('contactImport')
    .selectAll()
    .where('id', '=', importId)
    .where('companyId', '=', companyId)
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_import')))
}

/** Converts a row to the dashboard's view of an import. */
export function viewImport(formatFact: FormatFact, job: ImportJob): ContactImportView {
  return {
    id: job.id,
    name: job.name,
    state: job.state as ContactImportState,
    headers: job.headers,
    delimiter: job.encoding === null ? null : job.delimiter,
    encoding: job.encoding as ImportEncoding | null,
    sample: JSON.parse(job.sample) as string[][],
    columns: job.columns === null ? null : (JSON.parse(job.columns) as Record<string, string>),
    mode: job.mode as ImportMode | null,
    country: job.country,
    rows: job.rowsFound,
    rowsDone: job.nextRow - FIRST_ROW,
    created: job.created,
    updated: job.updated,
    unchanged: job.unchanged,
    combined: job.combined,
    leftOut: job.leftOut,
    reason: job.reason === null ? null : formatFact(parseFact(job.reason)),
    createdAt: job.createdAt.toISOString(),
    endedAt: job.endedAt?.toISOString() ?? null,
  }
}
