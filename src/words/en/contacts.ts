import type { ContactFacts } from '../../facts/contacts.ts'
import { written } from '../counted.ts'
import { quotedInEnglish } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

export const EN_CONTACTS: Sentences<ContactFacts> = {
  no_such_contact: () => 'There is no such contact.',
  no_such_contact_field: () => 'There is no such field.',
  contact_has_number: () =>
    'Another contact has this number: open it, or merge the two if they are one customer.',
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
  not_merged_into_this: () => 'is no contact that was merged into this one',
  merged_contact_erased: () =>
    'The contact was erased, and with it what was kept of the contacts that were merged into it.',
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
  import_body_type: () =>
    'Send the file itself as the body, with content-type text/csv or that of an .xlsx workbook.',
  import_wrong_encoding: () =>
    'The letters of the file cannot be read so. Choose another encoding, or save the file as “CSV UTF-8” or .xlsx.',
  import_no_csv: () => 'A workbook has no delimiter or encoding to choose.',
  import_sheet_broken: () =>
    'The workbook cannot be read: it is damaged or has a password. Save it as .xlsx without a password, or as “CSV UTF-8”.',
  import_sheet_too_large: () =>
    'The first sheet of the workbook is too large to be read. Split it, or save it as “CSV UTF-8”.',
  import_without_rows: () =>
    'The file has no rows: its first row is taken for the names of the columns.',
  import_header_twice: ({ header }) =>
    `Two columns of the file have the name ${quotedInEnglish(header)}. Rename one of them.`,
  import_too_many_headers: ({ most }) => `The file has more than ${most} columns.`,
  import_unknown_header: ({ header }) => `names no column of the file: ${quotedInEnglish(header)}`,
  import_needs_column: () => 'needs a column for name, phone or email at least',
  import_too_many_rows: ({ most }) =>
    `The file has more than ${written(most)} rows. Split it, and import the parts one after the other.`,
  import_quote_open: () =>
    'opens a quote that does not end before the next row: close it, or take it away',
  import_line_break: () => 'has a line break: write it in one line',
  import_phone_rounded: () =>
    'was shortened by a spreadsheet, such as 9.66501E+11, and its last digits are lost: format the column as text, enter the number again and save the file',
  import_phone_several: () => 'has several numbers: keep one of them',
  import_double: ({ row }) => `is the same contact as row ${row}: both rows are combined into one`,
  email_of_another: () =>
    'is the e-mail address of another contact: the phone number decides. Look at both contacts, and merge them if they are one customer',
  email_of_several: () =>
    'is the e-mail address of several contacts, and the row has no phone number that tells which one: add the number, or change the contact by hand',
  import_stays_out: () => 'opts nobody in: the contact stays opted out',
  import_not_checked: () => 'Check the import first, and look at what it found.',
  import_over: () => 'The import is over.',
  import_under_way: () => 'The import is being checked or is running. Cancel it first.',
  search_too_wide: () => 'fits too many contacts: write more of the name',
}
