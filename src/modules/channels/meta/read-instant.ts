import { JsonNumber } from '../../../rules/text/json-number.ts'

/** Sooner than this many, a number counts seconds: in milliseconds it would be of 1973. */
const LEAST_MS = 100_000_000_000
const YEAR_10000_MS = 253_402_300_800_000
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/

/** An instant as Meta's products write it: milliseconds, seconds, either as digits, or ISO text; else null. */
export function readInstant(given: unknown): Date | null {
  const value = given instanceof JsonNumber ? Number(given.text) : given
  if (typeof value === 'string' && ISO.test(value)) {
    const ms = Date.parse(value)
    return Number.isNaN(ms) ? null : new Date(ms)
  }
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !(number > 0)) return null
  const ms = number < LEAST_MS ? number * 1_000 : number
  return ms < YEAR_10000_MS ? new Date(Math.floor(ms)) : null
}
