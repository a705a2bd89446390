import type { DestinationStream, Logger, pino } from 'pino'

/** What must never reach a log, wherever a logged object carries it. */
const SECRET_KEYS = [
  'token',
  'secret',
  'secrets',
  'password',
  'credential',
  'credentials',
  'accessToken',
  'appSecret',
  'verifyToken',
  'authorization',
  'cookie',
]

/** Texts that give themselves away: hook tokens and signing secrets. */
const SECRET_TEXT = /\b(hook_|whsec_)[A-Za-z0-9_-]{20,}/g

/**
 * The structured log. Known secret fields are censored, and any hook token or signing secret that
 * slipped into a text (an error message, a URL) is cut out of the finished line.
 */
export function createLog(
  make: typeof pino,
  level: string,
  destination: DestinationStream = { write: (line) => void process.stdout.write(line) },
): Logger {
  const paths = SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`])
  return make(
    { level, base: null, redact: { paths, censor: '[secret]' } },
    { write: (line) => destination.write(line.replace(SECRET_TEXT, '$1[secret]')) },
  )
}
