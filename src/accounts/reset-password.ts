import type { Context } from '../context.ts'
import { transaction } from '../database/transaction.ts'
import { ServiceError } from '../service-error.ts'
import { hashPassword } from './password.ts'
import { recordAudit } from './record-audit.ts'
import { forgetFailures } from './throttle-sign-in.sql.ts'

/** 22 characters. */
const PASSWORD_BYTES = 16

/**
 * Gives a person a random password, which is returned here once. All their sessions end, their wrong
 * passwords are forgotten, and every account that they are a member of has it in its audit. The
 * operator alone does this. @throws not_found
 */
export async function resetPassword(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  { email }: { email: string },
): Promise<{ password: string }> {
  const now = clock.now()
  const password = ids.token(PASSWORD_BYTES)
  const passwordHash = await hashPassword(password)
  await transaction(db, async (tx) => {
    const person = await tx
      .updateTable('person')
      .set({ passwordHash })
      .where((where) => where(where.fn<string>('lower', ['email']), '=', email.toLowerCase()))
      .returning('id')
      .executeTakeFirst()
    if (!person) throw new ServiceError('not_found', `Nobody has the e-mail address ${email}.`)
    await tx.deleteFrom('session').where('personId', '=', person.id).execute()
    await forgetFailures(tx, email)
    const memberships = await tx
      .selectFrom('member')
      .select('accountId')
      .where('personId', '=', person.id)
      .execute()
    for (const { accountId } of memberships) {
      await recordAudit(
        tx,
        { ids, now },
        {
          actor: { accountId, personId: null },
          action: 'password.reset',
          subjectKind: 'person',
          subjectId: person.id,
        },
      )
    }
  })
  return { password }
}
