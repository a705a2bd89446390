/** Of a case: its name, and what is for people. */
const FOR_PEOPLE = ['id', 'group', 'why', 'line', 'ambiguous', 'reading']

/** The first field of a case that is neither for people nor one of the `known`; null when there is none. */
export function unknownField(one: object, known: readonly string[]): string | null {
  const fields = Object.keys(one)
  return fields.find((field) => !known.includes(field) && !FOR_PEOPLE.includes(field)) ?? null
}
