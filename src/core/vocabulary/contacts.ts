/** The requests that create contacts. */
export const CONTACT_SOURCES = [
  'message',
  'hook',
  'member',
  'import',
  'booking_page',
  'enquiry',
] as const
export type ContactSource = (typeof CONTACT_SOURCES)[number]

/** Ways in which a contact was opted out or in. Spec: Contacts › Opt-out. */
export const OPT_OUT_HOWS = [
  'stop',
  'start',
  'link',
  'member',
  'import',
  'merge',
  'erased',
] as const
export type OptOutHow = (typeof OPT_OUT_HOWS)[number]

/** Modes of an import for contacts that exist already. Spec: Contacts › Import. */
export const IMPORT_MODES = ['fill', 'overwrite', 'skip'] as const
export type ImportMode = (typeof IMPORT_MODES)[number]

/** Encodings of a CSV file: Unicode, or those of Windows for Arabic and Western languages. */
export const IMPORT_ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1256',
  'windows-1252',
] as const
export type ImportEncoding = (typeof IMPORT_ENCODINGS)[number]

/** Delimiters of a CSV file. */
export const IMPORT_DELIMITERS = [',', ';', '\t', '|'] as const
export type ImportDelimiter = (typeof IMPORT_DELIMITERS)[number]

/** Targets of a file's column; `fields.` is followed by the key of a field. */
export const IMPORT_TARGETS = ['name', 'phone', 'email', 'language', 'tags', 'opted_out'] as const
export type PlainTarget = (typeof IMPORT_TARGETS)[number]
export type ImportTarget = PlainTarget | `fields.${string}`

/** Outcomes of an imported row. Spec: Contacts › Import. */
export const IMPORT_OUTCOMES = ['created', 'updated', 'unchanged', 'combined', 'left_out'] as const
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number]

/** Types of a contact's custom field. Spec: Contacts › Fields. */
export const CONTACT_FIELD_KINDS = ['text', 'number', 'date', 'yes_no', 'choice'] as const
export type ContactFieldKind = (typeof CONTACT_FIELD_KINDS)[number]
