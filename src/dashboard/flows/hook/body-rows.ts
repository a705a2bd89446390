/** The body of a request as rows that can be picked, each with its path, where one exists. */
import { HOOK_LIMITS } from '../../../core/limits/hooks.ts'
import { readPathExpression } from '../../../rules/hooks/path-expression.ts'
import { isContainer, type JsonValue } from '../../../rules/text/json-text.ts'

/** A value of a body as a row. Its depth counts from 0. */
export type BodyRow = {
  key: string
  depth: number
  name: string
  value: JsonValue
  /** Null when no path can read the value. */
  path: string | null
  /** The value is too deep, or a name on its path contains a dot, a bracket or a space. */
  isUnreachable: boolean
  isLeaf: boolean
}

/** The maximum number of rows of a body. */
export const MAX_ROWS = 400

/**
 * Returns the first `MAX_ROWS` values of a JSON body as indented rows, each with the path with which a flow reads it;
 * null where no path can.
 */
export function rowsOfBody(body: JsonValue): BodyRow[] {
  const rows: BodyRow[] = []
  const visit = (value: JsonValue, depth: number, before: string | null, isBroken: boolean) => {
    for (const [name, item, piece] of entriesOf(value)) {
      if (rows.length >= MAX_ROWS) return
      const isBad = isBroken || piece === null
      const path = isBad ? null : joined(before, piece)
      const isReadable = path !== null && readPathExpression(path).ok
      rows.push({
        key: `${depth}:${before ?? ''}:${name}:${rows.length}`,
        depth,
        name,
        value: item,
        path: isReadable ? path : null,
        isUnreachable: !isReadable,
        isLeaf: !isContainer(item),
      })
      if (isContainer(item)) visit(item, depth + 1, path, isBad)
    }
  }
  visit(body, 0, null, false)
  return rows
}

/** Returns the entries of a value with their parts of a path; null for names that no path can contain. */
function entriesOf(value: JsonValue): [string, JsonValue, string | null][] {
  if (Array.isArray(value)) return value.map((item, at) => [`[${at}]`, item, `[${at}]`])
  if (!isContainer(value)) return []
  return Object.entries(value).map(([name, item]) => [
    name,
    item,
    name === '' || /[.[\]\s]/.test(name) ? null : name,
  ])
}

function joined(before: string | null, piece: string): string {
  // A leading `$` is not part of a path's name, so a name that begins with `$` is written after one.
  if (before === null) return piece.startsWith('$') ? `$.${piece}` : piece
  return piece.startsWith('[') ? `${before}${piece}` : `${before}.${piece}`
}

/** Returns whether a value is a list that may have had more items than were stored. */
export function isListCut(value: JsonValue): boolean {
  return Array.isArray(value) && value.length >= HOOK_LIMITS.shapeListItems
}

const LIKELY = {
  phone: /phone|mobile|msisdn|whatsapp|^tel|جوال|هاتف/i,
  name: /(^|_)(full_?)?name$|customer_?name|الاسم/i,
  language: /lang|locale|لغة/i,
} as const

/** Returns the path of the first value whose name suggests that it is the field; null if there is none. */
export function likelyPath(rows: readonly BodyRow[], field: keyof typeof LIKELY): string | null {
  return (
    rows.find(({ name, isLeaf, path }) => isLeaf && path && LIKELY[field].test(name))?.path ?? null
  )
}
