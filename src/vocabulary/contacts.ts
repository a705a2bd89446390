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

/** What a custom field of contacts may hold. Spec: Contacts › Fields. */
export const CONTACT_FIELD_KINDS = ['text', 'number', 'date', 'yes_no', 'choice'] as const
export type ContactFieldKind = (typeof CONTACT_FIELD_KINDS)[number]
