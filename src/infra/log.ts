import type { DestinationStream, Logger, pino } from 'pino'
import type { Clock } from '../core/clock.ts'
import { MINUTE_MS } from '../core/limits/units.ts'

/** Keys whose values must never reach a log, wherever a logged object has them. */
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

/** Writes a line to standard output. */
export function writeToOutput(line: string): void {
  process.stdout.write(line)
}

/** Texts with a recognisable form: hook tokens and signing secrets. */
const SECRET_TEXT = /\b(hook_|whsec_)[A-Za-z0-9_-]{20,}/g

/**
 * Holds the log's lines back until `letGo`, and passes every later one on immediately: a newcomer first reads what
 * the start prints.
 */
export function holdLines(write: (line: string) => void): DestinationStream & { letGo(): void } {
  let held: string[] | null = []
  return {
    write(line) {
      if (held) held.push(line)
      else write(line)
    },
    letGo() {
      for (const line of held ?? []) write(line)
      held = null
    },
  }
}

/**
 * Creates the structured log. Known secret fields are censored. Hook tokens and signing secrets inside a text (an
 * error message, a URL) are removed from the finished line.
 */
export function createLog(
  make: typeof pino,
  level: string,
  destination: DestinationStream = { write: writeToOutput },
): Logger {
  const paths = SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`])
  const serializers = { err: (error: Error) => withoutRow(make.stdSerializers.err(error)) }
  return make(
    { level, base: null, redact: { paths, censor: '[secret]' }, serializers },
    { write: (line) => destination.write(line.replace(SECRET_TEXT, '$1[secret]')) },
  )
}

/**
 * Removes the row that a database error contains in `detail`: customers' texts must not outlive them in the log. The
 * constraint and its table suffice.
 */
function withoutRow(error: Record<string, unknown>): Record<string, unknown> {
  return INTEGRITY_VIOLATION.test(String(error['code'])) ? { ...error, detail: undefined } : error
}

const INTEGRITY_VIOLATION = /^23...$/

/**
 * Creates a warning for events that unauthenticated clients can cause without limit: at most one per kind and minute,
 * with the number of events since the last one.
 */
export function createSparseWarning({ clock, log }: { clock: Clock; log: Logger }) {
  const kinds = new Map<string, { at: number; times: number }>()
  return (kind: string, fields: Record<string, unknown> = {}) => {
    const at = clock.now().getTime()
    const last = kinds.get(kind)
    const times = (last?.times ?? 0) + 1
    if (last && at >= last.at && at - last.at < MINUTE_MS) {
      last.times = times
      return
    }
    kinds.set(kind, { at, times: 0 })
    log.warn({ ...fields, times }, kind)
  }
}
