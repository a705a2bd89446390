/** Accounts, their allowances, and the companies that they hold. */
import { newIdOf, nowOf, storeOf, type FieldsOf, type Recorded, type RecordOf } from './records.ts'

type Account = { accountId: string }
type Company = { companyId: string }

export const accountOf = (world: Recorded, { accountId }: Account): Promise<RecordOf<'account'>> =>
  storeOf(world)
    .selectFrom('account')
    .selectAll()
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()

async function set(world: Recorded, { accountId }: Account, values: FieldsOf<'account'>) {
  await storeOf(world).updateTable('account').set(values).where('id', '=', accountId).execute()
}

/** Sets the plan of an account, as the operator does. */
export const setPlan = (world: Recorded, { accountId }: Account, plan: string): Promise<void> =>
  set(world, { accountId }, { plan })

/** Sets how many templates an account may send a day. Null leaves it to the plan. */
export const setTemplatesPerDay = (
  world: Recorded,
  { accountId }: Account,
  templatesPerDay: number | null,
): Promise<void> => set(world, { accountId }, { templatesPerDay })

/** Sets how many tokens of language models an account may use a day. Null leaves it to the plan. */
export const setModelTokensPerDay = (
  world: Recorded,
  { accountId }: Account,
  modelTokensPerDay: number | null,
): Promise<void> => set(world, { accountId }, { modelTokensPerDay })

/** Requires a second factor of all members of an account, or no longer. */
export const requireSecondFactor = (
  world: Recorded,
  { accountId }: Account,
  needsSecondFactor = true,
): Promise<void> => set(world, { accountId }, { needsSecondFactor })

export const nameAccount = (world: Recorded, { accountId }: Account, name: string) =>
  set(world, { accountId }, { name })

/** Adds an account on the plan Business, unless another is named. Returns its id. */
export async function addAccount(world: Recorded, more: FieldsOf<'account'> = {}): Promise<string> {
  const id = more.id ?? newIdOf(world)
  await storeOf(world)
    .insertInto('account')
    .values({ plan: 'business', createdAt: nowOf(world), ...more, id })
    .execute()
  return id
}

export const companyOf = (world: Recorded, { companyId }: Company): Promise<RecordOf<'company'>> =>
  storeOf(world)
    .selectFrom('company')
    .selectAll()
    .where('id', '=', companyId)
    .executeTakeFirstOrThrow()

/** Adds a company, or a project, to an account. Returns its id. */
export async function addCompany(
  world: Recorded,
  { accountId }: Account,
  more: FieldsOf<'company'> = {},
): Promise<string> {
  const id = more.id ?? newIdOf(world)
  await storeOf(world)
    .insertInto('company')
    .values({ name: 'Shop', createdAt: nowOf(world), ...more, id, accountId })
    .execute()
  return id
}

export async function nameCompany(world: Recorded, { companyId }: Company, name: string) {
  await storeOf(world).updateTable('company').set({ name }).where('id', '=', companyId).execute()
}

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

/** Sets when a company is open. Null: nothing was said of it. */
export async function setOpeningHours(
  world: Recorded,
  { companyId }: Company,
  hours: object | null,
): Promise<void> {
  const openingHours = hours === null ? null : JSON.stringify(hours)
  await storeOf(world)
    .updateTable('company')
    .set({ openingHours })
    .where('id', '=', companyId)
    .execute()
}
