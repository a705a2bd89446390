/** The limits of contacts: their data, searches and jobs. */
import { DAY_MS, SECOND_MS } from './units.ts'

/**
 * Limits of the data of contacts: tags, custom fields, names and phone numbers. Spec: Contacts › Tags; Contacts ›
 * Fields.
 */
export const CONTACT_LIMITS = {
  tags: 50,
  tagChars: 50,
  /** Fields of a company, archived ones too. */
  fields: 50,
  fieldKeyChars: 40,
  fieldLabelChars: 80,
  fieldValueChars: 1_000,
  choices: 50,
  nameChars: 200,
  rawPhoneChars: 64,
  reasonChars: 500,
} as const

/** Limits of the search of contacts, and of the search over everything in a company. Spec: Contacts › Search. */
export const SEARCH_LIMITS = {
  queryChars: 200,
  /** Letters of a searched name; fewer would match too many contacts. */
  minLetters: 3,
  /** Digits of the end of a phone number. */
  minLastDigits: 4,
  /** Letters of a word that is also found with a space inside it. */
  minAcross: 5,
  statementMs: 500,
  /** Results of the company-wide search, in total and of each kind. */
  found: 12,
  foundOfKind: 5,
  /** Newest contacts scanned for a list by tag; a tag with less than a page among them is looked up by index. */
  newestLookedAt: 20_000,
} as const

/** Limits of segments, and of counting their contacts. Spec: Contacts › Segments. */
export const SEGMENT_LIMITS = {
  segments: 100,
  nameChars: 80,
  days: 3_650,
  countMs: 5 * SECOND_MS,
} as const

/** Internal limits of counts and searches that read all contacts of a company, over all processes. */
export const WHOLE_READS = { maxConcurrent: 2, againMs: SECOND_MS } as const

/** Internal limits of suggestions that contacts may be the same customer. */
export const DUPLICATE_LIMITS = {
  /** Later contacts with which each contact of a shared value is paired. */
  nextOfValue: 5,
  /** Period in which a number that moved between contacts is a reason to suggest both. */
  movedMs: 90 * DAY_MS,
  statementMs: 5 * SECOND_MS,
} as const

/** Internal limits of bulk jobs on contacts, which run page by page, one transaction each. */
export const CONTACT_JOBS = {
  /** 200 events a second, which a merchant's endpoints can take. */
  page: 500,
  pageEveryMs: 2.5 * SECOND_MS,
  jobsPerPass: 20,
  retryMs: 5 * SECOND_MS,
} as const

/** Limits of files of contacts that members import. Spec: Contacts › Import. */
export const IMPORT_LIMITS = {
  bytes: 20 * 1_048_576,
  rows: 200_000,
  nameChars: 200,
  headerChars: 200,
  headers: 200,
  /** Bytes of the file that are read at a time: a page, and at least one row. */
  partBytes: 1_048_576,
  /** Size of a workbook's rows as text. */
  sheetBytes: 64 * 1_048_576,
  sheetMs: 60 * SECOND_MS,
  sheetMemoryMb: 384,
  /** Rows that are shown while a member assigns the columns. */
  sampleRows: 3,
  /** A row that is longer has a quote that is never closed. */
  rowBytes: 262_144,
  /** Rows that a check reads, or decides, in one transaction. */
  checkPage: 2_000,
} as const

/** Limits of joins: larger groups come from a broken provider or a shared telephone. Spec: reading J9. */
export const IDENTITY_LIMITS = {
  /** Identities that one fact joins. */
  joinedByFact: 8,
  /** Identities of a contact, and identifiers of one kind of an identity. */
  ofContact: 50,
} as const
