import type pg from 'pg'

/** The extensions that migrations create. Each is in PostgreSQL's contrib package, and is trusted. */
export const EXTENSIONS = ['pg_trgm', 'btree_gist', 'btree_gin'] as const

/**
 * Returns why the database cannot have all required extensions, and what to do, in words for the operator. Returns
 * null when it has them or can create them. It changes nothing.
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
        -- A user who may not create tables either gets the error of the first migration instead.
        or not coalesce(has_schema_privilege(current_schema(), 'create'), true) as "mayMake"
    from unnest($1::text[]) as asked (name)`,
    [EXTENSIONS],
  )
  const missing = rows.filter(({ isThere }) => !isThere)
  const unknown = missing.filter(({ isOnServer }) => !isOnServer).map(({ name }) => name)
  if (unknown.length > 0) {
    return `The database server has no ${unknown.join(', ')}: install the contrib package of its PostgreSQL (postgresql-contrib), then start again`
  }
  const forbidden = missing.filter(({ mayMake }) => !mayMake).map(({ name }) => name)
  if (forbidden.length === 0) return null
  const statements = forbidden.map((name) => `create extension ${name}`).join('; ')
  return `The user of DATABASE_URL may not make extensions: as a superuser, in this database, run ${statements}`
}
