/**
 * Values that a schema just accepts, or just refuses, and that cost the most to read: long texts, long lists, deep
 * nesting.
 */
import type { z } from 'zod'

type Def = {
  type: string
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  options?: z.ZodType[]
  innerType?: z.ZodType
  in?: z.ZodType
  getter?: () => z.ZodType
  values?: unknown[]
  entries?: Record<string, string>
  keyType?: z.ZodType
  valueType?: z.ZodType
  items?: z.ZodType[]
  checks?: { _zod: { def: { maximum?: number; length?: number } } }[]
}

const defOf = (schema: z.ZodType) => schema.def as unknown as Def

/** Texts on which pattern matching, folding or counting is slow, each repeated to a length. */
export const TEXTS: Readonly<Record<string, string>> = {
  arabic: 'مُحَمَّدٌ بْنُ عَبْدِ ٱللّٰهِ ',
  tabs: '<<\t\t\t\t\u200B',
  braces: '{{a.{{b}}',
  digits: '+966 50-123 (45) ',
  escapes: '\\u0000"\'&lt;%00',
  links: 'http://a.b@c.d/[x](',
}

export function textOf(kind: string, chars: number): string {
  const unit = TEXTS[kind]!
  return unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars)
}

type Worst = { text(chars: number): string; items: number; option: number }

const MAX_CHARS = 100_000
const DEEPEST = 12

/** Returns a value of the schema with the longest texts and lists that it accepts. */
export function fill(schema: z.ZodType, worst: Worst, depth = 0): unknown {
  const def = defOf(schema)
  const inner = (next: z.ZodType) => fill(next, worst, depth + 1)
  if (depth > DEEPEST) return null
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape!).map(([name, field]) => [name, inner(field)]),
      )
    case 'array': {
      const count = Math.min(maximumOf(def) ?? worst.items, depth > 2 ? 20 : worst.items)
      return Array.from({ length: count }, () => inner(def.element!))
    }
    case 'record':
      return Object.fromEntries(
        Array.from({ length: depth > 2 ? 20 : worst.items }, (_, nth) => [
          `k${nth}`,
          inner(def.valueType!),
        ]),
      )
    case 'tuple':
      return def.items!.map(inner)
    case 'union':
      return inner(def.options![worst.option % def.options!.length]!)
    case 'string':
      return worst.text(Math.min(maximumOf(def) ?? MAX_CHARS, MAX_CHARS))
    case 'enum':
      return Object.values(def.entries!)[worst.option % Object.keys(def.entries!).length]
    case 'literal':
      return def.values![0]
    case 'number':
    case 'int':
      return 1
    case 'boolean':
      return true
    case 'lazy':
      return inner(def.getter!())
    case 'pipe':
      return inner(def.in!)
    default:
      return def.innerType ? inner(def.innerType) : worst.text(100)
  }
}

function maximumOf({ checks = [] }: Def): number | undefined {
  for (const { _zod } of checks) {
    const max = _zod.def.maximum ?? _zod.def.length
    if (max !== undefined) return max
  }
  return undefined
}

/** Returns the names of the fields that an object of the schema may have. */
export function fieldsOf(schema: z.ZodType): string[] {
  const def = defOf(schema)
  if (def.shape) return Object.keys(def.shape)
  if (def.options) return [...new Set(def.options.flatMap(fieldsOf))]
  const next = def.in ?? def.innerType
  return next ? fieldsOf(next) : []
}

const times = (count: number, make: (nth: number) => string) =>
  Array.from({ length: count }, (_, nth) => make(nth)).join()

/** Returns JSON texts that are costly to read, with at most these bytes, values and levels. */
export function costlyJson(max: { bytes: number; values: number; depth: number }) {
  const count = (bytesEach: number) =>
    Math.max(1, Math.min(Math.floor(max.bytes / bytesEach), max.values) - 2)
  const depth = (bytesEach: number) => Math.min(Math.floor(max.bytes / bytesEach), max.depth) - 1
  return {
    deepLists: `${'['.repeat(depth(2))}1${']'.repeat(depth(2))}`,
    deepObjects: `${'{"a":'.repeat(depth(6))}1${'}'.repeat(depth(6))}`,
    numbers: `[${times(count(2), () => '1')}]`,
    objects: `[${times(count(3) / 2, () => '{}')}]`,
    texts: `[${times(count(4), () => '"a"')}]`,
    keys: `{${times(count(12), (nth) => `"k${nth}":0`)}}`,
    sameKeys: `{${times(count(6), () => '"a":0')}}`,
    numericKeys: `{${times(count(13), (nth) => `"${(nth * 7919) % 4_294_967}":0`)}}`,
    longNumber: '9'.repeat(max.bytes),
    longFraction: `0.${'9'.repeat(max.bytes - 5)}e-1`,
    escapes: `"${String.raw`\ud83d\ude00`.repeat(max.bytes / 12 - 1)}"`,
    halves: `"${String.raw`\ud83d`.repeat(max.bytes / 6 - 1)}"`,
  }
}

/** The first bytes of files of several kinds. */
const BEGINNINGS = {
  png: '\x89PNG\r\n\x1a\n',
  jpeg: '\xff\xd8\xff\xe0',
  webp: 'RIFF\0\0\0\0WEBPVP8 ',
  pdf: '%PDF-1.7\n',
  zip: 'PK\x03\x04',
  html: '<!doctype html><html>',
  text: 'name,phone\n',
  utf16: '\xff\xfe',
}
const FILLINGS = ['\0', '\xff', 'PK\x03\x04', '<a ', '(', '"', ',', 'a\n', '\r', 'اسم,']

/** Yields files of this size that begin as one kind and continue with the same few bytes. */
export function* costlyFiles(bytes: number): Generator<{ what: string; body: Buffer }> {
  for (const [what, beginning] of Object.entries(BEGINNINGS)) {
    const fillings = what === 'text' ? FILLINGS : FILLINGS.slice(0, 4)
    for (const filling of fillings) {
      const body = Buffer.alloc(bytes, Buffer.from(filling))
      body.write(beginning, 'latin1')
      yield { what: `${what} and ${JSON.stringify(filling)}`, body }
    }
  }
}
