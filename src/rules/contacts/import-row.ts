import { numberKey } from '../identity/number-key.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { CONTACT_LIMITS } from '../../core/limits/contacts.ts'
import { DASHBOARD_LIMITS } from '../../core/limits/http.ts'
import type { ImportTarget, PlainTarget } from '../../core/vocabulary/contacts.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import { OPTED_OUT_WORDS } from '../../core/vocabulary/opted-out-words.ts'
import { readLanguage } from '../messaging/language-reading.ts'
import { readCsvCell } from '../text/csv-cell.ts'
import { foldText } from '../text/fold-text.ts'
import { cleanText, countCodePoints } from '../text/json-text.ts'
import { readFieldValue, type FieldDesign } from './field-value.ts'
import { digitsOfRawPhone, readImportedPhone } from './import-phone.ts'

/** A row in the form for the import. An empty cell is null, and does not clear the contact's value. */
export type ImportRow = {
  name: string | null
  phone: string | null
  rawPhone: string | null
  email: string | null
  language: Language | null
  tags: string[]
  fields: Record<string, string>
  /** `no` records the file's statement and opts no customer in. */
  optedOut: 'yes' | 'no' | null
}

/** An invalid cell of a row; the target is null for a fault of the whole row. */
export type CellFault = { target: ImportTarget | null; problem: Fact }

/** The settings of an import that decide how cells are read. */
export type ImportDesign = {
  fields: ReadonlyMap<string, FieldDesign>
  /** The country, as ISO 3166-1 alpha-2, of numbers without a country code; null when the member chose none. */
  country: string | null
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const spaced = (text: string) => foldText(text.replace(/[-_]/g, ' '))
const OUT_WORDS = new Map(
  (['yes', 'no'] as const).flatMap((means) =>
    OPTED_OUT_WORDS[means].map((word) => [spaced(word), means] as const),
  ),
)

/** Reads a cell into the row. Returns the issue of the cell, or null when its value is valid. */
type ReadCell = (into: ImportRow, text: string) => Fact | null

const READERS: Record<Exclude<PlainTarget, 'phone'>, ReadCell> = {
  name(into, text) {
    into.name = text
    return tooLong(text, CONTACT_LIMITS.nameChars)
  },
  email(into, text) {
    into.email = text
    // The length is checked first, because the pattern backtracks on a long row of dots.
    const long = tooLong(text, DASHBOARD_LIMITS.emailChars)
    return long ?? (EMAIL.test(text) ? null : fact('wrong_email'))
  },
  language(into, text) {
    into.language = readLanguage(text)
    return into.language === null ? fact('not_a_choice', { choices: ['ar', 'en'] }) : null
  },
  tags(into, text) {
    into.tags = text.split(/[,;،؛|]/).flatMap((tag) => tag.trim() || [])
    const isTooMany = new Set(into.tags.map((tag) => tag.toLowerCase())).size > CONTACT_LIMITS.tags
    return firstProblem([
      ...into.tags.map((tag) => tooLong(tag, CONTACT_LIMITS.tagChars)),
      isTooMany ? fact('too_many_tags', { max: CONTACT_LIMITS.tags }) : null,
    ])
  },
  opted_out(into, text) {
    into.optedOut = OUT_WORDS.get(spaced(text)) ?? null
    // An unknown word must not count as "no": an opted-out customer would then get messages.
    const choices = Object.values(OPTED_OUT_WORDS).flat()
    return into.optedOut === null ? fact('not_a_choice', { choices }) : null
  },
}

/**
 * Returns the values of one row of an imported file of contacts, and the faults of its cells. A row with faults is
 * returned too, in part with invalid values: the import uses only an opt-out of it. Pure.
 *
 * Spec: Contacts › Import.
 */
export function readImportRow(
  cells: ReadonlyMap<ImportTarget, string>,
  { fields: designs, country }: ImportDesign,
): { row: ImportRow; faults: CellFault[] } {
  const faults: CellFault[] = []
  const readers = { ...READERS, phone: readPhoneCell }
  const row = emptyRow()
  for (const [target, cell] of cells) {
    const text = readCsvCell(cleanText(cell).trim()).trim()
    if (text === '') continue
    const isBroken = ONE_LINE.has(target) && /[\r\n]/.test(text)
    const problem = isBroken ? fact('import_line_break') : readCell(row, target, text)
    if (problem) faults.push({ target, problem })
  }
  if (row.name === null && row.phone === null && row.email === null && faults.length === 0) {
    faults.push({ target: null, problem: fact('import_row_nameless') })
  }
  return { row, faults }

  function readCell(into: ImportRow, target: ImportTarget, text: string): Fact | null {
    if (Object.hasOwn(readers, target)) {
      return readers[target as keyof typeof readers](into, text)
    }
    const key = target.slice('fields.'.length)
    const design = designs.get(key)
    if (!design) return fact('unknown_contact_field', { key })
    const read = readFieldValue(text, design)
    if (!read.ok) return read.reason
    into.fields[key] = read.value
    return null
  }

  function readPhoneCell(into: ImportRow, text: string): Fact | null {
    const read = readImportedPhone(text, country)
    if (!read.ok) return read.fault
    Object.assign(into, read.value)
    return null
  }
}

const firstProblem = (problems: (Fact | null)[]) => problems.find((one) => one !== null) ?? null

function tooLong(text: string, max: number): Fact | null {
  const count = countCodePoints(text)
  return count > max ? fact('too_long', { min: 1, max, count }) : null
}

/** Cells of one line. A line break in them comes from an unclosed quote, or from several customers in one cell. */
const ONE_LINE: ReadonlySet<ImportTarget> = new Set(['name', 'phone', 'email', 'language'])

/**
 * Returns the key of a row, or null: rows of a file with the same key belong to one contact. The number decides.
 * Without one it is the e-mail address together with the digits of a number of unknown country. Null when the row has
 * neither.
 *
 * Spec: Contacts › Import.
 */
export function keyOfRow({ phone, rawPhone, email }: ImportRow): string | null {
  if (phone !== null) return `number ${numberKey(phone.slice(1))}`
  if (email === null) return null
  const digits = rawPhone === null ? '' : digitsOfRawPhone(rawPhone)
  return `e-mail ${email.toLowerCase()} ${digits}`
}

/**
 * Combines two rows of a file that are one contact. The later row wins in cells that both have, the tags of both are
 * joined with their duplicates, and the contact is opted out if either row says so. Pure.
 *
 * Spec: Contacts › Import.
 */
export function combineRows(earlier: ImportRow, later: ImportRow): ImportRow {
  return {
    name: later.name ?? earlier.name,
    phone: later.phone ?? earlier.phone,
    rawPhone: later.rawPhone ?? earlier.rawPhone,
    email: later.email ?? earlier.email,
    language: later.language ?? earlier.language,
    tags: [...earlier.tags, ...later.tags],
    fields: { ...earlier.fields, ...later.fields },
    optedOut:
      earlier.optedOut === 'yes' || later.optedOut === 'yes'
        ? 'yes'
        : (later.optedOut ?? earlier.optedOut),
  }
}

/** Returns an import row without values. */
export const emptyRow = (): ImportRow => ({
  name: null,
  phone: null,
  rawPhone: null,
  email: null,
  language: null,
  tags: [],
  fields: {},
  optedOut: null,
})
