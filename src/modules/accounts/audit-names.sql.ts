import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { isUuid } from '../../rules/text/uuid.ts'

type Subject = { subjectKind: string; subjectId: string; detail: string | null }

type SubjectIds = { accountId: string; ids: string[] }

const ofCompany = (table: string, name: RawBuilder<unknown>) => (subjects: SubjectIds) =>
  sql`select subject.id::text as id, ${name} as name from ${sql.table(table)} subject
    join company on company.id = subject.company_id and company.account_id = ${subjects.accountId}
    where subject.id = any(${subjects.ids}::uuid[])`

const ofFlow = (table: string) => (subjects: SubjectIds) =>
  sql`select subject.id::text as id, flow.name from ${sql.table(table)} subject
    join flow on flow.id = subject.flow_id
    join company on company.id = subject.company_id and company.account_id = ${subjects.accountId}
    where subject.id = any(${subjects.ids}::uuid[])`

const CONTACT = sql`coalesce(contact.name, contact.phone)`

/** Queries of current names, by kind of subject. A subject without a name has that of its parent. */
const NAMES: Readonly<Record<string, (subjects: SubjectIds) => RawBuilder<unknown>>> = {
  ai_action: ofCompany('ai_action', sql`subject.tool_name`),
  broadcast: ofCompany('broadcast', sql`subject.name`),
  canned_reply: ofCompany('canned_reply', sql`subject.shortcut`),
  channel: ofCompany('channel', sql`coalesce(subject.name, subject.display_number)`),
  connection: ofCompany('api_connection', sql`subject.name`),
  contact: ofCompany('contact', sql`coalesce(subject.name, subject.phone)`),
  contact_field: ofCompany('contact_field', sql`subject.label`),
  contact_import: ofCompany('contact_import', sql`subject.name`),
  endpoint: ofCompany('endpoint', sql`subject.name`),
  file: ofCompany('file', sql`subject.name`),
  flow: ofCompany('flow', sql`subject.name`),
  hook_url: ofFlow('hook_url'),
  knowledge_source: ofCompany('knowledge_source', sql`subject.title`),
  opening_change: ofCompany('opening_change', sql`subject.name`),
  resource: ofCompany('resource', sql`subject.name`),
  run: ofFlow('flow_run'),
  segment: ofCompany('segment', sql`subject.name`),
  service: ofCompany('service', sql`subject.name`),
  appointment: ({ accountId, ids }) => sql`
    select subject.id::text as id, coalesce(${CONTACT}, subject.customer_name) as name from appointment subject
      join company on company.id = subject.company_id and company.account_id = ${accountId}
      left join contact on contact.id = subject.contact_id
    where subject.id = any(${ids}::uuid[])`,
  lead: ({ accountId, ids }) => sql`
    select subject.id::text as id, ${CONTACT} as name from lead subject
      join company on company.id = subject.company_id and company.account_id = ${accountId}
      join contact on contact.id = subject.contact_id
    where subject.id = any(${ids}::uuid[])`,
  company: ({ accountId, ids }) => sql`
    select id::text as id, name from company
    where account_id = ${accountId} and id = any(${ids}::uuid[])`,
  invitation: ({ accountId, ids }) => sql`
    select id::text as id, email as name from invitation
    where account_id = ${accountId} and id = any(${ids}::uuid[])`,
  member: ({ accountId, ids }) => sql`
    select member.id::text as id, coalesce(person.name, person.email) as name from member
      join person on person.id = member.person_id
    where member.account_id = ${accountId} and member.id = any(${ids}::uuid[])`,
  model: ({ accountId, ids }) => sql`
    select id::text as id, model_name as name from model
    where account_id = ${accountId} and id = any(${ids}::uuid[])`,
  person: ({ accountId, ids }) => sql`
    select person.id::text as id, coalesce(person.name, person.email) as name from person
      join member on member.person_id = person.id and member.account_id = ${accountId}
    where person.id = any(${ids}::uuid[])`,
}

/**
 * Returns the names of the subjects of audit entries: current names, and the name kept in the entry for a deleted
 * subject. Null where there is none. An erased contact has no name any more.
 */
export async function nameSubjects(
  db: Kysely<DB>,
  accountId: string,
  entries: readonly Subject[],
): Promise<(string | null)[]> {
  const idsByKind = Map.groupBy(
    entries.filter(
      ({ subjectKind, subjectId }) => Object.hasOwn(NAMES, subjectKind) && isUuid(subjectId),
    ),
    ({ subjectKind }) => subjectKind,
  )
  const names = new Map<string, string | null>()
  if (idsByKind.size > 0) {
    const selects = [...idsByKind].map(([kind, some]) => {
      const ids = [...new Set(some.map(({ subjectId }) => subjectId))]
      return sql`select ${kind}::text as kind, id, name from (${NAMES[kind]!({ accountId, ids })}) named`
    })
    const { rows } = await sql<{ kind: string; id: string; name: string | null }>`
      ${sql.join(selects, sql` union all `)}`.execute(db)
    for (const { kind, id, name } of rows) names.set(`${kind} ${id}`, name)
  }
  return entries.map(
    ({ subjectKind, subjectId, detail }) =>
      names.get(`${subjectKind} ${subjectId}`) ??
      nameIn(detail, subjectKind === 'tag_job' ? ['tag'] : NAMED_BY),
  )
}

/** The fields of an entry's detail that name its subject; the first one that has a text counts. */
const NAMED_BY = ['name', 'title', 'toolName', 'modelName', 'shortcut', 'email'] as const

/** Returns the name that an entry keeps of its subject. */
function nameIn(detail: string | null, keys: readonly string[]): string | null {
  if (detail === null) return null
  const kept = JSON.parse(detail) as Readonly<Record<string, unknown>>
  for (const key of keys) {
    const name = kept[key]
    if (typeof name === 'string' && name !== '') return name
  }
  return null
}
