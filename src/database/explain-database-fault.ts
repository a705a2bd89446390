/** What the server or the way to it says, and what the operator can do. By code of Node or PostgreSQL. */
const MEANS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there. Is PostgreSQL running, and are host and port right?',
  ENOENT: 'there is no such socket. Is PostgreSQL running, and is its folder right?',
  ENOTFOUND: 'nobody knows a host of that name.',
  EAI_AGAIN: 'the name of the host could not be looked up.',
  ETIMEDOUT: 'nothing answers there. Is a firewall in between?',
  EHOSTUNREACH: 'no way leads there.',
  '28P01': 'the server refuses this user with this password.',
  '28000': 'the server lets this user in from here by no rule of its pg_hba.conf.',
  '3D000': 'the server has no database of that name. Make it with createdb.',
  '42501':
    'this user may not make tables there. Make the user the owner of the database, or grant it create on the schema public.',
  '53300': 'the server has no connection left. Lower DATABASE_POOL, or raise its max_connections.',
}

/** What the driver says without a code. */
const SAID: [RegExp, string][] = [
  [/timeout/i, MEANS.ETIMEDOUT!],
  [/password must be a string/, 'the server asks for a password, and the URL has none.'],
  [/does not support SSL/, 'the server speaks no TLS. Take sslmode out of the URL.'],
  [
    /Invalid URL|URI malformed/,
    'it is no URL. Special characters of the password are written as %xx.',
  ],
]

/**
 * Why the server of `DATABASE_URL` cannot be used at the start, in a sentence that names the setting
 * and never the password. What is not of the connection (a migration that was changed) says it by itself.
 */
export function explainDatabaseFault(thrown: unknown, databaseUrl: string): Error {
  const error = thrown instanceof AggregateError ? (thrown.errors[0] as Error) : (thrown as Error)
  const { code } = error as { code?: unknown }
  const means =
    (typeof code === 'string' ? MEANS[code] : undefined) ??
    SAID.find(([said]) => said.test(error.message))?.[1]
  if (means === undefined) return error
  return new Error(`DATABASE_URL leads to ${placeOf(databaseUrl)}: ${means}`, { cause: thrown })
}

/** Host, port and database, without user, password and options. */
function placeOf(databaseUrl: string): string {
  const url = URL.parse(databaseUrl)
  if (!url) return 'no server'
  const socket = url.searchParams.get('host')
  return `${socket ?? url.hostname}${url.port === '' ? '' : `:${url.port}`}${url.pathname}`
}
