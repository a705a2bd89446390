/** Node's codes for a server that cannot be reached or has closed the connection. */
const SYSTEM_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/**
 * SQL states of an unavailable database: connection errors (08), out of resources (53), shutdown or startup (57P),
 * system errors (58), and read-only, as after a failover.
 */
const SQL_STATE = /^(?:08...|53...|57P0[1-5]|58...|25006)$/

/** The driver's messages of an unavailable database, which have no code. */
const MESSAGE =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired$|Query read timeout$|Client has encountered a connection error|Client was closed and is not queryable)/

/**
 * Returns whether the error means that the database is unavailable at the moment (unreachable, stopping, starting,
 * out of connections), in contrast to a wrong statement or a lost race. The same request may succeed later unchanged.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; depth++) {
    if (isConnectionError(current)) return true
    current = current.cause
  }
  return false
}

function isConnectionError(error: Error & { code?: unknown; syscall?: unknown }): boolean {
  const { code } = error
  if (typeof code === 'string') {
    if (SYSTEM_CODES.has(code) || SQL_STATE.test(code)) return true
    // A Unix socket may not exist yet, or not be accessible yet.
    if (error.syscall === 'connect') return true
  }
  return MESSAGE.test(error.message)
}
