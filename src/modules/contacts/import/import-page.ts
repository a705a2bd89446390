import type { Transaction } from 'kysely'
import type { DB } from '../../../infra/database/tables.ts'
import { changeNumbers } from '../../identity/change-number.sql.ts'
import { numberIdentifier } from '../../../rules/identity/identifier.ts'
import { wakeRuns } from '../../flows/runs/wake-runs.ts'
import type { Ids } from '../../../core/ids.ts'
import { createContacts } from '../../messaging/create-contacts.ts'
import {
  editContacts,
  type ContactEdit,
  type EditedContact,
} from '../../messaging/edit-contacts.ts'
import { lockCustomers } from '../../messaging/lock-customer.ts'
import { addCounts, type Counts } from './counts.ts'
import { decideRows, importOptOut, limitTags, type RowDecision } from './decide-rows.ts'
import { writeDecisions, type SavedRow } from './import-row-store.sql.ts'
import { loadKnownContacts } from './known-contacts.ts'
import { loadOptions, toDecidedRows } from './plan-rows.ts'
import type { ImportJob } from './view-import.ts'

type Deps = { ids: Ids; now: Date }

const COMBINED = { outcome: 'combined' } as const

/**
 * Creates and changes the contacts of a page of rows, whose outcomes are decided again by the current contacts. Returns
 * the import's new counts, and the number of events raised.
 *
 * Isolation: the numbers of all rows are locked in one order, then the contacts, by id.
 * Spec: Contacts › Import.
 */
export async function importPage(
  tx: Transaction<DB>,
  deps: Deps,
  job: ImportJob,
  rows: readonly SavedRow[],
): Promise<{ counts: Counts; events: number }> {
  const { companyId } = job
  const company = await tx
    .selectFrom('company')
    .select(['id', 'name'])
    .where('id', '=', companyId)
    .executeTakeFirstOrThrow()
  const heads = rows.flatMap(({ number, isReadable, key, intoRow, row }) =>
    row === null || intoRow !== null || (!isReadable && key === null)
      ? []
      : [{ number, isReadable, row, isCombined: false }],
  )
  await lockCustomers(
    tx,
    heads.flatMap(({ row: { phone } }) => {
      if (phone === null) return []
      return [{ companyId, identifiers: [numberIdentifier(phone.slice(1))] }]
    }),
  )
  const known = await loadKnownContacts(
    tx,
    heads.map(({ row }) => row),
    { companyId, now: deps.now, isLocking: true },
  )
  const options = await loadOptions(tx, job, { now: deps.now, heads, rows })
  const decisions = decideRows(heads, known, options)
  const made = decisions.filter(({ outcome }) => outcome === 'created')
  const madeIds = await createContacts(
    tx,
    deps,
    made.map(({ row }) => ({ company, ...row, tags: limitTags(row), source: 'import' })),
  )
  const idOfMade = new Map(made.map(({ number }, at) => [number, madeIds[at]!]))
  const contactIdOf = ({ known: match }: RowDecision): string | null => {
    if (match === null) return null
    return match.createdByRow === null ? match.contact.id : idOfMade.get(match.createdByRow)!
  }
  const edits = decisions.flatMap((decision): ContactEdit[] => {
    const contactId = contactIdOf(decision)
    if (contactId === null) return []
    const { change, row } = decision
    if (change !== null) return [{ company, contactId, ...change }]
    return row.optedOut === 'yes' ? [{ company, contactId, optOut: importOptOut(options) }] : []
  })
  const edited = await editContacts(tx, deps, edits)
  // A contact found by its e-mail address is found by its new number from now on.
  const newNumbers = [...edited.values()].flatMap(
    ({ before, contact: { id: contactId, phone } }) =>
      phone !== null && before.phone === null ? [{ contactId, before: null, phone }] : [],
  )
  await changeNumbers(tx, deps, companyId, newNumbers, 'import')
  await endRunsOfOptedOut(tx, deps.now, edited)
  const separate = rows.filter(({ intoRow }) => intoRow === null)
  const decided = toDecidedRows(separate, decisions, contactIdOf)
  await writeDecisions(tx, job.id, decided)
  const combined = rows.filter(({ intoRow }) => intoRow !== null)
  const counts = addCounts(job, [...decided, ...combined.map(() => COMBINED)])
  const changes = [...edited.values()].filter(({ isChanged }) => isChanged).length
  return { counts, events: madeIds.length + changes }
}

async function endRunsOfOptedOut(
  tx: Transaction<DB>,
  now: Date,
  edited: ReadonlyMap<string, EditedContact>,
): Promise<void> {
  const contactIds = [...edited].flatMap(([id, { before, contact }]) =>
    before.optedOutAt === null && contact.optedOutAt !== null ? [id] : [],
  )
  if (contactIds.length > 0) await wakeRuns(tx, now, { contactIds })
}
