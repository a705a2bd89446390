/** The limits of the assistant's knowledge, each with its unit in the name. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './units.ts'

/** Limits of knowledge sources: their number, their texts, and reading them. Spec: Assistant › Knowledge. */
export const KNOWLEDGE_LIMITS = {
  sources: 1_000,
  chunks: 20_000,
  titleChars: 200,
  textChars: 40_000,
  questionChars: 500,
  answerChars: 4_000,
  fileBytes: 10 * 1_048_576,
  pdfPages: 200,
  /** Unpacked size of a compressed document, such as DOCX. */
  unpackedBytes: 100 * 1_048_576,
  readMs: 30 * SECOND_MS,
  readMemoryMb: 256,
  urlChars: 2_048,
  pageBytes: 2 * 1_048_576,
  redirects: 3,
  pageEveryMs: DAY_MS,
  synonyms: 500,
  synonymChars: 60,
  meanings: 10,
} as const

/** Limits of the chunks into which a source is split for the search. Spec: Assistant › Knowledge. */
export const CHUNK_LIMITS = {
  /** Between these a chunk ends where a paragraph or a sentence does. */
  minChars: 500,
  maxChars: 900,
  headingChars: 200,
} as const

/** Limits of one search for knowledge. Spec: Assistant › Knowledge. */
export const KNOWLEDGE_SEARCH = {
  wordings: 3,
  wordingChars: 500,
  chunks: 6,
  chars: 6_000,
  /** Different words of a query that are searched. */
  words: 40,
  termChars: 64,
  /** Similar words that replace a word without chunks, and their minimum similarity. */
  likeWords: 5,
  minSimilarity: 0.35,
  /** Other forms of a word that are searched. */
  forms: 12,
  /** Positions of terms that are read; frequent terms are cut off. */
  places: 4_000,
  /** Share of a question's words, weighted by rarity, that a chunk must match. */
  minShare: 0.15,
} as const

/** Internal limits of reading sources and fetching pages. */
export const KNOWLEDGE_ENGINE = {
  maxConcurrent: 2,
  leaseMs: 3 * MINUTE_MS,
  /** Time for one page with its redirects. */
  fetchMs: 20 * SECOND_MS,
  connectMs: 5 * SECOND_MS,
  robotsBytes: 262_144,
  /** A page that could not be fetched is tried again after try n (1-based), then daily. */
  retryDelaysMs: [10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS],
  /** Attempts to read a source that is no page: each of them crashed its process. */
  fileAttempts: 3,
  /** Chunks that are written in one statement. */
  chunksPerWrite: 200,
} as const
