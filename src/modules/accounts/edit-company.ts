import type { Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { CompanyView, EditCompany } from '../../contract/dashboard/company.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { Actor } from './actor.ts'
import { loadCompany } from './load-company.ts'
import { lockCompany } from './lock-company.ts'
import { auditedTransaction } from './audited-transaction.ts'
import { viewCompany } from './view-company.ts'

/** Changes opening hours, and applies the consequences. */
type ChangeHours = (
  tx: Transaction<DB>,
  scope: { ids: Context['ids']; accountId: string; companyId: string; now: Date },
  change: () => Promise<unknown>,
) => Promise<unknown>

/**
 * Edits a company of the account; equal values are no change. `changeHours` reports a new time zone to records with
 * hours in that zone. Isolation: the company is locked before any of its records.
 * @throws not_found
 */
export async function editCompany(
  { db, ids, clock }: Context,
  actor: Actor,
  edit: EditCompany & { companyId: string },
  changeHours: ChangeHours,
): Promise<CompanyView> {
  const { companyId } = edit
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    // Fields that are not given keep their stored values, which another member may just have changed.
    await lockCompany(tx, actor, companyId)
    const before = await loadCompany(tx, actor, companyId)
    const { name = before.name, timeZone = before.timeZone } = edit
    const openingHours =
      edit.openingHours === undefined
        ? before.openingHours
        : edit.openingHours && JSON.stringify(edit.openingHours)
    const isRenamed = name !== before.name
    const isOtherwise = timeZone !== before.timeZone || openingHours !== before.openingHours
    if (!isRenamed && !isOtherwise) return viewCompany(before)
    const write = () =>
      tx
        .updateTable('company')
        .set({ name, timeZone, openingHours })
        .where('id', '=', companyId)
        .where('accountId', '=', actor.accountId)
        .execute()
    const scope = { ids, accountId: actor.accountId, companyId, now }
    await (timeZone === before.timeZone ? write() : changeHours(tx, scope, write))
    const subject = { id: companyId, companyId }
    if (isRenamed) await audit('company.renamed', subject, { from: before.name, to: name })
    if (isOtherwise) await audit('company.hours_changed', subject, { timeZone })
    return viewCompany({ ...before, name, timeZone, openingHours })
  })
}
