import type { None } from './none.ts'

/** Reasons why changes to contacts and actions on them are refused. */
export type ContactFacts = {
  no_such_contact: None
  no_such_contact_field: None
  /** `contactId` is the other contact that has the number. */
  contact_has_number: { contactId: string }
  contact_nameless: None
  field_not_number: None
  field_not_date: None
  unknown_contact_field: { key: string }
  contact_field_key_taken: None
  wrong_field_key: None
  choices_needed: None
  choices_not_wanted: None
  too_many_contact_fields: { max: number }
  too_many_tags: { max: number }
  no_such_tag: { tag: string }
  tag_job_under_way: None
  search_too_short: { min: number }
  search_too_wide: None
  merge_with_itself: None
  not_merged_into_this: None
  /** The contact was merged into one that was erased, so no data of it is stored. */
  merged_contact_erased: None
  too_many_to_compare: None
  no_such_segment: None
  segment_name_taken: None
  too_many_segments: { max: number }
  too_many_to_count: None
  whole_reads_at_once: { max: number }
  no_such_import: None
  import_too_large: { max: number }
  import_body_type: None
  import_wrong_encoding: None
  import_no_csv: None
  /** A workbook that is locked, damaged, or of an older kind. */
  import_sheet_broken: None
  import_sheet_too_large: None
  import_without_rows: None
  import_header_twice: { header: string }
  import_too_many_headers: { max: number }
  import_unknown_header: { header: string }
  import_needs_column: None
  import_too_many_rows: { max: number }
  /** The file quotes a cell and does not end it before the next row. */
  import_quote_open: None
  import_line_break: None
  import_phone_rounded: None
  import_phone_several: None
  /** `row` is an earlier row of the file with the same contact; both rows are combined. */
  import_double: { row: number }
  /** The number of the row is one contact's, its e-mail address another's. */
  email_of_another: None
  /** Several contacts have the e-mail address, and the row has no number. */
  email_of_several: None
  import_stays_out: None
  /** The row has nothing by which its contact could be found again. */
  import_row_nameless: None
  /** The sentence about a cell, or about a whole row, that an import notes. */
  import_cell: { column: string; said: object }
  import_row: { said: object }
  import_not_checked: None
  import_over: None
  import_under_way: None
}
