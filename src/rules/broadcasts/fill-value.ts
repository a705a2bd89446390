/** The values of a broadcast's placeholders. */
export type ValueSource = {
  contact: {
    name: string | null
    phone: string | null
    email: string | null
    fields: Readonly<Record<string, string>>
  }
  optOutLink: string
}

export const OPT_OUT_LINK = 'opt_out_link'
const FIELD = 'contact.fields.'
const PLAIN = ['name', 'phone', 'email'] as const

/** Returns the contents of all double braces, each once, in their order. */
export function listValuePlaceholders(value: string): string[] {
  return [...new Set([...value.matchAll(BRACES)].map((match) => match[1]!.trim()))]
}

/** Returns whether a placeholder is known in a company with these fields. */
export function isValuePlaceholder(name: string, fieldKeys: readonly string[]): boolean {
  if (name === OPT_OUT_LINK || PLAIN.some((plain) => name === `contact.${plain}`)) return true
  return name.startsWith(FIELD) && fieldKeys.includes(name.slice(FIELD.length))
}

/**
 * Fills the placeholders of a template's value for one contact. It is refused with the name of the first placeholder
 * that is empty for the contact. Placeholders inside inserted values stay text. Spec: Broadcasts › Drafts; reading R4.
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
  const value = valueNamed(name)
  if (value === null) return optOutLink
  if ('plain' in value) return contact[value.plain] ?? ''
  return Object.hasOwn(contact.fields, value.field) ? contact.fields[value.field]! : ''
}

/** Returns the property of a contact that a placeholder names; null for the opt-out link, which is no property. */
export function valueNamed(
  placeholder: string,
): { plain: (typeof PLAIN)[number] } | { field: string } | null {
  if (placeholder === OPT_OUT_LINK) return null
  const plain = PLAIN.find((key) => placeholder === `contact.${key}`)
  if (plain) return { plain }
  return { field: placeholder.startsWith(FIELD) ? placeholder.slice(FIELD.length) : '' }
}
