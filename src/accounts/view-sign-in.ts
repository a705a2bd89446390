import type { Context } from '../context.ts'
import type { SignInView } from '../contract/dashboard/session.ts'

/** What the pages before the sign-in show. Nothing of whom the service knows. */
export async function viewSignIn({
  db,
  sendMail,
}: Context & { sendMail: unknown }): Promise<SignInView> {
  const setUp = await db.kysely.selectFrom('setUp').select('closedAt').executeTakeFirst()
  return {
    isSetUpOpen: setUp !== undefined && setUp.closedAt === null,
    canResetPassword: sendMail !== null,
  }
}
