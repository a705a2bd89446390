import { plainDecimal } from '../../rules/text/decimal.ts'
import { JsonNumber } from '../../rules/text/json-number.ts'
import { isContainer, type JsonValue } from '../../rules/text/json-text.ts'
import type { Steps } from './steps.ts'

type Container = JsonValue[] | Record<string, JsonValue>

/** A position of a text in a JSON value. A `scalar` is replaced as a whole: a number or a list of numbers. */
export type Spot = { into: Container; key: string; kind: 'key' | 'text' | 'scalar'; text: string }

const SPOTS_PER_STEP = 4_096

/**
 * Lists keys, strings, numbers and lists of bytes of a value, except shorter ones. It is iterative, so that no depth
 * throws.
 */
export function* listSpots(root: { value: JsonValue }, minChars: number): Steps<Spot[]> {
  const spots: Spot[] = []
  const add = (into: Container, key: string, kind: Spot['kind'], text: string) => {
    if (text.length >= minChars) spots.push({ into, key, kind, text })
  }
  const containers: Container[] = [root]
  let steps = 0
  for (let into = containers.pop(); into !== undefined; into = containers.pop()) {
    for (const key of Object.keys(into)) {
      if (++steps % SPOTS_PER_STEP === 0) yield
      if (!Array.isArray(into) && into !== root) add(into, key, 'key', key)
      const value = (into as Record<string, JsonValue>)[key]!
      if (typeof value === 'string') add(into, key, 'text', value)
      else if (typeof value === 'number') add(into, key, 'scalar', String(value))
      else if (value instanceof JsonNumber) {
        for (const text of formsOf(value)) add(into, key, 'scalar', text)
      } else if (isContainer(value)) {
        containers.push(value)
        const bytes = listOfBytes(value)
        if (bytes !== null) add(into, key, 'scalar', bytes)
      }
    }
  }
  return spots
}

/**
 * Returns the bytes of a list of small numbers, or of an object of them by their indices, as some languages write
 * bytes. Returns null for any other value.
 */
function listOfBytes(value: Container): string | null {
  const [first] = Array.isArray(value) ? value : [value['0']]
  if (byteOf(first) === null) return null
  const bytes: number[] = []
  for (const one of Object.values(value)) {
    const byte = byteOf(one)
    if (byte === null) return null
    bytes.push(byte)
  }
  return bytes.join()
}

function byteOf(value: JsonValue | undefined): number | null {
  const number = value instanceof JsonNumber ? Number(value.text) : value
  const isByte = Number.isInteger(number) && (number as number) >= -128 && (number as number) < 256
  return isByte ? (number as number) : null
}

/** Returns the forms that JSON has for a number, in any of which a secret of digits may come back. */
function formsOf({ text }: JsonNumber): Set<string> {
  return new Set([text, plainDecimal(text) ?? text, String(Number(text))])
}

/** Renames a field of an object, which then is its last one. */
export function renameField(fields: Record<string, JsonValue>, key: string, to: string): void {
  const value = fields[key]!
  delete fields[key]
  fields[to] = value
}
