import type { Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { forgetDevices } from './trusted-device.ts'
import { recordAudit } from './record-audit.ts'
import { forgetFailures } from './throttle-sign-in.sql.ts'

/** Writes a person's password. Ends pending sign-ins with the previous one, and links to choose one. */
export async function setPassword(
  tx: Transaction<DB>,
  { personId, passwordHash }: { personId: string; passwordHash: string },
): Promise<void> {
  await tx.updateTable('person').set({ passwordHash }).where('id', '=', personId).execute()
  await tx.deleteFrom('pendingSignIn').where('personId', '=', personId).execute()
  await tx.deleteFrom('passwordReset').where('personId', '=', personId).execute()
}

/**
 * Replaces a password that is lost. All sessions of the person end, their devices are no longer trusted, and their
 * failed sign-ins are forgotten. The change is audited in every account that they are a member of.
 */
export async function replacePassword(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  who: { personId: string; email: string; passwordHash: string; actorId: string | null },
): Promise<void> {
  const { personId, email, actorId } = who
  await setPassword(tx, who)
  await tx.deleteFrom('session').where('personId', '=', personId).execute()
  await forgetDevices(tx, { personId, but: null })
  await forgetFailures(tx, email)
  await auditEverywhere(tx, { ids, now }, { personId, actorId, action: 'password.reset' })
}

/** Audits a change of a person in every account that they are a member of. */
export async function auditEverywhere(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  { personId, actorId, action }: { personId: string; actorId: string | null; action: string },
): Promise<void> {
  const memberships = await tx
    .selectFrom('member')
    .select('accountId')
    .where('personId', '=', personId)
    .execute()
  for (const { accountId } of memberships) {
    const actor = { accountId, personId: actorId }
    await recordAudit(tx, { ids, now }, { actor, action, kind: 'person', id: personId })
  }
}
