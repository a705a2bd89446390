/** Files for flows, which are stored until a member deletes them. */
import { pageOf } from '../../infra/database/page-of.ts'
import { sql, type Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { FileView } from '../../contract/dashboard/file.ts'
import { toPage, type Page, type PageQuery } from '../../contract/dashboard/page.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import type { Context } from '../../infra/context.ts'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import { FILE_VIEW, viewFile } from './view-file.ts'

/** Returns a page of the company's files that flows may send, oldest first. */
export async function listFlowFiles(
  { db, formatFact }: Context & { formatFact: FormatFact },
  { companyId, limit, cursor }: PageQuery & { companyId: string },
): Promise<Page<FileView>> {
  const rows = await pageOf(
    db.kysely
      .selectFrom('file')
      .select(FILE_VIEW)
      .where('companyId', '=', companyId)
      .where('purpose', '=', 'flow')
      .where('state', '=', 'kept'),
    { limit, cursor },
    ['id', 'oldest'],
  ).execute()
  return toPage(rows, limit, (row) => viewFile({ formatFact }, row))
}

/**
 * Deletes a file that flows may send.
 * @throws not_found; conflict while a draft, a published flow or an active run sends it, and for a file of a message,
 * which lives as long as the message
 */
export async function deleteFlowFile(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, fileId: id }: { companyId: string; fileId: string },
): Promise<void> {
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const file = await tx
      .selectFrom('file')
      .select(['purpose', 'name', 'size'])
      .where('companyId', '=', companyId)
      .where('id', '=', id)
      .where('state', '=', 'kept')
      .forUpdate()
      .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_file')))
    if (file.purpose !== 'flow') throw new ServiceError('conflict', fact('file_of_message'))
    const flows = await flowsSending(tx, companyId, id)
    if (flows.length > 0) throw new ServiceError('conflict', fact('file_in_use', { flows }))
    await tx
      .updateTable('file')
      .set({ state: 'dropped', dueAt: now })
      .where('id', '=', id)
      .execute()
    notifyAfterCommit(tx, 'files')
    const { name, size } = file
    await audit('file.deleted', { id, companyId }, { name, size })
  })
}

/**
 * Returns the names of the flows whose draft, published version or active run names the file, or whose queued message
 * has it.
 */
async function flowsSending(
  tx: Transaction<DB>,
  companyId: string,
  fileId: string,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select flow.name from flow
    where flow.company_id = ${companyId} and flow.deleted_at is null and (exists (
      select from flow_version version where version.flow_id = flow.id
        and (version.id = flow.published_version_id or version.published_at is null or exists (
          select from flow_run run where run.flow_id = flow.id and run.flow_version_id = version.id
            and run.ended_at is null))
        and position(${fileId} in version.definition) > 0)
      or exists (
        select from message join flow_run run on run.id = message.run_id
        where message.file_id = ${fileId} and run.flow_id = flow.id
          and (message.status in ('queued', 'sending') or message.due_at is not null)))
    order by flow.id limit 20
  `.execute(tx)
  return rows.map(({ name }) => name)
}
