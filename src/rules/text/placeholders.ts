/** What placeholders are filled from. */
export type Fillings = {
  /** Read as `{{vars.<name>}}`. */
  vars: Readonly<Record<string, string | null>>
  /** Read as `{{contact.name}}` and `{{contact.phone}}`. */
  contact: { name: string | null; phone: string | null }
}

type Piece = { literal: string; name: string | null }

/** Braces around anything else are plain text. */
const PLACEHOLDER_NAME = /^(vars\.[^\s{}]{1,200}|contact\.(name|phone))$/

/**
 * Fills the placeholders of a message text or template parameter. One that is unknown or null comes
 * out empty. Inserted values are not looked at again. Spec: Calls › Filling in.
 */
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

/** The names of a template's placeholders (`vars.city`, `contact.name`), each once, in their order. */
export function listPlaceholders(template: string): string[] {
  const names = new Set<string>()
  for (const { name } of pieces(template)) if (name !== null) names.add(name)
  return [...names]
}

/** What is between two pairs of braces, where it is short and looks like a name: `name`, `vars.city`, `اسم العميل`. */
const NAME_IN_BRACES = /^[\p{L}\p{M}\p{N}_.$ -]{1,100}$/u

/**
 * Returns the first name between double braces that is none of those that are filled in; null where there is none.
 * A reader would see the braces.
 */
export function findUnfilled(text: string, filled: readonly string[] = []): string | null {
  for (const stretch of text.split('}}').slice(0, -1)) {
    const open = stretch.lastIndexOf('{{')
    const name = open === -1 ? '' : stretch.slice(open + 2).trim()
    if (NAME_IN_BRACES.test(name) && !filled.includes(name)) return name
  }
  return null
}

/** Cuts a template at its closing braces; each stretch is looked at once. */
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
