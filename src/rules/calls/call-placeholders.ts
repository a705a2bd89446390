import { cleanText } from '../text/json-text.ts'

/** The values of a call's placeholders; null and missing values become empty. */
export type CallValues = {
  /** Read as `{{vars.<name>}}`. */
  vars?: Readonly<Record<string, string | null>>
  /** Read as `{{args.<name>}}`. */
  args?: Readonly<Record<string, string | null>>
  /** Read as `{{identity}}`. */
  identity?: string | null
}

const PLACEHOLDER = /\{\{\s*(identity|(?:vars|args)\.[A-Za-z_][A-Za-z0-9_]{0,63})\s*\}\}/g

/** Returns the names in a template (`vars.city`, `args.id`, `identity`), each once, in their order. */
export function placeholdersOf(template: string): string[] {
  return [...new Set(Array.from(template.matchAll(PLACEHOLDER), (match) => match[1] as string))]
}

/** Returns the template with every placeholder replaced by the same text. */
export function withoutPlaceholders(template: string, by: string): string {
  return template.replace(PLACEHOLDER, () => by)
}

/** Returns whether a template has opening braces that start no known placeholder. */
export function hasBrokenPlaceholder(template: string): boolean {
  return withoutPlaceholders(template, 'x').includes('{{')
}

/** Returns the value of a placeholder as text that can be stored and encoded. */
function placeholderValue(name: string, values: CallValues): string {
  if (name === 'identity') return cleanText(values.identity ?? '')
  const from = name.startsWith('vars.') ? values.vars : values.args
  const key = name.slice('vars.'.length)
  return from !== undefined && Object.hasOwn(from, key) ? cleanText(from[key] ?? '') : ''
}

/**
 * Fills a template in one pass, so that placeholders inside inserted values stay text. `literal` writes the text
 * between placeholders and `inserted` a value; a null from `inserted` refuses the whole. Stops with `too_long` as soon
 * as the result has more than `maxChars`.
 */
export function fillCallTemplate(
  template: string,
  values: CallValues,
  {
    literal = (text) => text,
    inserted = (value) => value,
    maxChars,
  }: {
    literal?: (text: string) => string
    inserted?: (value: string) => string | null
    maxChars: number
  },
): { ok: true; text: string } | { ok: false; reason: 'too_long' | 'value_refused' } {
  let text = ''
  let at = 0
  for (const match of template.matchAll(PLACEHOLDER)) {
    const value = inserted(placeholderValue(match[1] as string, values))
    if (value === null) return { ok: false, reason: 'value_refused' }
    text += literal(template.slice(at, match.index)) + value
    if (text.length > maxChars) return { ok: false, reason: 'too_long' }
    at = match.index + match[0].length
  }
  text += literal(template.slice(at))
  return text.length > maxChars ? { ok: false, reason: 'too_long' } : { ok: true, text }
}
