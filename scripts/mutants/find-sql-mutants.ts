/** The mutants of an SQL statement, such as a condition removed or negated, or a lock not taken. */
import type { Node } from './walk.ts'

type Change = { start: number; end: number; to: string }

const WORDS: [RegExp, string][] = [
  [/\bskip locked\b/g, ''],
  [/\bfor (no key )?update( of \w+)?( skip locked)?/g, ''],
  [/\bis not null\b/g, 'is null'],
  [/\bis null\b/g, 'is not null'],
  [/\bnot exists\b/g, 'exists'],
  [/(?<!not )\bexists\b(?= \()/g, 'not exists'],
  [/\bleast\b/g, 'greatest'],
  [/\bgreatest\b/g, 'least'],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/\bdesc\b/g, 'asc'],
  [/\bdistinct\b(?! from)/g, ''],
  [/(?<=\s)<=(?=\s)/g, '<'],
  [/(?<=\s)>=(?=\s)/g, '>'],
  [/(?<=\s)<(?=\s)/g, '<='],
  [/(?<=\s)>(?=\s)/g, '>='],
  [/(?<=\s)<>(?=\s)/g, '='],
  [/(?<=\s)\+(?=\s)/g, '-'],
  [/(?<=\s)-(?=\s)/g, '+'],
  [/(?<=[\s(])(?:and|or) (?:[^\n]*)(?=\n|`)/g, ''],
  [/(?<=\b(?:and|where|when|on) (?:not )?[\w.]+ )=(?= )/g, '<>'],
]

/**
 * Returns the mutants of an SQL statement, as changes of its text. `quasi` is the template; its `${…}` are left to the
 * mutants of TypeScript.
 */
export function findSqlMutants(text: string, quasi: Node): Change[] {
  const found: Change[] = []
  const inside = text.slice(quasi.start, quasi.end)
  for (const [pattern, to] of WORDS) {
    for (const match of inside.matchAll(pattern)) {
      const condition = /^(and|or) /.test(match[0])
      const part = condition ? conditionOf(match[0]) : match[0]
      if (part === null || isInValue(inside, match.index)) continue
      const start = quasi.start + match.index
      found.push({ start, end: start + part.length, to })
    }
  }
  return found
}

/**
 * Returns the first condition of a line, up to the next `and`, `or` or closing bracket. Returns null for a condition
 * that cannot be removed.
 */
function conditionOf(line: string): string | null {
  let depth = 0
  for (let at = 0; at < line.length; at += 1) {
    if ('({'.includes(line[at] ?? '')) depth += 1
    if (')}'.includes(line[at] ?? '')) depth -= 1
    const rest = line.slice(at)
    if (
      depth < 0 ||
      (depth === 0 && at > 0 && /^ (and|or|order by|limit|then|for|returning) /.test(rest))
    ) {
      return isRange(line.slice(0, at)) ? null : line.slice(0, at)
    }
  }
  return depth === 0 && !isRange(line) ? line : null
}

/** Returns whether a text is no whole condition: the `and` of `between 1 and 2`, or a line that ends inside of one. */
const isRange = (part: string) =>
  /\b(between|and|or|not|=|<|>|,)$/.test(part) || !/[=<>(]| is | any|exists| \w+\.is_/.test(part)

/** Returns whether a place of the template is in a `${…}`. */
function isInValue(template: string, at: number): boolean {
  const open = template.lastIndexOf('${', at)
  if (open < 0) return false
  let depth = 0
  for (let i = open + 1; i < at; i += 1) {
    if (template[i] === '{') depth += 1
    if (template[i] === '}') depth -= 1
    if (depth === 0) return false
  }
  return true
}
