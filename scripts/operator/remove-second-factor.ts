import { removeSecondFactor as remove } from '../../src/accounts/remove-second-factor.ts'
import type { Context } from '../../src/context.ts'
import { onDatabase, requireAccountId, type Setting } from './command.ts'

export const removeSecondFactor = onDatabase(
  'remove-second-factor EMAIL [ACCOUNT_ID]',
  takeSecondFactor,
)

async function takeSecondFactor(
  context: Context,
  [email = '', accountId]: string[],
  { print }: Setting,
): Promise<void> {
  if (email === '') throw new Error('Name the e-mail address: remove-second-factor EMAIL')
  if (accountId !== undefined) requireAccountId(accountId)
  await remove(context, accountId === undefined ? { email } : { email, accountId })
  print(`${email} signs in by password alone from now on. Their sessions have ended.`)
}
