import { fact } from '../../../core/facts/fact.ts'
import { CONTACT_LIMITS } from '../../../core/limits/contacts.ts'
import { planEdit, type ContactChange, type OptOutDecision } from '../../messaging/plan-edit.ts'
import type { ImportRow } from '../../../rules/contacts/import-row.ts'
import { matchImportRow, type Candidates } from '../../../rules/contacts/match-import-row.ts'
import type { ImportMode, ImportOutcome } from '../../../core/vocabulary/contacts.ts'
import { uniqueTags } from '../create-contact.ts'
import { planRowChange } from './plan-row-change.ts'
import type { RowNote } from './import-row-store.sql.ts'
import {
  addEmailOwner,
  newContact,
  type KnownContact,
  type KnownContacts,
} from './known-contacts.ts'

/** The first row of a contact, with the combined values of all its rows. */
export type HeadRow = {
  number: number
  isReadable: boolean
  row: ImportRow
  /** States that other rows changed its values. */
  isCombined: boolean
}

/** The decision about a row: `known` is the contact that it creates or changes, and `change` what it changes. */
export type RowDecision = {
  number: number
  row: ImportRow
  outcome: Exclude<ImportOutcome, 'combined'>
  known: KnownContact | null
  change: ContactChange | null
  /** States whether the contact gets the row's e-mail address. */
  givesEmail: boolean
  notes: RowNote[]
}

type Options = {
  companyId: string
  mode: ImportMode
  now: Date
  /** The member who uploaded the file. */
  actorId: string | null
  /** Rows whose e-mail address another row has with another number. */
  shared: ReadonlySet<number>
}

/**
 * Decides the outcome of rows in order: a row may match a contact that an earlier row creates. Updates `known` with
 * the result of each row.
 *
 * Spec: Contacts › Import.
 */
export function decideRows(
  heads: readonly HeadRow[],
  known: KnownContacts,
  options: Options,
): RowDecision[] {
  return heads.map((head) => decide(head, known, options))
}

function decide(head: HeadRow, known: KnownContacts, options: Options): RowDecision {
  const { number, isReadable, row } = head
  const match = matchImportRow(row, candidatesOf(head, known, options))
  const leftOut = { number, row, outcome: 'left_out', known: null, change: null } as const
  if (!match.ok) {
    const notes: RowNote[] = [{ target: 'email', problem: match.fault }]
    return { ...leftOut, givesEmail: false, notes }
  }
  const { contact: found, note } = match
  if (!isReadable) {
    // Its values may be wrong, but its opt-out is imported.
    if (!found) return { ...leftOut, givesEmail: false, notes: [] }
    const change = { optOut: importOptOut(options) }
    found.contact = planEdit(found.contact, change, options.now).contact
    return { ...leftOut, known: found, change, givesEmail: false, notes: [] }
  }
  const noted: RowNote[] = note === null ? [] : [{ target: 'email', problem: note }]
  return found
    ? changeContact(head, found, { known, options, noted })
    : makeContact(head, known, options)
}

function candidatesOf(
  { number, row }: HeadRow,
  { byPhone, byEmail }: KnownContacts,
  { shared }: Options,
): Candidates<KnownContact> {
  return {
    byNumber: row.phone === null ? undefined : byPhone.get(row.phone),
    byEmail: row.email === null ? [] : (byEmail.get(row.email.toLowerCase()) ?? []),
    isEmailShared: shared.has(number),
  }
}

function makeContact(
  { number, row }: HeadRow,
  known: KnownContacts,
  { companyId, now }: Options,
): RowDecision {
  const tags = limitTags(row)
  const made = newContact({ ...row, tags }, { number, companyId, now })
  if (row.phone !== null) known.byPhone.set(row.phone, made)
  if (row.email !== null) addEmailOwner(known, row.email.toLowerCase(), made)
  const notes = tags.length < uniqueTags(row.tags).length ? [TOO_MANY_TAGS] : []
  const givesEmail = row.email !== null
  return { number, row, outcome: 'created', known: made, change: null, givesEmail, notes }
}

/** Returns the row's tags up to the limit of a contact. */
export function limitTags({ tags }: ImportRow): string[] {
  return uniqueTags(tags).slice(0, CONTACT_LIMITS.tags)
}

const TOO_MANY_TAGS: RowNote = {
  target: 'tags',
  problem: fact('too_many_tags', { max: CONTACT_LIMITS.tags }),
}

function changeContact(
  { number, row }: HeadRow,
  found: KnownContact,
  { known, options, noted }: { known: KnownContacts; options: Options; noted: RowNote[] },
): RowDecision {
  const { mode, now } = options
  const before = found.contact
  const plain = planRowChange(row, before, mode)
  const planned = planEdit(before, plain, now)
  const isNewlyOut = row.optedOut === 'yes' && before.optedOutAt === null
  const change = row.optedOut === 'yes' ? { ...plain, optOut: importOptOut(options) } : plain
  found.contact = planEdit(before, change, now).contact
  found.rawPhone = found.contact.rawPhone
  if (plain.phone) {
    found.numbers.push(plain.phone.slice(1))
    known.byPhone.set(plain.phone, found)
  }
  const givesEmail = plain.email !== undefined && plain.email !== before.email
  if (givesEmail) addEmailOwner(known, plain.email!.toLowerCase(), found)
  const staysOut = row.optedOut === 'no' && before.optedOutAt !== null
  return {
    number,
    row,
    outcome: planned.isChanged || isNewlyOut ? 'updated' : 'unchanged',
    known: found,
    change,
    givesEmail,
    notes: [
      ...noted,
      ...(staysOut ? [{ target: 'opted_out', problem: fact('import_stays_out') } as const] : []),
      ...(planned.tagsLeftOut.length > 0 ? [TOO_MANY_TAGS] : []),
    ],
  }
}

/** Returns the opt-out of contacts that a file lists as opted out. */
export function importOptOut({ now, actorId }: Pick<Options, 'now' | 'actorId'>): OptOutDecision {
  return { optedOut: true, at: now, how: 'import', ...(actorId !== null && { actorId }) }
}
