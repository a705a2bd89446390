import type { Context } from '../context.ts'
import type { AuditQuery, AuditView } from '../contract/dashboard/account.ts'
import { toPage, type Page } from '../contract/dashboard/page.ts'
import type { Actor } from './actor.ts'

/** What was changed in the account and by whom, newest first. */
export async function listAudit(
  { db }: Context,
  actor: Actor,
  { limit, cursor, companyId, subjectId }: AuditQuery,
): Promise<Page<AuditView>> {
  const rows = await db.kysely
    .selectFrom('audit')
    .leftJoin('person', 'person.id', 'audit.actorId')
    .select([
      'audit.id',
      'audit.action',
      'audit.subjectKind',
      'audit.subjectId',
      'audit.companyId',
      'audit.detail',
      'audit.createdAt',
      'person.id as personId',
      'person.name as personName',
      'person.email as personEmail',
    ])
    .where('audit.accountId', '=', actor.accountId)
    .$if(companyId !== undefined, (select) => select.where('audit.companyId', '=', companyId!))
    .$if(subjectId !== undefined, (select) => select.where('audit.subjectId', '=', subjectId!))
    .$if(cursor !== undefined, (select) => select.where('audit.id', '<', cursor!))
    .orderBy('audit.id', 'desc')
    .limit(limit + 1)
    .execute()
  return toPage(rows, limit, (row) => ({
    id: row.id,
    person: row.personId
      ? { id: row.personId, name: row.personName, email: row.personEmail! }
      : null,
    action: row.action,
    subjectKind: row.subjectKind,
    subjectId: row.subjectId,
    companyId: row.companyId,
    detail: row.detail ? (JSON.parse(row.detail) as Record<string, unknown>) : null,
    createdAt: row.createdAt.toISOString(),
  }))
}
