import { isSame } from './is-same.ts'

/**
 * Merges typed values into the current ones (three-way merge: base `before`, mine `typed`, theirs `now`). A field that
 * the member has edited keeps the typed value; all others take the current one. Objects, such as a channel's secrets,
 * and lists of words merge entry by entry; an object whose `kind` differs stays as typed.
 */
export function mergeThreeWay<Values extends object>(
  typed: Values,
  before: Values,
  now: Values,
): Values {
  const names = Object.keys(typed) as (keyof Values)[]
  const kept = names.map((name) => [name, merged(typed[name], before[name], now[name])])
  return { ...now, ...(Object.fromEntries(kept) as Values) }
}

function merged(typed: unknown, was: unknown, is: unknown): unknown {
  if (isSame(typed, was)) return is
  if (isSame(was, is)) return typed
  if (isRecord(typed) && isRecord(was) && isRecord(is) && areAlike(typed, was, is)) {
    return mergeThreeWay(typed, was, is)
  }
  if (Array.isArray(typed) && Array.isArray(was) && Array.isArray(is)) {
    return mergedList(typed, was, is)
  }
  return typed
}

function mergedList(typed: unknown[], was: unknown[], is: unknown[]): unknown[] {
  if ([...typed, ...was, ...is].every((one) => typeof one === 'string')) {
    const stays = is.filter((one) => typed.includes(one) || !was.includes(one))
    return [...stays, ...typed.filter((one) => !was.includes(one) && !is.includes(one))]
  }
  if (typed.length !== was.length || is.length !== was.length) return typed
  return typed.map((one, at) => merged(one, was[at], is[at]))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function areAlike(...values: Record<string, unknown>[]): boolean {
  const shapes = values.map((value) => [value.kind, ...Object.keys(value).toSorted()].join('\n'))
  return new Set(shapes).size === 1
}
