import type { Context } from '../../infra/context.ts'
import type { SignInView } from '../../contract/dashboard/session.ts'
import { needsSetUp } from './set-up.ts'

/** Returns the data of the pages before the sign-in, without anything about known people. */
export async function viewSignIn({
  db,
  sendMail,
}: Context & { sendMail: unknown }): Promise<SignInView> {
  return { isSetUpOpen: await needsSetUp(db.kysely), canResetPassword: sendMail !== null }
}
