/** The numbers of contacts: what members write down of them, how they are searched. */
import { DAY_MS, SECOND_MS } from './units.ts'

/** Spec: Contacts › Tags; Contacts › Fields. */
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
  /** Of the accounts and merges of a contact, as they are listed. */
  identitiesShown: 100,
} as const

/** Ours. Spec: Contacts › Search. */
export const SEARCH_LIMITS = {
  queryChars: 200,
  /** Of a name that is searched: fewer letters find too much. */
  leastLetters: 3,
  /** Of the end of a phone. */
  leastLastDigits: 4,
  /** Letters of a word that is found also where a space stands in it. */
  leastAcross: 5,
  statementMs: 500,
  /** Of the search over all of a company: found at most, and of each kind. */
  found: 12,
  foundOfKind: 5,
  /** Of a list by tag: one that fewer have than a page in so many is looked up instead. */
  newestLookedAt: 20_000,
} as const

/** Ours. Spec: Contacts › Segments. */
export const SEGMENT_LIMITS = {
  segments: 100,
  nameChars: 80,
  days: 3_650,
  countMs: 5 * SECOND_MS,
} as const

/** Ours: counts and searches that look through all contacts of a company, over all processes. */
export const WHOLE_READS = {
  atOnce: 2,
  againMs: SECOND_MS,
} as const

/** Ours: contacts that may be one customer, as they are suggested. */
export const DUPLICATE_LIMITS = {
  /** Of many contacts with one value each is paired with so many that were made after it. */
  nextOfValue: 5,
  /** How long a number that went from one contact to another is a reason to look at the two. */
  movedMs: 90 * DAY_MS,
  statementMs: 5 * SECOND_MS,
} as const

/** Ours: what is done to many contacts is done in pages, each a transaction of its own. */
export const CONTACT_JOBS = {
  /** 200 events a second, which a merchant's endpoints can take. */
  page: 500,
  pageEveryMs: 2.5 * SECOND_MS,
  jobsAtOnce: 20,
  afterFaultMs: 5 * SECOND_MS,
} as const

/** Spec: Contacts › Import. */
export const IMPORT_LIMITS = {
  bytes: 20 * 1_048_576,
  rows: 200_000,
  nameChars: 200,
  headerChars: 200,
  headers: 200,
  /** What is read of the file at a time: a page, and at least one row. */
  partBytes: 1_048_576,
  /** Of the rows of a workbook, as text. */
  sheetBytes: 64 * 1_048_576,
  sheetMs: 60 * SECOND_MS,
  sheetMemoryMb: 384,
  /** Rows that are shown before the columns are said. */
  sampleRows: 3,
  /** A row that is longer has a quote that is never closed. */
  rowBytes: 262_144,
  /** Rows that a check reads, or decides, in one transaction. */
  checkPage: 2_000,
} as const
