/** The values that replace the placeholders of a broadcast for one contact. */
export type ValueSource = {
  contact: {
    name: string | null
    phone: string | null
    email: string | null
    fields: Readonly<Record<string, string>>
  }
  optOutLink: string
}

/** The placeholder of the link by which a contact opts out, without its braces. */
export const OPT_OUT_LINK = 'opt_out_link'
const FIELD = 'contact.fields.'
const PLAIN = ['name', 'phone', 'email'] as const

/** Returns the placeholders in a text, which are the contents of its double braces, each once, in their order. */
export function listValuePlaceholders(value: string): string[] {
  return [...new Set([...value.matchAll(BRACES)].map((match) => match[1]!.trim()))]
}

/** Returns whether a company whose contacts have these custom fields knows the placeholder. */
export function isValuePlaceholder(name: string, fieldKeys: readonly string[]): boolean {
  if (name === OPT_OUT_LINK || PLAIN.some((plain) => name === `contact.${plain}`)) return true
  return name.startsWith(FIELD) && fieldKeys.includes(name.slice(FIELD.length))
}

/**
 * Returns a template's value with its placeholders filled for one contact, or the name of the first placeholder that
 * is empty for the contact. Placeholders inside inserted values stay text. Spec: Broadcasts › Drafts; reading R4.
 */
export function fillValue(
  value: string,
  source: ValueSource,
): { ok: true; value: string } | { ok: false; reason: string } {
  let empty: string | null = null
  const filled = value.replaceAll(BRACES, (_whole, inside: string) => {
    const name = inside.trim()
    const text = valueOf(name, source).trim()
    if (text === '') empty ??= name
    return text
  })
  return empty === null ? { ok: true, value: filled } : { ok: false, reason: empty }
}

const BRACES = /\{\{([^{}]*)\}\}/g

function valueOf(name: string, { contact, optOutLink }: ValueSource): string {
  const property = contactPropertyOf(name)
  if (property === null) return optOutLink
  if ('plain' in property) return contact[property.plain] ?? ''
  return Object.hasOwn(contact.fields, property.field) ? contact.fields[property.field]! : ''
}

/** Returns which property of a contact a placeholder names, not its value; null for the opt-out link. */
export function contactPropertyOf(
  placeholder: string,
): { plain: (typeof PLAIN)[number] } | { field: string } | null {
  if (placeholder === OPT_OUT_LINK) return null
  const plain = PLAIN.find((key) => placeholder === `contact.${key}`)
  if (plain) return { plain }
  return { field: placeholder.startsWith(FIELD) ? placeholder.slice(FIELD.length) : '' }
}
