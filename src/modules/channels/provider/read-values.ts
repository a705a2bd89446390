/**
 * Lenient readers of single values in a provider's JSON. None throws: what is not of the expected
 * kind reads as absent. Strings stay as they were sent; the room that stores them cleans them.
 */

import { JsonNumber } from '../../../rules/text/json-number.ts'

export type Fields = Record<string, unknown>

/** The JSON that the bytes hold, or undefined when they hold none. */
export function readJson(rawBody: Uint8Array | string): unknown {
  try {
    const text = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody)
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The fields of an object; none for anything else. */
export function readFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !isListOrNumber(value)
    ? (value as Fields)
    : {}
}

const isListOrNumber = (value: object): boolean =>
  Array.isArray(value) || value instanceof JsonNumber

/** The items of a list; none for anything else. */
export function readList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** A string that is not empty. */
export function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** An id, which some payloads write as a number, of however many digits. */
export function readId(value: unknown): string | undefined {
  if (value instanceof JsonNumber) return /^-?\d+$/.test(value.text) ? value.text : undefined
  return Number.isSafeInteger(value) ? String(value) : readText(value)
}

/** A phone number as digits without `+`; undefined for anything that is not one. */
export function readNumber(value: unknown): string | undefined {
  return /^\+?(\d{1,20})$/.exec(readId(value) ?? '')?.[1]
}

/** The digits of a number that was written for people, e.g. `+1 555-078-3881`. */
export function readDigits(value: unknown): string | undefined {
  return readText((readId(value) ?? '').replace(/\D/g, ''))
}

const YEAR_10000_S = 253_402_300_800

/** An instant given in seconds since 1970, as a number or a string of digits; else null. */
export function readSeconds(value: unknown): Date | null {
  const seconds =
    typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : (value as number)
  const isInstant = typeof seconds === 'number' && seconds > 0 && seconds < YEAR_10000_S
  return isInstant ? new Date(Math.floor(seconds * 1_000)) : null
}

/** The same object without the fields that are undefined. */
export function given<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as unknown as T
}
