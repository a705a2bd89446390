import { fact, type Fact } from '../../facts/fact.ts'
import { CONTACT_LIMITS } from '../../limits/contacts.ts'
import { DASHBOARD_LIMITS } from '../../limits/doors.ts'
import type { Language } from '../../vocabulary/hooks.ts'
import { OPTED_OUT_WORDS } from '../../vocabulary/opted-out-words.ts'
import { readLanguage } from '../messaging/language-reading.ts'
import { readPhone } from '../messaging/phone-reading.ts'
import { readCsvCell } from '../text/csv-cell.ts'
import { foldText } from '../text/fold-text.ts'
import { cleanText, countCodePoints } from '../text/json-text.ts'
import { readFieldValue, type FieldDesign } from './field-value.ts'

/** What a column of a file can be of a contact; `fields.` goes on with the key of a field. */
export const IMPORT_TARGETS = ['name', 'phone', 'email', 'language', 'tags', 'opted_out'] as const
export type ImportTarget = (typeof IMPORT_TARGETS)[number] | `fields.${string}`

/** A row as it is brought in. An empty cell is null, and takes nothing away. */
export type ImportRow = {
  name: string | null
  phone: string | null
  rawPhone: string | null
  email: string | null
  language: Language | null
  tags: string[]
  fields: Record<string, string>
  /** `no`: the file says so, which opts nobody in. */
  optedOut: 'yes' | 'no' | null
}

export type CellFault = { target: ImportTarget; problem: Fact }

export type ImportDesign = {
  fields: ReadonlyMap<string, FieldDesign>
  /** Of the company's numbers, where they are all of one. */
  country: string
}

/** What a spreadsheet makes of a long number: its last digits are lost. */
const ROUNDED = /^\d([.,]\d+)?E\+?\d+$/i
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const spaced = (text: string) => foldText(text.replace(/[-_]/g, ' '))
const OUT_WORDS = new Map(
  (['yes', 'no'] as const).flatMap((means) =>
    OPTED_OUT_WORDS[means].map((word) => [spaced(word), means] as const),
  ),
)

/** What is wrong with a cell; null once its value is in the row. */
type ReadCell = (into: ImportRow, text: string) => Fact | null

const READERS: Record<Exclude<(typeof IMPORT_TARGETS)[number], 'phone'>, ReadCell> = {
  name(into, text) {
    into.name = text
    return tooLong(text, CONTACT_LIMITS.nameChars)
  },
  email(into, text) {
    into.email = text
    // Of a long row of dots each is tried as the last one.
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
      isTooMany ? fact('too_many_tags', { most: CONTACT_LIMITS.tags }) : null,
    ])
  },
  opted_out(into, text) {
    into.optedOut = OUT_WORDS.get(spaced(text)) ?? null
    // Taken for no, it would have somebody written to who has opted out.
    const choices = Object.values(OPTED_OUT_WORDS).flat()
    return into.optedOut === null ? fact('not_a_choice', { choices }) : null
  },
}

/**
 * Reads one row of a file. A row of which one cell is wrong is left out whole: its faults say which. Pure.
 *
 * Spec: Contacts › Import.
 */
export function readImportRow(
  cells: ReadonlyMap<ImportTarget, string>,
  { fields: designs, country }: ImportDesign,
): { row: ImportRow; faults: CellFault[] } {
  const faults: CellFault[] = []
  const readers = { ...READERS, phone: readPhoneCell }
  const row: ImportRow = {
    name: null,
    phone: null,
    rawPhone: null,
    email: null,
    language: null,
    tags: [],
    fields: {},
    optedOut: null,
  }
  for (const [target, cell] of cells) {
    const text = readCsvCell(cleanText(cell).trim()).trim()
    if (text === '') continue
    const problem = readCell(row, target, text)
    if (problem) faults.push({ target, problem })
  }
  if (row.name === null && row.phone === null && row.email === null && faults.length === 0) {
    faults.push({ target: 'name', problem: fact('contact_nameless') })
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
    if (ROUNDED.test(text)) return fact('import_phone_rounded')
    const read = readPhone(text, country)
    if (read.ok) into.phone = read.value
    else if (/\p{N}{4}/u.test(text.replace(/[\s().-]/g, ''))) into.rawPhone = text
    else return fact('invalid_phone')
    return tooLong(text, CONTACT_LIMITS.rawPhoneChars)
  }
}

const firstProblem = (problems: (Fact | null)[]) => problems.find((one) => one !== null) ?? null

function tooLong(text: string, most: number): Fact | null {
  const count = countCodePoints(text)
  return count > most ? fact('too_long', { least: 1, most, count }) : null
}

/** By what a row is known again in its file: of two with one of them the last counts. */
export function keysOfRow({ phone, email }: ImportRow): string[] {
  if (phone !== null) return [`phone ${phone}`]
  return email === null ? [] : [`email ${email.toLowerCase()}`]
}
