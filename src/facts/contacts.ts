import type { None } from './none.ts'

/** What is wrong with what members write of contacts, and why an act on one is refused. */
export type ContactFacts = {
  no_such_contact: None
  no_such_contact_field: None
  /** Another contact has the number. */
  contact_has_number: None
  contact_nameless: None
  field_not_number: None
  field_not_date: None
  unknown_contact_field: { key: string }
  contact_field_key_taken: None
  wrong_field_key: None
  choices_needed: None
  choices_not_wanted: None
  too_many_contact_fields: { most: number }
  too_many_tags: { most: number }
  no_such_tag: { tag: string }
  tag_job_under_way: None
  search_too_short: { least: number }
  search_too_wide: None
  merge_with_itself: None
  too_many_to_compare: None
  no_such_segment: None
  segment_name_taken: None
  too_many_segments: { most: number }
  too_many_to_count: None
  whole_reads_at_once: { most: number }
  no_such_import: None
  import_too_large: { most: number }
  import_body_type: None
  import_not_utf8: None
  import_without_rows: None
  import_header_twice: { header: string }
  import_too_many_headers: { most: number }
  import_unknown_header: { header: string }
  import_needs_column: None
  import_too_many_rows: { most: number }
  import_file_broken: { row: number }
  import_phone_rounded: None
  /** A later row of the file is of the same contact. */
  import_double: { row: number }
  import_stays_out: None
  import_not_checked: None
  import_over: None
  import_under_way: None
}
