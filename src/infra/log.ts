import type { DestinationStream, Logger, pino } from 'pino'
import type { Clock } from '../core/clock.ts'
import { MINUTE_MS } from '../core/limits/units.ts'

/** Keys whose values never reach a log, in a logged object and two levels below. */
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
 * Creates a destination of the log that buffers lines until `flush`, and writes every later line immediately. So the
 * operator first reads what the start prints.
 */
export function bufferLines(write: (line: string) => void): DestinationStream & { flush(): void } {
  let buffered: string[] | null = []
  return {
    write(line) {
      if (buffered) buffered.push(line)
      else write(line)
    },
    flush() {
      for (const line of buffered ?? []) write(line)
      buffered = null
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
 * Creates a function that logs warnings of events that unauthenticated clients can cause. It logs at most one line per
 * kind and minute, with the number of events since the last one.
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
