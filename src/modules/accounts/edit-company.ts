import type { Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { CompanyView, EditCompany } from '../../contract/dashboard/company.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { Actor } from './actor.ts'
import { loadCompany } from './load-company.ts'
import { lockCompany } from './lock-company.ts'
import { auditedTransaction } from './audited-transaction.ts'
import { viewCompany } from './view-company.ts'

/** Makes a change by which hours are others, and does what follows from that. */
type ChangeHours = (
  tx: Transaction<DB>,
  scope: { ids: Context['ids']; accountId: string; companyId: string; now: Date },
  change: () => Promise<unknown>,
) => Promise<unknown>

/**
 * Edits a company of the account; what is so already is no change. Whose hours are in its zone hears of another by
 * `changeHours`. Isolation: the company is locked before anything else of it. @throws not_found
 */
export async function editCompany(
  { db, ids, clock }: Context,
  actor: Actor,
  told: EditCompany & { companyId: string },
  changeHours: ChangeHours,
): Promise<CompanyView> {
  const now = clock.now()
  const { companyId } = told
  return auditedTransaction({ db, ids, now }, actor, async (tx, audit) => {
    // What is not told here stays as somebody else may just have told it.
    await lockCompany(tx, actor, companyId)
    const before = await loadCompany(tx, actor, companyId)
    const { name = before.name, timeZone = before.timeZone } = told
    const openingHours =
      told.openingHours === undefined
        ? before.openingHours
        : told.openingHours && JSON.stringify(told.openingHours)
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
    const subject = { kind: 'company', id: companyId, companyId } as const
    if (isRenamed) await audit('company.renamed', subject, { from: before.name, to: name })
    if (isOtherwise) await audit('company.hours_changed', subject, { timeZone })
    return viewCompany({ ...before, name, timeZone, openingHours })
  })
}
