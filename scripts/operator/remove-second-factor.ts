import { removeSecondFactor as remove } from '../../src/modules/accounts/remove-second-factor.ts'
import type { Context } from '../../src/infra/context.ts'
import { onDatabase, requireAccountId, type Setting } from './command.ts'

/** The command that turns off a person's two-factor authentication and ends their sessions. */
export const removeSecondFactor = onDatabase(
  'remove-second-factor EMAIL [ACCOUNT_ID]',
  runRemoveSecondFactor,
)

async function runRemoveSecondFactor(
  context: Context,
  [email = '', accountId]: string[],
  { print }: Setting,
): Promise<void> {
  if (email === '') throw new Error('Usage: remove-second-factor EMAIL')
  if (accountId !== undefined) requireAccountId(accountId)
  await remove(context, accountId === undefined ? { email } : { email, accountId })
  print(
    `Two-factor authentication is off for ${email}: they sign in with their password only. Their sessions were ended.`,
  )
}
