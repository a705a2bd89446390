import type pg from 'pg'

/** What PostgreSQL must have beside itself; each comes with its contrib package, and is trusted. */
const EXTENSIONS = ['pg_trgm', 'btree_gist'] as const

/**
 * Why the database cannot have an extension that a migration makes, in words for the operator, and what to
 * do; null when it has all, or can. Changes nothing.
 */
export async function whyNoExtensions(
  queryable: Pick<pg.ClientBase, 'query'>,
): Promise<string | null> {
  const { rows } = await queryable.query<{
    name: string
    isThere: boolean
    isOnServer: boolean
    mayMake: boolean
  }>(
    `select name,
      exists (select from pg_extension where extname = name) as "isThere",
      exists (select from pg_available_extensions available where available.name = asked.name)
        as "isOnServer",
      exists (select from pg_available_extension_versions version
        where version.name = asked.name and (version.trusted
          and has_database_privilege(current_database(), 'create')
          or (select rolsuper from pg_roles where rolname = current_user)))
        -- Who may not make tables either is told that, by the first migration.
        or not coalesce(has_schema_privilege(current_schema(), 'create'), true) as "mayMake"
    from unnest($1::text[]) as asked (name)`,
    [EXTENSIONS],
  )
  for (const { name, isThere, isOnServer, mayMake } of rows) {
    if (isThere) continue
    if (!isOnServer) {
      return `The database server has no ${name}: install the contrib package of its PostgreSQL (postgresql-contrib), then start again`
    }
    if (!mayMake) {
      return `The user of DATABASE_URL may not make the extension ${name}: as a superuser, in this database, run create extension ${name}`
    }
  }
  return null
}
