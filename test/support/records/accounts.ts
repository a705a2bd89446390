/** Accounts, their allowances, and the companies that they hold. */
import { storeOf, type FieldsOf, type Recorded } from './records.ts'

type Account = { accountId: string }
type Company = { companyId: string }

async function set(world: Recorded, { accountId }: Account, values: FieldsOf<'account'>) {
  await storeOf(world).updateTable('account').set(values).where('id', '=', accountId).execute()
}

/** Sets the plan of an account, as the operator does. */
export const setPlan = (world: Recorded, { accountId }: Account, plan: string): Promise<void> =>
  set(world, { accountId }, { plan })

/** Makes a company a project of another account. */
export async function makeProject(
  world: Recorded,
  { companyId }: Company,
  { accountId }: Account,
): Promise<void> {
  await storeOf(world)
    .updateTable('company')
    .set({ accountId, isProject: true })
    .where('id', '=', companyId)
    .execute()
}
