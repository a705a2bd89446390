import { resetPassword as reset } from '../../src/modules/accounts/reset-password.ts'
import type { Context } from '../../src/infra/context.ts'
import { onDatabase, requireAccountId, type Setting } from './command.ts'

/** The command that gives a person a new random password, prints it and ends their sessions. */
export const resetPassword = onDatabase('reset-password EMAIL [ACCOUNT_ID]', runResetPassword)

async function runResetPassword(
  context: Context,
  [email = '', accountId]: string[],
  { print }: Setting,
): Promise<void> {
  if (email === '') throw new Error('Usage: reset-password EMAIL')
  if (accountId !== undefined) requireAccountId(accountId)
  const who = accountId === undefined ? { email } : { email, accountId }
  const { password } = await reset(context, who)
  print(
    `New password for ${email} (shown only once):\n\n  ${password}\n\nTheir sessions were ended. They should change it after signing in.`,
  )
}
