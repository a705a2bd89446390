import type { ContactFacts } from '../../facts/contacts.ts'
import { written } from '../counted.ts'
import { quotedInEnglish } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

export const EN_CONTACTS: Sentences<ContactFacts> = {
  no_such_contact: () => 'There is no such contact.',
  no_such_contact_field: () => 'There is no such field.',
  contact_has_number: () => 'Another contact has this number: find it by the number.',
  contact_nameless: () => 'is needed, or a phone or an email: the contact could not be found again',
  field_not_number: () => 'must be a number, such as 12 or 12.5',
  field_not_date: () => 'must be a date, such as 2026-11-21',
  unknown_contact_field: ({ key }) =>
    `names no field of this company, or an archived one: ${quotedInEnglish(key)}`,
  contact_field_key_taken: () => 'is the key of another field, which may be archived',
  wrong_field_key: () =>
    'must start with a lower-case letter and have up to 40 of a-z, 0-9 and _ only',
  choices_needed: () => 'is needed: a field of kind choice has at least one',
  choices_not_wanted: () => 'is only of fields of kind choice',
  too_many_contact_fields: ({ most }) =>
    `There are ${most} fields already, archived ones included. Bring an archived one back instead.`,
  too_many_tags: ({ most }) => `would leave the contact with more than ${most} tags`,
  no_such_tag: ({ tag }) => `No contact has the tag ${quotedInEnglish(tag)}.`,
  tag_job_under_way: () =>
    'Another tag of this company is being renamed or deleted. Try again once that is done.',
  search_too_short: ({ least }) =>
    `needs at least ${least} letters of a name, or a whole number, e-mail address or id`,
  merge_with_itself: () => 'is the contact itself: name another one',
  too_many_to_compare: () =>
    'There are too many contacts to look through in time. Try again when the service is less busy.',
  no_such_segment: () => 'There is no such segment.',
  segment_name_taken: () => 'is the name of another segment',
  too_many_segments: ({ most }) => `There are ${most} segments already. Delete one first.`,
  too_many_to_count: () =>
    'There are too many contacts to count in time. Narrow the filter, or try again later.',
  whole_reads_at_once: ({ most }) =>
    `At most ${most} counts or searches over all contacts of a company are made at once. Try again when one of them is done.`,
  no_such_import: () => 'There is no such import.',
  import_too_large: ({ most }) =>
    `The file has more than ${written(most)} bytes. Split it, and import the parts one after the other.`,
  import_body_type: () => 'Send the file itself as the body, with content-type text/csv.',
  import_not_utf8: () =>
    'The file is not UTF-8. Save it as “CSV UTF-8”: names in Arabic would else be lost.',
  import_without_rows: () =>
    'The file has no rows: its first row is taken for the names of the columns.',
  import_header_twice: ({ header }) =>
    `Two columns of the file have the name ${quotedInEnglish(header)}. Rename one of them.`,
  import_too_many_headers: ({ most }) => `The file has more than ${most} columns.`,
  import_unknown_header: ({ header }) => `names no column of the file: ${quotedInEnglish(header)}`,
  import_needs_column: () => 'needs a column for name, phone or email at least',
  import_too_many_rows: ({ most }) =>
    `The file has more than ${written(most)} rows. Split it, and import the parts one after the other.`,
  import_file_broken: ({ row }) =>
    `The file cannot be read after row ${row}: a quote is opened there and never closed, or the row is too long.`,
  import_phone_rounded: () =>
    'was rounded by a spreadsheet, such as 9.66E+11: format the column as text and save the file anew',
  import_double: ({ row }) => `is the same contact as row ${row}, which counts instead`,
  import_stays_out: () => 'opts nobody in: the contact stays opted out',
  import_not_checked: () => 'Check the import first, and look at what it found.',
  import_over: () => 'The import is over.',
  import_under_way: () => 'The import is being checked or is running. Cancel it first.',
  search_too_wide: () => 'fits too many contacts: write more of the name',
}
