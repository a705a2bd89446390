import type { ContactFacts } from '../../core/facts/contacts.ts'
import { written } from '../counted.ts'
import { quotedInEnglish } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

export const EN_CONTACTS: Catalog<ContactFacts> = {
  no_such_contact: () => 'No contact with this ID.',
  no_such_contact_field: () => 'No custom field with this ID.',
  contact_has_number: () =>
    'Another contact already has this number. Open it, or merge the two if they’re the same customer.',
  contact_nameless: () =>
    'is required unless there’s a phone number or email; without any of them the contact couldn’t be found again',
  field_not_number: () => 'must be a number, such as 12 or 12.5',
  field_not_date: () => 'must be a date, such as 2026-11-21',
  unknown_contact_field: ({ key }) =>
    `isn’t a custom field of this company, or is archived: ${quotedInEnglish(key)}`,
  contact_field_key_taken: () => 'is already used by another field, which may be archived',
  wrong_field_key: () =>
    'must start with a lower-case letter and contain only a–z, 0–9 and _, up to 40 characters',
  choices_needed: () => 'is required: a choice field needs at least one',
  choices_not_wanted: () => 'applies only to choice fields',
  too_many_contact_fields: ({ max }) =>
    `You already have ${max} custom fields, including archived ones. Restore an archived field instead.`,
  too_many_tags: ({ max }) => `would give the contact more than ${max} tags`,
  no_such_tag: ({ tag }) => `No contact has the tag ${quotedInEnglish(tag)}.`,
  tag_job_under_way: () => 'Another tag is being renamed or deleted. Try again when that’s done.',
  search_too_short: ({ min }) =>
    `needs at least ${min} letters of a name, or a complete number, email address or ID`,
  merge_with_itself: () => 'is the same contact. Choose another one',
  not_merged_into_this: () => 'isn’t a contact that was merged into this one',
  merged_contact_erased: () =>
    'The contact was erased, along with everything kept from the contacts merged into it.',
  too_many_to_compare: () =>
    'There are too many contacts to compare in time. Try again when the service is less busy.',
  no_such_segment: () => 'No segment with this ID.',
  segment_name_taken: () => 'is already used by another segment',
  too_many_segments: ({ max }) =>
    `You already have ${max} segments, the maximum. Delete one first.`,
  too_many_to_count: () =>
    'There are too many contacts to count in time. Narrow the filter, or try again later.',
  whole_reads_at_once: ({ max }) =>
    `At most ${max} counts or searches across all contacts can run at once. Try again when one has finished.`,
  no_such_import: () => 'No import with this ID.',
  import_too_large: ({ max }) =>
    `The file is larger than ${written(max)} bytes. Split it and import the parts one after another.`,
  import_body_type: () =>
    'Send the file itself as the body, with the Content-Type of a CSV file (text/csv) or of an .xlsx workbook.',
  import_wrong_encoding: () =>
    'The file’s letters can’t be read in this encoding. Choose another encoding, or save the file as “CSV UTF-8” or .xlsx.',
  import_no_csv: () => 'Delimiter and encoding can’t be set for a workbook.',
  import_sheet_broken: () =>
    'The workbook can’t be read because it’s damaged or has a password. Save it as .xlsx without a password, or as “CSV UTF-8”.',
  import_sheet_too_large: () =>
    'The first sheet of the workbook is too large. Split it, or save it as “CSV UTF-8”.',
  import_without_rows: () => 'The file has no rows below the column names.',
  import_header_twice: ({ header }) =>
    `Two columns are named ${quotedInEnglish(header)}. Rename one of them.`,
  import_too_many_headers: ({ max }) => `The file has more than ${max} columns.`,
  import_unknown_header: ({ header }) => `isn’t a column in the file: ${quotedInEnglish(header)}`,
  import_needs_column: () => 'needs a column for at least one of name, phone and email',
  import_too_many_rows: ({ max }) =>
    `The file has more than ${written(max)} rows. Split it and import the parts one after another.`,
  import_quote_open: () =>
    'has a quotation mark that isn’t closed before the next row. Close or remove it',
  import_line_break: () => 'contains a line break. Write it on one line',
  import_phone_rounded: () =>
    'was shortened by a spreadsheet, such as 9.66501E+11, and its last digits are lost. Format the column as text, enter the number again and save the file',
  import_phone_several: () => 'contains several numbers. Keep one of them',
  import_double: ({ row }) =>
    `is the same contact as row ${row}, so both rows are combined into one`,
  email_of_another: () =>
    'is the email address of another contact, so the phone number decides. Review both contacts, and merge them if they’re the same customer',
  email_of_several: () =>
    'is the email address of several contacts, and the row has no phone number to tell them apart. Add the number, or update the contact manually',
  import_stays_out: () => 'can’t opt anyone back in, so the contact stays opted out',
  import_not_checked: () => 'Check the import first, and review the result.',
  import_over: () => 'The import has already finished.',
  import_under_way: () => 'The import is being checked or is running. Cancel it first.',
  search_too_wide: () => 'matches too many contacts. Enter more of the name',
}
