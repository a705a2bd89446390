import { compactJson, type JsonValue } from '../rules/text/json-text.ts'
import type { Steps } from './search.ts'

type Container = JsonValue[] | Record<string, JsonValue>

/** A place in a JSON value where a text stands. A `scalar` is replaced as a whole: a number, a list of numbers. */
export type Spot = { into: Container; key: string; kind: 'key' | 'text' | 'scalar'; text: string }

const SPOTS_IN_A_STEP = 4_096

/** Keys, strings, numbers and lists of bytes of a value, but for those with fewer characters. Iterative: no depth throws. */
export function* listSpots(root: { value: JsonValue }, leastChars: number): Steps<Spot[]> {
  const spots: Spot[] = []
  const add = (into: Container, key: string, kind: Spot['kind'], text: string) => {
    if (text.length >= leastChars) spots.push({ into, key, kind, text })
    return
  }
  const containers: Container[] = [root]
  let steps = 0
  for (let into = containers.pop(); into !== undefined; into = containers.pop()) {
    for (const key of Object.keys(into)) {
      if (++steps % SPOTS_IN_A_STEP === 0) yield
      if (!Array.isArray(into) && into !== root) add(into, key, 'key', key)
      const value = (into as Record<string, JsonValue>)[key]!
      if (typeof value === 'string') add(into, key, 'text', value)
      else if (typeof value === 'number' || typeof value === 'bigint')
        add(into, key, 'scalar', compactJson(value))
      else if (typeof value === 'object' && value !== null) {
        containers.push(value)
        const bytes = listOfBytes(value)
        if (bytes !== null) add(into, key, 'scalar', bytes)
      }
    }
  }
  return spots
}

/** A list of small numbers, or an object of them by their indices, as some languages write bytes. */
function listOfBytes(value: Container): string | null {
  const [first] = Array.isArray(value) ? value : [value['0']]
  if (typeof first !== 'number') return null
  const all = Object.values(value)
  const areBytes = all.every(
    (one) => Number.isInteger(one) && (one as number) >= -128 && (one as number) < 256,
  )
  return areBytes ? (all as number[]).join() : null
}

/** Gives a field another name. It then is the last of its object. */
export function renameField(fields: Record<string, JsonValue>, key: string, to: string): void {
  const value = fields[key]!
  delete fields[key]
  fields[to] = value
}
