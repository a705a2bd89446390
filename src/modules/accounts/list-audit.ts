import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type {
  AuditFilter,
  AuditQuery,
  AuditView,
  AuditWords,
} from '../../contract/dashboard/account.ts'
import { toPage, type Page } from '../../contract/dashboard/page.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { Actor } from './actor.ts'
import { nameSubjects } from './audit-names.sql.ts'

/** An entry of the audit with its author; `personId` is null for the service or its operator. */
export type AuditRow = {
  id: string
  action: string
  subjectKind: string
  subjectId: string
  companyId: string | null
  detail: string | null
  createdAt: Date
  personId: string | null
  personName: string | null
  personEmail: string | null
}

/** Returns the changes in the account with their authors, newest first. */
export async function listAudit(
  { db }: Context,
  actor: Actor,
  { limit, cursor, ...filter }: AuditQuery,
): Promise<Page<AuditView>> {
  const rows = await readAudit(db.kysely, actor, { filter, before: cursor, limit: limit + 1 })
  const names = await nameSubjects(db.kysely, actor.accountId, rows)
  const nameOf = new Map(rows.map(({ id }, at) => [id, names[at]!]))
  return toPage(rows, limit, (row) => ({
    id: row.id,
    person: row.personId
      ? { id: row.personId, name: row.personName, email: row.personEmail! }
      : null,
    action: row.action,
    subjectKind: row.subjectKind,
    subjectId: row.subjectId,
    subjectName: nameOf.get(row.id) ?? null,
    companyId: row.companyId,
    detail: row.detail ? (JSON.parse(row.detail) as Record<string, unknown>) : null,
    createdAt: row.createdAt.toISOString(),
  }))
}

/** Returns the account's matching audit rows, newest first. */
export async function readAudit(
  db: Kysely<DB>,
  { accountId }: Pick<Actor, 'accountId'>,
  { filter, before, limit }: { filter: AuditFilter; before: string | undefined; limit: number },
): Promise<AuditRow[]> {
  const { companyId, by, action, subjectKind, subjectId, from, to } = filter
  const given = (value: string | undefined, condition: RawBuilder<unknown>) =>
    value === undefined ? [] : [condition]
  const conditions = [
    sql`audit.account_id = ${accountId}`,
    ...given(before, sql`audit.id < ${before}`),
    ...given(companyId, sql`audit.company_id = ${companyId}`),
    ...given(by, by === 'service' ? sql`audit.actor_id is null` : sql`audit.actor_id = ${by}`),
    ...given(action, sql`audit.action = ${action}`),
    ...given(subjectKind, sql`audit.subject_kind = ${subjectKind}`),
    ...given(subjectId, sql`audit.subject_id = ${subjectId}`),
    ...given(from, sql`audit.created_at >= ${from}::timestamptz`),
    ...given(to, sql`audit.created_at < ${to}::timestamptz`),
  ]
  const { rows } = await sql<AuditRow>`
    select audit.id, audit.action, audit.subject_kind, audit.subject_id, audit.company_id, audit.detail,
      audit.created_at, person.id as person_id, person.name as person_name,
      person.email as person_email
    from audit left join person on person.id = audit.actor_id
    where ${sql.join(conditions, sql` and `)}
    order by audit.id desc limit ${limit}`.execute(db)
  return rows
}

/**
 * Returns the distinct actions and subject kinds of the account's audit, each found by an index seek from the
 * previous one.
 */
export async function listAuditWords({ db }: Context, { accountId }: Actor): Promise<AuditWords> {
  const wordsOf = async (column: 'action' | 'subject_kind') => {
    const word = sql.ref(column)
    const next = (after: RawBuilder<unknown>) => sql`(select min(${word}) from audit
      where account_id = ${accountId} and ${word} > ${after})`
    const { rows } = await sql<{ word: string }>`
      with recursive words as (
        select ${next(sql`''`)} as word
        union all
        select ${next(sql`words.word`)} from words where words.word is not null
      )
      select word from words where word is not null order by word collate "C"`.execute(db.kysely)
    return rows.map(({ word: found }) => found)
  }
  return { actions: await wordsOf('action'), subjectKinds: await wordsOf('subject_kind') }
}
