/** The numbers of contacts: what members write down of them, how they are searched. */
import { SECOND_MS } from './units.ts'

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
} as const

/** Ours. Spec: Contacts › Search. */
export const SEARCH_LIMITS = {
  queryChars: 200,
  /** Of a name that is searched: fewer letters find too much. */
  leastLetters: 3,
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
  groups: 100,
  contactsOfGroup: 10,
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
  /** Faults of one import that are kept; the rows are counted all the same. */
  faults: 10_000,
  /** What is read of the file at a time: a page, and at least one row. */
  partBytes: 1_048_576,
  /** Rows that a check looks at in one transaction. */
  checkPage: 2_000,
} as const
