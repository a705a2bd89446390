import type { None } from './none.ts'

/** Reasons why changes to the assistant's knowledge are refused, and why a source could not be read. */
export type KnowledgeFacts = {
  no_such_source: None
  source_is_off: None
  sources_full: { max: number }
  /** Passages of a company over all its sources. */
  chunks_full: { max: number; count: number }
  synonyms_full: { max: number }
  no_such_synonym: None
  synonym_not_one_word: None
  synonym_of_no_words: None
  source_file_type: None
  source_file_body_type: None
  source_file_too_large: { max: number }
  /** The file's extension names another type. */
  source_file_differs: { name: string }
  source_has_no_text_to_edit: { kind: 'file' | 'page' }
  source_empty: None
  source_broken: None
  source_locked: None
  source_too_many_pages: { max: number }
  source_unpacks_too_large: { max: number }
  source_too_slow: { seconds: number }
  source_too_heavy: None
  /** The following are reasons why a web page is not read. */
  page_status: { status: number }
  page_too_many_redirects: { max: number }
  page_redirect_unusable: None
  page_too_large: { max: number }
  page_type: { mediaType: string }
  page_forbids_robots: None
  page_encoding: { encoding: string }
}
