/** The operator's commands for accounts: listing them, and changing their plan and limits. */
import { changePlan } from '../../src/modules/accounts/change-plan.ts'
import { changeTemplatesPerDay } from '../../src/modules/accounts/change-templates-per-day.ts'
import type { Context } from '../../src/infra/context.ts'
import { PLANS, type Plan } from '../../src/core/vocabulary/accounts.ts'
import { onDatabase, requireAccountId, type Setting } from './command.ts'

/** The command that prints each account with its plan and Owners. */
export const listAccounts = onDatabase('list-accounts', showAccounts)
/** The command that changes the plan of an account. */
export const setPlan = onDatabase(`set-plan ACCOUNT_ID ${PLANS.join('|')}`, runSetPlan)
/** The command that changes how many automated templates an account may send a day. */
export const setTemplatesPerDay = onDatabase(
  'set-templates-per-day ACCOUNT_ID N|plan',
  runSetTemplatesPerDay,
)

async function showAccounts({ db }: Context, _: string[], { print }: Setting): Promise<void> {
  const accounts = await db.kysely
    .selectFrom('account')
    .leftJoin('member', (join) =>
      join.onRef('member.accountId', '=', 'account.id').on('member.role', '=', 'owner'),
    )
    .leftJoin('person', 'person.id', 'member.personId')
    .select(['account.id', 'account.name', 'account.plan', 'account.hold', 'person.email'])
    .orderBy('account.id')
    .execute()
  for (const { id, plan, hold, name, email } of accounts) {
    const parts = [id, plan, name ?? '(no name)', email ?? '(no owner)']
    print([...parts, ...(hold === null ? [] : [`(${hold})`])].join('  '))
  }
}

async function runSetPlan(
  context: Context,
  [accountId = '', plan = '']: string[],
  { print }: Setting,
): Promise<void> {
  if (!PLANS.some((known) => known === plan)) {
    throw new Error(`"${plan}" is not a plan. Use one of: ${PLANS.join(', ')}.`)
  }
  requireAccountId(accountId)
  await changePlan(context, { accountId, plan: plan as Plan })
  print(`Account ${accountId} is now on the ${plan} plan.`)
}

async function runSetTemplatesPerDay(
  context: Context,
  [accountId = '', number = '']: string[],
  { print }: Setting,
): Promise<void> {
  requireAccountId(accountId)
  if (number !== 'plan' && !/^\d{1,9}$/.test(number)) {
    throw new Error(
      `"${number}" is not valid. Use a whole number, or "plan" for the plan's default.`,
    )
  }
  const templatesPerDay = number === 'plan' ? null : Number(number)
  await changeTemplatesPerDay(context, { accountId, templatesPerDay })
  const limit = templatesPerDay === null ? "its plan's default number of" : templatesPerDay
  print(`Account ${accountId} can now send ${limit} automated templates a day.`)
}
