/** Node's codes for a server that cannot be reached or has gone in mid-sentence. */
const AWAY_SYSTEM_CODES: ReadonlySet<string> = new Set([
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
 * PostgreSQL's codes: connection trouble (08), out of connections, memory or disk (53), stopping or
 * starting (57P), broken by the machine (58), and a server that only reads, as after a fail-over.
 */
const AWAY_SQL_STATE = /^(?:08...|53...|57P0[1-5]|58...|25006)$/

/** What the driver says without a code. */
const AWAY_MESSAGE =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired$|Query read timeout$|Client has encountered a connection error|Client was closed and is not queryable)/

/**
 * Whether the error means that the database cannot be asked at the moment (unreachable, stopping,
 * starting, out of connections), as against a statement that was wrong or lost a race. The same
 * request may succeed later without any change.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; depth++) {
    if (isAway(current)) return true
    current = current.cause
  }
  return false
}

function isAway(error: Error & { code?: unknown; syscall?: unknown }): boolean {
  const { code } = error
  if (typeof code === 'string') {
    if (AWAY_SYSTEM_CODES.has(code) || AWAY_SQL_STATE.test(code)) return true
    // A Unix socket that is not there, or not yet ours to open.
    if (error.syscall === 'connect') return true
  }
  return AWAY_MESSAGE.test(error.message)
}
