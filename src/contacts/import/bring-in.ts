import { sql, type Transaction } from 'kysely'
import type { DB } from '../../database/tables.ts'
import { fact } from '../../facts/fact.ts'
import { wakeRuns } from '../../flows/runs/wake-runs.ts'
import type { Ids } from '../../ids.ts'
import { CONTACT_LIMITS } from '../../limits/contacts.ts'
import type { ContactRow } from '../../messaging/contact.ts'
import { createContacts } from '../../messaging/create-contacts.ts'
import {
  editContacts,
  type ContactEdit,
  type EditedContact,
} from '../../messaging/edit-contacts.ts'
import { lockCustomers } from '../../messaging/lock-customer.ts'
import { keysOfRow, type ImportRow } from '../../rules/contacts/import-row.ts'
import type { ImportMode } from '../../vocabulary/contacts.ts'
import { withoutDoubles } from '../create-contact.ts'
import { findContactsOfNumbers } from '../../messaging/find-contacts-of-numbers.ts'
import { lastRows } from './check-rows.ts'
import type { ImportJob } from './view-import.ts'
import { writeFaults, type NumberedRow, type RowFault } from './write-faults.ts'

type Deps = { ids: Ids; now: Date }
type Company = { id: string; name: string | null }
type Counts = Pick<ImportJob, 'created' | 'updated' | 'unchanged' | 'leftOut'>

/**
 * Brings in one page of a file: contacts are found by number, then by e-mail address, or made. Rows with
 * faults, and those that a later row replaces, are left out. Returns the counts as they then are.
 *
 * Isolation: the numbers of all rows are locked in one order, then the contacts, by id.
 * Spec: Contacts › Import.
 */
export async function bringIn(
  tx: Transaction<DB>,
  deps: Deps,
  job: ImportJob,
  rows: readonly NumberedRow[],
): Promise<Counts> {
  const company = await tx
    .selectFrom('company')
    .select(['id', 'name'])
    .where('id', '=', job.companyId)
    .executeTakeFirstOrThrow()
  const last = await lastRows(
    tx,
    job.id,
    rows.flatMap(({ row }) => keysOfRow(row)),
  )
  const good = rows.filter(
    ({ number, row, faults }) =>
      faults.length === 0 && keysOfRow(row).every((key) => (last.get(key) ?? number) === number),
  )
  await lockCustomers(
    tx,
    good.flatMap(({ row: { phone } }) => {
      const aliases = [{ kind: 'number' as const, value: phone?.slice(1) ?? '' }]
      return phone === null ? [] : [{ companyId: job.companyId, aliases }]
    }),
  )
  const counts = {
    created: job.created,
    updated: job.updated,
    unchanged: job.unchanged,
    leftOut: job.leftOut + rows.length - good.length,
  }
  // Of rows with one e-mail address and different numbers the later ones find what the first has made.
  for (let left = good; left.length > 0;) {
    const emails = new Set<string>()
    const isFirst = ({ row: { email } }: NumberedRow) => {
      const key = email?.toLowerCase()
      if (key === undefined) return true
      const isNew = !emails.has(key)
      emails.add(key)
      return isNew
    }
    const now = left.filter(isFirst)
    left = left.filter((one) => !now.includes(one))
    await bringInFirst(tx, deps, { job, company, counts }, now)
  }
  return counts
}

async function bringInFirst(
  tx: Transaction<DB>,
  deps: Deps,
  { job, company, counts }: { job: ImportJob; company: Company; counts: Counts },
  rows: readonly NumberedRow[],
): Promise<void> {
  const known = await findKnown(tx, company.id, rows)
  const unknown = rows.filter(({ number }) => !known.has(number))
  const madeIds = await createContacts(
    tx,
    deps,
    unknown.map(({ row }) => ({
      company,
      ...row,
      tags: withoutDoubles(row.tags),
      source: 'import',
    })),
  )
  counts.created += madeIds.length
  const mode = job.mode as ImportMode
  const edits = rows.flatMap((one): ContactEdit[] => {
    const contact = known.get(one.number)
    if (!contact || mode === 'skip') return []
    return [{ company, contactId: contact.id, ...changeBy(one.row, contact, mode) }]
  })
  const outs = unknown.flatMap(({ row }, index) =>
    row.optedOut === 'yes' ? [{ company, contactId: madeIds[index]! }] : [],
  )
  const optOut = { optedOut: true, at: deps.now, how: 'import', ...by(job) } as const
  const outOfFile = new Set(
    rows.flatMap(({ number, row }) =>
      row.optedOut === 'yes' ? (known.get(number)?.id ?? []) : [],
    ),
  )
  const edited = await editContacts(tx, deps, [
    ...edits.map((edit) => (outOfFile.has(edit.contactId) ? { ...edit, optOut } : edit)),
    ...outs.map((one) => ({ ...one, optOut })),
  ])
  await learnNumbers(tx, deps.now, edited)
  const changed = edits.filter(({ contactId }) => edited.get(contactId)?.isChanged).length
  counts.updated += changed
  counts.unchanged += known.size - changed
  const isNewlyOut = ({ before, contact }: EditedContact) =>
    before.optedOutAt === null && contact.optedOutAt !== null
  const contactIds = [...edited].flatMap(([id, one]) => (isNewlyOut(one) ? [id] : []))
  if (contactIds.length > 0) await wakeRuns(tx, deps.now, { contactIds })
  await writeFaults(tx, deps, job, notesOf(rows, known, edited))
}

const by = ({ createdBy }: ImportJob) => (createdBy === null ? {} : { actorId: createdBy })

/** The contact of each row that has one, by the row's number: locked, and as it is now. */
async function findKnown(
  tx: Transaction<DB>,
  companyId: string,
  rows: readonly NumberedRow[],
): Promise<Map<number, ContactRow>> {
  const phones = rows.flatMap(({ row }) => row.phone ?? [])
  const byPhone = await findContactsOfNumbers(tx, companyId, phones)
  const emails = rows.flatMap(({ row }) => row.email?.toLowerCase() ?? [])
  const { rows: found } = await sql<{ email: string; id: string }>`
    select distinct on (lower(email)) lower(email) as email, id from contact
    where company_id = ${companyId} and lower(email) = any(${emails}::text[])
    order by lower(email), id`.execute(tx)
  const byEmail = new Map(found.map(({ email, id }) => [email, id]))
  const idOf = ({ phone, email }: ImportRow) =>
    (phone === null ? undefined : byPhone.get(phone)) ??
    (email === null ? undefined : byEmail.get(email.toLowerCase()))
  const ids = [...new Set(rows.flatMap(({ row }) => idOf(row) ?? []))]
  const contacts = await tx
    .selectFrom('contact')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('id', '=', (eb) => eb.fn.any(eb.val(ids)))
    .orderBy('id')
    .forUpdate()
    .execute()
  const byId = new Map(contacts.map((contact) => [contact.id, contact]))
  return new Map(
    rows.flatMap(({ number, row }) => {
      const contact = byId.get(idOf(row) ?? '')
      return contact ? [[number, contact] as const] : []
    }),
  )
}

/** What a row makes of a contact that is there. A number that it has already is not replaced. */
function changeBy(row: ImportRow, contact: ContactRow, mode: ImportMode) {
  const isKept = (value: unknown) => mode === 'fill' && value !== null && value !== undefined
  const plain = (['name', 'email', 'language'] as const).filter(
    (key) => row[key] !== null && !isKept(contact[key]),
  )
  const fields = Object.entries(row.fields).filter(
    ([key]) => mode !== 'fill' || !Object.hasOwn(contact.fields, key),
  )
  return {
    ...Object.fromEntries(plain.map((key) => [key, row[key]])),
    ...(contact.phone === null && row.phone !== null && { phone: row.phone, rawPhone: null }),
    ...(contact.phone === null &&
      row.rawPhone !== null &&
      !isKept(contact.rawPhone) && { rawPhone: row.rawPhone }),
    fields: Object.fromEntries(fields),
    addTags: row.tags,
  }
}

/** A contact that was found by its e-mail address is found by its new number from now on. */
async function learnNumbers(
  tx: Transaction<DB>,
  now: Date,
  edited: ReadonlyMap<string, EditedContact>,
): Promise<void> {
  const learnt = [...edited.values()].flatMap(({ before, contact }) =>
    contact.phone !== null && before.phone === null ? [contact] : [],
  )
  if (learnt.length === 0) return
  await tx
    .insertInto('contactAlias')
    .values(
      learnt.map(({ id, companyId, phone }) => ({
        companyId,
        kind: 'number',
        value: phone!.slice(1),
        contactId: id,
        learntFrom: 'person',
        createdAt: now,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** What a member should know of rows that were brought in all the same. */
function notesOf(
  rows: readonly NumberedRow[],
  known: ReadonlyMap<number, ContactRow>,
  edited: ReadonlyMap<string, EditedContact>,
): RowFault[] {
  return rows.flatMap(({ number, row }) => {
    const contact = known.get(number)
    if (!contact) return []
    const staysOut = row.optedOut === 'no' && contact.optedOutAt !== null
    const hasNoRoom = (edited.get(contact.id)?.tagsLeftOut.length ?? 0) > 0
    const problems = [
      ...(staysOut ? [{ target: 'opted_out', problem: fact('import_stays_out') }] : []),
      ...(hasNoRoom
        ? [{ target: 'tags', problem: fact('too_many_tags', { most: CONTACT_LIMITS.tags }) }]
        : []),
    ]
    return problems.map((one) => ({ row: number, isLeftOut: false, ...one }))
  })
}
