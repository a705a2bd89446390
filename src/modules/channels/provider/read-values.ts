/**
 * Lenient readers of single values in a provider's JSON. They never throw: values of an unexpected type count as
 * absent. Strings stay as sent; they are cleaned before they are stored.
 */

import { JsonNumber } from '../../../rules/text/json-number.ts'

/** The fields of a JSON object. */
export type Fields = Record<string, unknown>

/** Parses JSON. Returns undefined when it is invalid. */
export function readProviderJson(rawBody: Uint8Array | string): unknown {
  try {
    const text = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody)
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Returns the fields of an object, or none for another value. */
export function readFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !isListOrNumber(value)
    ? (value as Fields)
    : {}
}

const isListOrNumber = (value: object): boolean =>
  Array.isArray(value) || value instanceof JsonNumber

/** Returns the items of a list, or none for another value. */
export function readList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns a string that is not empty; undefined for anything else. */
export function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns an id, which some payloads write as a number of any length; undefined for anything else. */
export function readId(value: unknown): string | undefined {
  if (value instanceof JsonNumber) return /^-?\d+$/.test(value.text) ? value.text : undefined
  return Number.isSafeInteger(value) ? String(value) : readText(value)
}

/** Returns a phone number as digits without `+`; undefined for anything else. */
export function readPhoneDigits(value: unknown): string | undefined {
  return /^\+?(\d{1,20})$/.exec(readId(value) ?? '')?.[1]
}

/** Returns the digits of a formatted number, e.g. `+1 555-078-3881`. */
export function readDigits(value: unknown): string | undefined {
  return readText((readId(value) ?? '').replace(/\D/g, ''))
}

const YEAR_10000_S = 253_402_300_800

/** Parses seconds since 1970, as a number or digits. Returns null for anything else. */
export function readSeconds(value: unknown): Date | null {
  const seconds =
    typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : (value as number)
  const isInstant = typeof seconds === 'number' && seconds > 0 && seconds < YEAR_10000_S
  return isInstant ? new Date(Math.floor(seconds * 1_000)) : null
}

/** Returns the object without undefined fields. */
export function withoutUndefined<T extends object>(fields: {
  [K in keyof T]: T[K] | undefined
}): T {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as unknown as T
}
