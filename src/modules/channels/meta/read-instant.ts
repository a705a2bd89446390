import { JsonNumber } from '../../../rules/text/json-number.ts'

/** Smaller numbers are seconds: as milliseconds they would be dates before 1974. */
const MIN_MS = 100_000_000_000
const YEAR_10000_MS = 253_402_300_800_000
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/

/**
 * Parses a time as Meta's products write it: milliseconds or seconds, also as digits, or ISO text. Returns null for
 * anything else.
 */
export function readInstant(given: unknown): Date | null {
  const value = given instanceof JsonNumber ? Number(given.text) : given
  if (typeof value === 'string' && ISO.test(value)) {
    const ms = Date.parse(value)
    return Number.isNaN(ms) ? null : new Date(ms)
  }
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !(number > 0)) return null
  const ms = number < MIN_MS ? number * 1_000 : number
  return ms < YEAR_10000_MS ? new Date(Math.floor(ms)) : null
}
