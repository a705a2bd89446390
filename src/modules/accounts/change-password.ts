import type { Context } from '../../infra/context.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { setPassword } from './set-password.ts'
import { forgetDevices } from './trusted-device.ts'
import type { Session } from './load-session.ts'
import { hashPassword } from './password.ts'
import { auditedTransaction } from './audited-transaction.ts'
import { checkOwnPassword, requireSamePassword } from './sign-in.ts'
import { rotateSession } from './start-session.ts'
import { clearFailedSignIns } from './throttle-sign-in.sql.ts'

/**
 * Changes the person's password. All their other sessions end, other devices are no longer trusted, and this session
 * gets a new token. Nothing changes where the password was replaced or the session ended meanwhile.
 * @throws sign_in_failed when the current password is wrong; not_signed_in; rate_limited.
 */
export async function changePassword(
  context: Context,
  session: Session,
  input: { device: string | null; currentPassword: string; newPassword: string },
): Promise<{ token: string }> {
  const { db, ids, clock } = context
  const { actor } = session
  const { taken, ...current } = await checkOwnPassword(context, session, input.currentPassword)
  const { personId } = actor
  const passwordHash = await hashPassword(input.newPassword)
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await requireSamePassword(tx, { personId, ...current }, { isReplaced: true })
    await clearFailedSignIns(tx, taken)
    await setPassword(tx, { personId, passwordHash })
    await tx
      .deleteFrom('session')
      .where('personId', '=', personId)
      .where('id', '<>', session.id)
      .execute()
    await forgetDevices(tx, { personId, but: input.device })
    await audit('password.changed', { kind: 'person', id: personId })
    return rotateSession(tx, ids, session.id, { passwordEnteredAt: now })
  })
}

/**
 * Checks the password again, for actions that need a recently entered one, and records the time in the session.
 * @throws sign_in_failed, rate_limited
 */
export async function confirmPassword(
  context: Context,
  session: Session,
  { password }: { password: string },
): Promise<{ passwordEnteredAt: string }> {
  const { taken } = await checkOwnPassword(context, session, password)
  const now = context.clock.now()
  await transaction(context.db, async (tx) => {
    await clearFailedSignIns(tx, taken)
    await tx
      .updateTable('session')
      .set({ passwordEnteredAt: now })
      .where('id', '=', session.id)
      .execute()
  })
  return { passwordEnteredAt: now.toISOString() }
}
