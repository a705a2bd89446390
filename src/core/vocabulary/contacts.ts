/** What made a contact. */
export const CONTACT_SOURCES = [
  'message',
  'hook',
  'member',
  'import',
  'booking_page',
  'enquiry',
] as const
export type ContactSource = (typeof CONTACT_SOURCES)[number]

/** How a contact was opted out or in. Spec: Contacts › Opt-out. */
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

/** What becomes of a contact that an import finds. Spec: Contacts › Import. */
export const IMPORT_MODES = ['fill', 'overwrite', 'skip'] as const
export type ImportMode = (typeof IMPORT_MODES)[number]

/** How the letters of a CSV file are written: Unicode, or what Windows writes in Arabic and in Western languages. */
export const IMPORT_ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1256',
  'windows-1252',
] as const
export type ImportEncoding = (typeof IMPORT_ENCODINGS)[number]

/** What may stand between the cells of a CSV file. */
export const IMPORT_DELIMITERS = [',', ';', '\t', '|'] as const
export type ImportDelimiter = (typeof IMPORT_DELIMITERS)[number]

/** What a column of a file can be of a contact; `fields.` goes on with the key of a field. */
export const IMPORT_TARGETS = ['name', 'phone', 'email', 'language', 'tags', 'opted_out'] as const
export type PlainTarget = (typeof IMPORT_TARGETS)[number]
export type ImportTarget = PlainTarget | `fields.${string}`

/** What becomes of a row of an import. Spec: Contacts › Import. */
export const IMPORT_OUTCOMES = ['created', 'updated', 'unchanged', 'combined', 'left_out'] as const
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number]

/** What a custom field of contacts may hold. Spec: Contacts › Fields. */
export const CONTACT_FIELD_KINDS = ['text', 'number', 'date', 'yes_no', 'choice'] as const
export type ContactFieldKind = (typeof CONTACT_FIELD_KINDS)[number]
