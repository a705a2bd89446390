import type pg from 'pg'

/**
 * Session settings on which the meaning of values or statements depends, whatever the server or the role has set.
 * They fix how values are written (the driver reads one form), how literals are read, and when the server ends a
 * session. Planning and durability are left to the operator.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  client_encoding: 'UTF8',
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  xmloption: 'content',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  row_security: 'on',
  jit: 'off',
  idle_session_timeout: '0',
  transaction_timeout: '0',
}

/**
 * Sets the common settings and the given ones on a session, and returns the server's version, all in one round trip.
 * Leaves out settings that an old server does not know.
 */
export async function applySessionSettings(
  client: Pick<pg.ClientBase, 'query'>,
  own: Readonly<Record<string, string>> = {},
): Promise<{ version: string; number: number }> {
  const settings = { ...SETTINGS, ...own }
  const { rows } = await client.query<{ version: string; number: number }>(
    `select current_setting('server_version') as version,
      current_setting('server_version_num')::int as number,
      (select count(set_config(name, value, false))
        from unnest($1::text[], $2::text[]) as wanted (name, value)
        where current_setting(name, true) is not null) as set`,
    [Object.keys(settings), Object.values(settings)],
  )
  return rows[0]!
}
