import type { Context } from '../../infra/context.ts'
import type { AuditFilter } from '../../contract/dashboard/account.ts'
import { CSV_BOM, csvLine } from '../../rules/text/csv-cell.ts'
import type { Actor } from './actor.ts'
import { nameSubjects } from './audit-names.sql.ts'
import { readAudit, type AuditRow } from './list-audit.ts'
import { auditedTransaction } from './audited-transaction.ts'

/** The number of entries that one query reads. */
const PAGE = 1_000
const COLUMNS = [
  'time_utc',
  'person_email',
  'person_name',
  'action',
  'subject_kind',
  'subject_id',
  'company_id',
  'detail',
  'subject_name',
]

/**
 * Exports the matching audit entries as a CSV file, newest first, part by part and never whole in memory. The export
 * itself is audited before the first line is read.
 */
export async function exportAudit(
  { db, ids, clock }: Context,
  actor: Actor,
  filter: AuditFilter,
): Promise<AsyncGenerator<string>> {
  const { accountId } = actor
  await auditedTransaction({ db, ids, clock }, actor, (_tx, audit) =>
    audit('audit.exported', { kind: 'account', id: accountId }, filter),
  )
  return parts()

  async function* parts() {
    yield CSV_BOM + csvLine(COLUMNS)
    let before: string | undefined
    for (;;) {
      const rows = await readAudit(db.kysely, actor, { filter, before, limit: PAGE })
      const names = await nameSubjects(db.kysely, accountId, rows)
      if (rows.length > 0) yield rows.map((row, at) => lineOf(row, names[at]!)).join('')
      if (rows.length < PAGE) return
      before = rows.at(-1)!.id
    }
  }
}

function lineOf(row: AuditRow, subjectName: string | null): string {
  return csvLine([
    row.createdAt.toISOString(),
    row.personEmail,
    row.personName,
    row.action,
    row.subjectKind,
    row.subjectId,
    row.companyId,
    row.detail,
    subjectName,
  ])
}
