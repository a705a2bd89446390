import { statfs } from 'node:fs/promises'

const UNKNOWN_AUTHORITY =
  "no authority that this machine trusts has signed the server's certificate. For an authority of your own, add sslrootcert=/path/to/ca.pem to the URL."

/** Explanations and advice by the error codes of Node and PostgreSQL. */
const EXPLANATIONS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there. Is PostgreSQL running, and are host and port right?',
  ENOENT: 'there is no such socket. Is PostgreSQL running, and is its folder right?',
  ENOTFOUND: 'there is no host of that name.',
  EAI_AGAIN: 'the name of the host could not be looked up.',
  ETIMEDOUT: 'nothing answers there. Is a firewall in between?',
  EHOSTUNREACH: 'the network has no route to it.',
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID:
    "the server's certificate is for another name. Write the host as the certificate names it.",
  '28P01': 'the server refuses this user with this password.',
  '28000': "no rule of the server's pg_hba.conf admits this user from here.",
  '3D000': 'the server has no database of that name. Make it with createdb.',
  '42501':
    'this user may not make tables there. Make the user the owner of the database, or grant it create on the schema public.',
  '53100':
    'the disk of the server is full. Make room, and start again: what was not committed is not there.',
  '25006':
    'it can only be read: it is a standby, or default_transaction_read_only is on for the server, the database or the user.',
  '53300': 'the server has no connection left. Lower DATABASE_POOL, or raise its max_connections.',
}

/** Explanations of errors without a code, by the driver's message. */
const EXPLAINED_MESSAGES: [RegExp, string][] = [
  [/timeout/i, EXPLANATIONS.ETIMEDOUT!],
  [/password must be a string/, 'the server asks for a password, and the URL has none.'],
  [
    /does not support SSL/,
    'the server speaks no TLS. Take sslmode out of the URL, and PGSSLMODE out of the environment.',
  ],
  [
    /Invalid URL|URI malformed/,
    'it is no URL. Special characters of the password are written as %xx.',
  ],
]

/**
 * Returns an error for the operator that explains why the server of `DATABASE_URL` cannot be used. It names the
 * setting and never the password. Errors that do not concern the connection, such as a changed migration, are
 * returned unchanged.
 */
export function explainDatabaseFault(thrown: unknown, databaseUrl: string): Error {
  const first = thrown instanceof AggregateError ? (thrown.errors[0] as Error) : (thrown as Error)
  // The cause of a failed migration is the server's error.
  const error = first.cause instanceof Error ? first.cause : first
  const { code, syscall, path } = error as NodeJS.ErrnoException
  const explanation =
    // Only certificates and keys are opened; a server is connected to.
    (syscall === 'open' ? `it names a file that cannot be read, ${path}.` : undefined) ??
    (typeof code === 'string' ? EXPLANATIONS[code] : undefined) ??
    EXPLAINED_MESSAGES.find(([message]) => message.test(error.message))?.[1]
  if (explanation === undefined) return first
  const server = withoutCredentials(databaseUrl)
  return new Error(`DATABASE_URL leads to ${server}: ${explanation}`, { cause: thrown })
}

/** Free space below which a disk counts as full. */
const MIN_FREE_BYTES = 16 * 1_048_576

/**
 * Returns the given error, or one that names the full disk when the disk of the data folder is full. A full disk may
 * end the embedded server without a message.
 */
export async function explainFullDisk(thrown: unknown, dataFolder: string): Promise<unknown> {
  const disk = await statfs(dataFolder).catch(() => null)
  const { code } = ((thrown as Error).cause ?? thrown) as { code?: unknown }
  if (code !== '53100' && (disk === null || disk.bavail * disk.bsize > MIN_FREE_BYTES))
    return thrown
  return new Error(`The disk of ${dataFolder} is full. Make room, and start again`, {
    cause: thrown,
  })
}

/** Returns host, port and database of a URL. */
function withoutCredentials(databaseUrl: string): string {
  const url = URL.parse(databaseUrl)
  if (!url) return 'no server'
  const socket = url.searchParams.get('host')
  return `${socket ?? url.hostname}${url.port === '' ? '' : `:${url.port}`}${url.pathname}`
}
