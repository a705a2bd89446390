import type { DestinationStream, Logger, pino } from 'pino'
import type { Clock } from '../core/clock.ts'
import { MINUTE_MS } from '../core/limits/units.ts'

/** Keys whose values never reach a log, at any depth. Their case does not matter, as for names of headers. */
const SECRET_KEYS: ReadonlySet<string> = new Set([
  'token',
  'secret',
  'secrets',
  'password',
  'credential',
  'credentials',
  'accesstoken',
  'appsecret',
  'verifytoken',
  'authorization',
  'cookie',
])

const CENSORED = '[secret]'
/** Objects and lists inside one another that a line shows; deeper ones are left out. */
const MAX_DEPTH = 8
/** Fields of an object, or items of a list, that a line shows. */
const MAX_ENTRIES = 100

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
 * Creates the structured log. Known secret fields are censored at any depth. Hook tokens and signing secrets inside a
 * text (an error message, a URL) are removed from the finished line.
 */
export function createLog(
  make: typeof pino,
  level: string,
  destination: DestinationStream = { write: writeToOutput },
): Logger {
  const err = (error: unknown) =>
    error instanceof Error ? censorFields(withoutRow(make.stdSerializers.err(error))) : error
  return make(
    { level, base: null, formatters: { log: censorFields }, serializers: { err } },
    { write: (line) => destination.write(line.replace(SECRET_TEXT, '$1[secret]')) },
  )
}

/** Returns a copy of logged fields without secrets. An error in `err` is censored once it is serialized. */
function censorFields(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(fields)
      .slice(0, MAX_ENTRIES)
      .map((name) => [name, censoredField(fields as Record<string, unknown>, name, 1)]),
  )
}

function censoredField(of: Record<string, unknown>, name: string, depth: number): unknown {
  try {
    const value = of[name]
    const isLeft = name === 'err' && depth === 1 && value instanceof Error
    return isLeft ? value : censored(name, value, depth)
  } catch {
    // A getter or `toJSON` threw: the line is written all the same.
    return '[unreadable]'
  }
}

/**
 * Returns a value as JSON shows it, without secrets, without what is too deep, so that cycles end, and with a limited
 * number of entries. Objects of classes, such as the connection of a database error, are shown by their name alone.
 */
function censored(key: string, value: unknown, depth: number): unknown {
  if (SECRET_KEYS.has(key.toLowerCase())) return CENSORED
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH) return '[too deep]'
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return censored('', value.toJSON(key), depth + 1)
  }
  if (Array.isArray(value)) {
    return value.slice(0, MAX_ENTRIES).map((item) => censored('', item, depth + 1))
  }
  const kind = classOf(value)
  if (kind !== null) return `[${kind}]`
  return Object.fromEntries(
    Object.keys(value)
      .slice(0, MAX_ENTRIES)
      .map((name) => [name, censoredField(value as Record<string, unknown>, name, depth + 1)]),
  )
}

/** Returns the name of an object's class; null for a plain object and for an error, whose fields are shown. */
function classOf(value: object): string | null {
  const prototype = Object.getPrototypeOf(value) as { constructor?: { name?: string } } | null
  const made = prototype?.constructor
  return value instanceof Error || made === undefined || made === Object
    ? null
    : (made.name ?? 'object')
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
