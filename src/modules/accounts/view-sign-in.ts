import type { Context } from '../../infra/context.ts'
import type { SignInView } from '../../contract/dashboard/session.ts'
import { needsSetUp } from './set-up.ts'

/** What the pages before the sign-in show. Nothing of whom the service knows. */
export async function viewSignIn({
  db,
  sendMail,
}: Context & { sendMail: unknown }): Promise<SignInView> {
  return {
    isSetUpOpen: await needsSetUp(db.kysely),
    canResetPassword: sendMail !== null,
  }
}
