/** Accounts, their allowances, and the companies that they hold. */
import type { Account, Company, FieldsOf, Recorded } from './records.ts'
import { add, insert, newIdOf, nowOf, read, readOne, update } from './records.ts'

const put = (world: Recorded, { accountId }: Account, values: FieldsOf<'account'>) =>
  update(world, 'account', { id: accountId }, values)

/** Adds an account on the Business plan, without a company and without a member. Returns its id. */
export const addAccount = (world: Recorded, more: FieldsOf<'account'> = {}): Promise<string> =>
  add(world, 'account', { name: 'Shop', plan: 'business', createdAt: nowOf(world), ...more })

export const accountOf = (world: Recorded, { accountId }: Account) =>
  readOne(world, 'account', { id: accountId })

/** Returns how many accounts with this id there are. */
export const accountsThere = async (world: Recorded, { accountId }: Account): Promise<number> =>
  (await read(world, 'account', { id: accountId })).length

/** Sets the plan of an account, as the operator does. */
export const setPlan = (world: Recorded, account: Account, plan: string) =>
  put(world, account, { plan })

/** Sets the account's own number of automated templates a day, in place of its plan's. */
export const allowTemplates = (world: Recorded, account: Account, templatesPerDay: number | null) =>
  put(world, account, { templatesPerDay })

/** Sets how many tokens of models an account may use a day. */
export const allowTokens = (world: Recorded, account: Account, modelTokensPerDay: number) =>
  put(world, account, { modelTokensPerDay })

/** Makes the account require a second factor of all members, or of none any more. */
export const askForSecondFactor = (world: Recorded, account: Account, needsSecondFactor = true) =>
  put(world, account, { needsSecondFactor })

export const accountNamed = async (world: Recorded, name: string): Promise<string> =>
  (await readOne(world, 'account', { name })).id

/** Adds companies to an account. Returns their ids. */
export async function addCompanies(
  world: Recorded,
  { accountId }: Account,
  count: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newIdOf(world))
  const company = { accountId, name: 'Shop', createdAt: nowOf(world) }
  await insert(world, 'company', ...ids.map((id) => ({ ...company, id })))
  return ids
}

export const addCompany = async (
  world: Recorded,
  { accountId }: Account,
  more: FieldsOf<'company'> = {},
): Promise<Company> => {
  const company = { name: 'Shop', createdAt: nowOf(world), ...more, accountId }
  return { companyId: await add(world, 'company', company) }
}

export const companyOf = (world: Recorded, { companyId }: Company) =>
  readOne(world, 'company', { id: companyId })

export const makeProject = (world: Recorded, { companyId }: Company, { accountId }: Account) =>
  update(world, 'company', { id: companyId }, { accountId, isProject: true })

export const nameCompany = (world: Recorded, { companyId }: Company, name: string) =>
  update(world, 'company', { id: companyId }, { name })

/** Sets the time zone of a company, which may be one that there is not. */
export const setTimeZone = (world: Recorded, { companyId }: Company, timeZone: string) =>
  update(world, 'company', { id: companyId }, { timeZone })
