import { z } from 'zod'
import { IMPORT_LIMITS, SEARCH_LIMITS } from '../../limits/contacts.ts'
import { IMPORT_TARGETS } from '../../rules/contacts/import-row.ts'
import { IMPORT_MODES, type ImportMode } from '../../vocabulary/contacts.ts'
import { tagText } from './contact.ts'
import { formText } from './text.ts'
import type { Told } from './told.ts'

/** The name of the file, for people. */
export const UploadImport = z.object({ name: formText(1, IMPORT_LIMITS.nameChars) })
export type UploadImport = z.output<typeof UploadImport>

const FIELD_TARGET = /^fields\.[a-z][a-z0-9_]{0,39}$/
const target = z.union([z.enum(IMPORT_TARGETS), z.string().regex(FIELD_TARGET)])

/**
 * `columns`: what of a contact a header of the file is. `mode`: what becomes of a contact that is there
 * already: empty values are filled, given ones overwritten, or it stays as it is.
 */
export const CheckImport = z.strictObject({
  columns: z.partialRecord(target, z.string().max(IMPORT_LIMITS.headerChars)),
  mode: z.enum(IMPORT_MODES).default('fill'),
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
  columns: Record<string, string> | null
  mode: ImportMode | null
  /** Rows below the header; null until they have been checked. */
  rows: number | null
  /** Rows that the check, or the import, has come to. */
  rowsDone: number
  created: number
  updated: number
  unchanged: number
  /** Rows with a fault, or that a later row of the file replaces. */
  leftOut: number
  /** Why it failed. */
  reason: Told | null
  createdAt: string
  endedAt: string | null
}

/** Which contacts are written: all, or as the list finds them. */
export const ExportContacts = z
  .strictObject({
    q: formText(1, SEARCH_LIMITS.queryChars),
    tag: tagText,
    optedOut: z.boolean(),
    segmentId: z.uuid(),
  })
  .partial()
  .default({})
export type ExportContacts = z.output<typeof ExportContacts>
