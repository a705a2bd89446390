/** The values of a message's placeholders. */
export type Fillings = {
  /** Read as `{{vars.<name>}}`. */
  vars: Readonly<Record<string, string | null>>
  /** Read as `{{contact.name}}` and `{{contact.phone}}`. */
  contact: { name: string | null; phone: string | null }
}

type Piece = { literal: string; name: string | null }

/** Matches the names of placeholders; braces around any other name are plain text. */
const PLACEHOLDER_NAME = /^(vars\.[^\s{}]{1,200}|contact\.(name|phone))$/

/** Fills the placeholders of a template with values; braces around any other name are plain text. */
export function fillText(template: string, fillings: Fillings): string {
  let out = ''
  for (const { literal, name } of pieces(template)) {
    out += literal
    if (name !== null) out += valueOf(name, fillings)
  }
  return out
}

function valueOf(name: string, { vars, contact }: Fillings): string {
  if (name === 'contact.name') return contact.name ?? ''
  if (name === 'contact.phone') return contact.phone ?? ''
  const variable = name.slice('vars.'.length)
  return Object.hasOwn(vars, variable) ? (vars[variable] ?? '') : ''
}

/** Returns the names of a template's placeholders (`vars.city`, `contact.name`), each once, in their order. */
export function listPlaceholders(template: string): string[] {
  const names = new Set<string>()
  for (const { name } of pieces(template)) if (name !== null) names.add(name)
  return [...names]
}

/** Matches a short text between braces that looks like a name: `name`, `vars.city`, `اسم العميل`. */
const NAME_IN_BRACES = /^[\p{L}\p{M}\p{N}_.$ -]{1,100}$/u

/**
 * Returns the first name between double braces that is not filled in; null when there is none. A reader would see its
 * braces.
 */
export function findUnfilled(text: string, filled: readonly string[] = []): string | null {
  for (const stretch of text.split('}}').slice(0, -1)) {
    const open = stretch.lastIndexOf('{{')
    const name = open === -1 ? '' : stretch.slice(open + 2).trim()
    if (NAME_IN_BRACES.test(name) && !filled.includes(name)) return name
  }
  return null
}

/** Splits a template at its closing braces in linear time. */
function* pieces(template: string): Generator<Piece> {
  let at = 0
  for (let close = template.indexOf('}}'); close !== -1; close = template.indexOf('}}', at)) {
    const stretch = template.slice(at, close)
    const open = stretch.lastIndexOf('{{')
    const name = open === -1 ? '' : stretch.slice(open + 2).trim()
    at = close + 2
    if (PLACEHOLDER_NAME.test(name)) yield { literal: stretch.slice(0, open), name }
    else yield { literal: `${stretch}}}`, name: null }
  }
  yield { literal: template.slice(at), name: null }
}
