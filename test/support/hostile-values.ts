/** Inputs made from the schema that a route reads: one that may be valid, and many that are wrong in one place. */
import type { z } from 'zod'

const LONG = 'x'.repeat(30_000)

/** Values that no field expects, or only by accident. */
const ANY_WRONG: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 31,
  2 ** 53,
  '',
  ' ',
  'a\0b',
  '\uD800',
  '\uDC00a',
  '\u202Eabc',
  "'; --",
  '%',
  '\\',
  '%_\\%',
  '()[]{}*+?|^$',
  '{{contact.name}}',
  '0',
  '-0',
  '1e999',
  'infinity',
  'NaN',
  '٣',
  LONG,
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '0000-01-01',
  '9999-12-31',
  '2026-12-08T10:00:00+14:00',
  `2026-12-08T10:00:00.${'0'.repeat(200)}Z`,
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  '01890000-0000-7000-8000-00000000000',
  '__proto__',
  'constructor',
  [],
  [null],
  [[]],
  {},
  { __proto__: null, toString: 1 },
]

/** A key that is parsed, because `JSON.stringify` writes no own `__proto__` of a literal. */
const POLLUTED: unknown = JSON.parse('{"__proto__":{"isOwner":true},"constructor":{"prototype":1}}')
/** Cursors of lists in the service's form, of items that do not exist. */
const PLACES = [
  '99999999999999999999',
  'o_1',
  '00000000-0000-0000-0000-000000000000',
  '9999-12-31T23:59:59.999Z 1',
  '["infinity","x"]',
  '["9999-12-31T23:59:59Z","a\\u0000b"]',
  '["0001-01-01T00:00:00Z","00000000-0000-0000-0000-000000000000"]',
  '["1","1"]',
  `["2026-12-08T10:00:00.${'0'.repeat(200)}Z","00000000-0000-0000-0000-000000000000"]`,
].map((place) => Buffer.from(place).toString('base64url'))

const WRONG = [...ANY_WRONG, ...PLACES, POLLUTED]
export const WRONG_TEXTS = WRONG.filter((wrong) => typeof wrong === 'string')

export type Known = Record<string, string>

type Def = {
  type: string
  innerType?: z.ZodType
  in?: z.ZodType
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  options?: z.ZodType[]
  entries?: Record<string, string>
  values?: unknown[]
  keyType?: z.ZodType
  valueType?: z.ZodType
  items?: z.ZodType[]
  getter?: () => z.ZodType
}
const MAY_LACK: ReadonlySet<string> = new Set(['optional', 'default', 'prefault'])
const defOf = (schema: z.ZodType): Def => schema.def

/** Returns the schema inside of its wrappers: an optional one, a default, a transform. */
function unwrapped(schema: z.ZodType): Def {
  let def = defOf(schema)
  for (let depth = 0; depth < 20; depth++) {
    const inner = def.innerType ?? def.in ?? def.getter?.()
    if (!inner) return def
    def = defOf(inner)
  }
  return def
}

/**
 * Returns a value that a schema may well accept.
 * @param name of the field: ids are known by it
 */
export function sampleOf(schema: z.ZodType, known: Known, name = ''): unknown {
  const def = unwrapped(schema)
  switch (def.type) {
    case 'object': {
      const fields = Object.entries(def.shape!)
      return Object.fromEntries(fields.map(([key, of]) => [key, sampleOf(of, known, key)]))
    }
    case 'array':
      return [sampleOf(def.element!, known, name.replace(/s$/, ''))]
    case 'tuple':
      return def.items!.map((of) => sampleOf(of, known, name))
    case 'union':
      return sampleOf(def.options![0]!, known, name)
    case 'record':
      return { key: sampleOf(def.valueType!, known) }
    case 'enum':
      return Object.values(def.entries!)[0]
    case 'literal':
      return def.values![0]
    case 'number':
    case 'int':
      return 5
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return textFor(name, known)
  }
}

const USUAL: Known = {
  phone: '+966501234567',
  email: 'sara@example.com',
  url: 'https://example.com/hooks',
  baseUrl: 'https://example.com/api',
  startsAt: '2026-12-08T10:00:00Z',
  endsAt: '2026-12-09T10:00:00Z',
  firstDay: '2027-02-08',
  lastDay: '2027-02-09',
  timeZone: 'Asia/Riyadh',
  from: '2026-01-01T00:00:00Z',
  to: '2026-12-31T00:00:00Z',
  day: '2026-12-08',
  password: 'correct horse battery',
  name: 'order_ready',
  language: 'en',
}

function textFor(name: string, known: Known): string {
  if (known[name]) return known[name]
  if (USUAL[name]) return USUAL[name]
  return name.endsWith('Id') ? '01890000-0000-7000-8000-000000000000' : 'hello'
}

/**
 * Returns the sample, changed in one place into a wrong value.
 * @param chance returns a number from 0 to 1, another one each time
 */
export function wrongOf(schema: z.ZodType, known: Known, chance: () => number, name = ''): unknown {
  const def = unwrapped(schema)
  const pick = <Item>(of: readonly Item[]): Item => of[Math.floor(chance() * of.length)]!
  const deeper = (of: z.ZodType, as = name) => wrongOf(of, known, chance, as)
  switch (def.type) {
    case 'object':
      return wrongObjectOf(def.shape!, known, chance)
    case 'array':
      if (chance() < 0.1) return pick(WRONG)
      if (chance() < 0.05) {
        return Array.from({ length: 300 }, () => sampleOf(def.element!, known, name))
      }
      return [deeper(def.element!, name.replace(/s$/, ''))]
    case 'record':
      if (chance() < 0.2) return pick(WRONG)
      if (chance() < 0.3) return { [pick(WRONG_TEXTS)]: sampleOf(def.valueType!, known) }
      return { key: deeper(def.valueType!) }
    case 'union':
      return chance() < 0.1 ? pick(WRONG) : deeper(pick(def.options!))
    case 'enum':
      return pick([...Object.values(def.entries!), ...WRONG])
    default:
      return pick(WRONG)
  }
}

function wrongObjectOf(
  shape: Record<string, z.ZodType>,
  known: Known,
  chance: () => number,
): unknown {
  const pick = <Item>(of: readonly Item[]): Item => of[Math.floor(chance() * of.length)]!
  const keys = Object.keys(shape)
  if (keys.length === 0 || chance() < 0.05) return pick(WRONG)
  const key = pick(keys)
  // Optional fields are there in some samples only: many of them exclude each other.
  const there = Object.entries(shape).filter(
    ([, of]) => !MAY_LACK.has(of.def.type) || chance() < 0.5,
  )
  const sample = Object.fromEntries(there.map(([at, of]) => [at, sampleOf(of, known, at)]))
  if (chance() < 0.15) return sample
  if (chance() < 0.1) return { ...sample, [key]: undefined }
  const wrong = { [key]: wrongOf(shape[key]!, known, chance, key) }
  return chance() < 0.3 ? wrong : { ...sample, ...wrong }
}
