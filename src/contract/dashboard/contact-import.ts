import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { IMPORT_LIMITS, SEARCH_LIMITS } from '../../core/limits/contacts.ts'
import { DASHBOARD_LIMITS } from '../../core/limits/http.ts'
import { isCountry } from '../../rules/messaging/country-of-number.ts'
import {
  IMPORT_DELIMITERS,
  IMPORT_ENCODINGS,
  IMPORT_MODES,
  IMPORT_OUTCOMES,
  IMPORT_TARGETS,
  type ImportEncoding,
  type ImportMode,
  type ImportOutcome,
} from '../../core/vocabulary/contacts.ts'
import { breaks } from '../../schemas/broken-rule.ts'
import { fewEntries } from '../../schemas/few-entries.ts'
import { tagText } from './contact.ts'
import { formText } from '../../schemas/form-text.ts'
import type { LocalizedFact } from './told.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'

/** The name of the file, for people. */
export const UploadImport = z.object({ name: formText(1, IMPORT_LIMITS.nameChars) })
export type UploadImport = z.output<typeof UploadImport>

/** How a CSV file is to be read. A delimiter that is not given is found out, an encoding stays as it is. */
export const ReadImport = z.strictObject({
  delimiter: z.enum(IMPORT_DELIMITERS).optional(),
  encoding: z.enum(IMPORT_ENCODINGS).optional(),
})
export type ReadImport = z.output<typeof ReadImport>

const FIELD_TARGET = /^fields\.[a-z][a-z0-9_]{0,39}$/
const target = z.union([z.enum(IMPORT_TARGETS), z.string().regex(FIELD_TARGET)])

/**
 * `columns`: what of a contact a header of the file is. `mode`: what becomes of a contact that is there
 * already: empty values are filled, given ones overwritten, or it stays as it is. `country`: of numbers that come
 * without their country code, ISO 3166-1 alpha-2; without it such a number is kept as it is written and finds nobody.
 */
export const CheckImport = z.strictObject({
  columns: fewEntries(z.partialRecord(target, z.string().max(IMPORT_LIMITS.headerChars)), {
    most: IMPORT_LIMITS.headers,
    unit: 'fields',
  }),
  mode: z.enum(IMPORT_MODES).default('fill'),
  country: z
    .string()
    .refine(isCountry, breaks(fact('wrong_country')))
    .nullable()
    .default(null),
})
export type CheckImport = z.output<typeof CheckImport>

export type ContactImportState =
  | 'uploaded'
  | 'checking'
  | 'checked'
  | 'running'
  | 'done'
  | 'cancelled'
  | 'failed'

export type ContactImportView = {
  id: string
  name: string
  state: ContactImportState
  /** The first row of the file. */
  headers: string[]
  /** What stands between the cells, and how the letters are written; null of a workbook. */
  delimiter: string | null
  encoding: ImportEncoding | null
  /** The cells of the first rows. */
  sample: string[][]
  columns: Record<string, string> | null
  mode: ImportMode | null
  /** Of numbers without a country code. */
  country: string | null
  /** Rows below the header; null until they have been read. */
  rows: number | null
  /** Rows that have been read, while `rows` is null; then those that the check, or the import, has come to. */
  rowsDone: number
  /** Each row is counted once, in one of these five. Until it is started they say what would become of the rows. */
  created: number
  updated: number
  unchanged: number
  /** Rows of which an earlier row is of the same contact: they are one with it. */
  combined: number
  /** Rows with a fault. */
  leftOut: number
  /** Why it failed. */
  reason: LocalizedFact | null
  createdAt: string
  endedAt: string | null
}

/** The rows of an import: those with an outcome, or those of which a member should know something; from a row on. */
export const ImportRowsQuery = z.object({
  outcome: z.enum(IMPORT_OUTCOMES).optional(),
  listed: z.enum(['true']).optional(),
  after: z.coerce
    .number()
    .int()
    .min(0)
    .max(IMPORT_LIMITS.rows + 1)
    .default(0),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(DASHBOARD_LIMITS.pageItems)
    .default(DASHBOARD_LIMITS.pageItemsDefault),
})
export type ImportRowsQuery = z.output<typeof ImportRowsQuery>

export type ImportRowView = {
  /** Its number in the file; the header is row 1. */
  row: number
  outcome: ImportOutcome
  /** Of a combined row: the earlier one that it is one with. */
  intoRow: number | null
  contactId: string | null
  name: string | null
  /** As it will be dialled; of a number without its country as it was written. */
  phone: string | null
  email: string | null
  notes: { column: string | null; problem: LocalizedFact }[]
}

/** `nextAfter`: the `after` of the next part; null at the end. */
export type ImportRowsView = { items: ImportRowView[]; nextAfter: number | null }

/** Which contacts are written: all, or as the list finds them. */
export const ExportContacts = z
  .strictObject({
    q: formText(1, SEARCH_LIMITS.queryChars),
    tag: tagText,
    optedOut: z.boolean(),
    segmentId: uuidInput,
  })
  .partial()
  .default({})
export type ExportContacts = z.output<typeof ExportContacts>
