import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { IMPORT_LIMITS, SEARCH_LIMITS } from '../../core/limits/contacts.ts'
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
import { failsWith } from '../../schemas/broken-rule.ts'
import { limitEntries } from '../../schemas/limit-entries.ts'
import { tagText } from './contact.ts'
import { formText } from '../../schemas/form-text.ts'
import type { LocalizedFact } from './localized-fact.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'
import { PageQuery, type Page } from './page.ts'
import type { Bytes, Route } from './route.ts'

/** The name of an uploaded file, which members see. */
export const UploadImport = z.object({ name: formText(1, IMPORT_LIMITS.nameChars) })
export type UploadImport = z.output<typeof UploadImport>

/** The format of a CSV file. A missing delimiter is detected; a missing encoding stays unchanged. */
export const ReadImport = z.strictObject({
  delimiter: z.enum(IMPORT_DELIMITERS).optional(),
  encoding: z.enum(IMPORT_ENCODINGS).optional(),
})
export type ReadImport = z.output<typeof ReadImport>

const FIELD_TARGET = /^fields\.[a-z][a-z0-9_]{0,39}$/
const target = z.union([z.enum(IMPORT_TARGETS), z.string().regex(FIELD_TARGET)])

/**
 * The choices for an import. `columns` maps fields of contacts to headers of the file. `mode` says how a row changes
 * an existing contact: it fills empty values, overwrites given ones, or changes nothing. `country` (ISO 3166-1
 * alpha-2) completes numbers without a country code. Without it such a number is stored as written and matches no
 * contact.
 */
export const CheckImport = z.strictObject({
  columns: limitEntries(z.partialRecord(target, z.string().max(IMPORT_LIMITS.headerChars)), {
    max: IMPORT_LIMITS.headers,
    unit: 'fields',
  }),
  mode: z.enum(IMPORT_MODES).default('fill'),
  country: z
    .string()
    .refine(isCountry, failsWith(fact('wrong_country')))
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
  /** Delimiter and encoding of a CSV file; null for a workbook. */
  delimiter: string | null
  encoding: ImportEncoding | null
  /** The cells of the first rows. */
  sample: string[][]
  columns: Record<string, string> | null
  mode: ImportMode | null
  /** The country of numbers without a country code. */
  country: string | null
  /** Rows below the header; null until they have been read. */
  rows: number | null
  /** Rows that have been read, while `rows` is null; later the rows that were checked or imported. */
  rowsDone: number
  /** Each row counts in exactly one of these five. Before the start they are a forecast. */
  created: number
  updated: number
  unchanged: number
  /** Rows of which an earlier row is of the same contact: they are one with it. */
  combined: number
  /** Rows with an error. */
  leftOut: number
  /** The reason for the failure. */
  reason: LocalizedFact | null
  createdAt: string
  endedAt: string | null
}

/** A query for the rows of an import from a row on: those with an outcome, or those that need a member's attention. */
export const ImportRowsQuery = z.object({
  outcome: z.enum(IMPORT_OUTCOMES).optional(),
  listed: z.enum(['true']).optional(),
  after: z.coerce
    .number()
    .int()
    .min(0)
    .max(IMPORT_LIMITS.rows + 1)
    .default(0),
  limit: PageQuery.shape.limit,
})
export type ImportRowsQuery = z.output<typeof ImportRowsQuery>

export type ImportRowView = {
  /** The row's number in the file; the header is row 1. */
  row: number
  outcome: ImportOutcome
  /** The earlier row with which a combined row was merged. */
  intoRow: number | null
  contactId: string | null
  name: string | null
  /** The number in international form, or as written if its country is unknown. */
  phone: string | null
  email: string | null
  /** The problems of the row. Each text is a whole sentence, which names the column. */
  notes: { column: string | null; problem: LocalizedFact }[]
}

/** `nextAfter`: the `after` of the next part; null at the end. */
export type ImportRowsView = { items: ImportRowView[]; nextAfter: number | null }

/** The contacts to export: all, or those that a list filter finds. */
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

export interface ContactImportRoutes {
  '/companies/:companyId/contact-imports': {
    get: Route<Page<ContactImportView>, { query: typeof PageQuery }>
    post: Route<ContactImportView, { query: typeof UploadImport }>
  }
  '/companies/:companyId/contact-imports/:importId': { get: Route<ContactImportView> }
  '/companies/:companyId/contact-imports/:importId/read': {
    post: Route<ContactImportView, { json: typeof ReadImport }>
  }
  '/companies/:companyId/contact-imports/:importId/check': {
    post: Route<ContactImportView, { json: typeof CheckImport }>
  }
  '/companies/:companyId/contact-imports/:importId/start': { post: Route<ContactImportView> }
  '/companies/:companyId/contact-imports/:importId/cancel': { post: Route<ContactImportView> }
  '/companies/:companyId/contact-imports/:importId/rows': {
    get: Route<ImportRowsView, { query: typeof ImportRowsQuery }>
  }
  '/companies/:companyId/contact-imports/:importId/rows.csv': { get: Route<Bytes> }
  '/companies/:companyId/contact-exports': { post: Route<Bytes, { json: typeof ExportContacts }> }
}
