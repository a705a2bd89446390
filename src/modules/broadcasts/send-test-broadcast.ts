import { sql, type Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import { requireContact } from '../contacts/require-contact.ts'
import type { Context } from '../../infra/context.ts'
import type { TestBroadcast } from '../../contract/dashboard/broadcast.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { advisoryLockKey } from '../messaging/lock-customer.ts'
import { ServiceError, wrongFields } from '../../core/service-error.ts'
import { findProblems, readVersions } from './find-problems.ts'
import { requireBroadcast, type OwnedBroadcast } from './require-broadcast.ts'
import { writeToOne, type LinkDeps } from './write-to-recipients.ts'

/**
 * Sends one contact a broadcast's message as its recipients would get it, with a working link. It affects no count. A
 * message with the same key is not sent again.
 *
 * Isolation: an advisory lock on the key, so that the second of two concurrent calls finds the first message.
 *
 * @throws not_found; invalid with all problems, and for a contact who would be skipped.
 * Spec: Broadcasts › Drafts.
 */
export async function sendTestBroadcast(
  { db, ids, clock, keyRing, publicUrl }: Pick<Context, 'db' | 'ids' | 'clock'> & LinkDeps,
  actor: Actor,
  { contactId, key = ids.uuid(), ...owned }: OwnedBroadcast & TestBroadcast,
): Promise<void> {
  const { companyId } = owned
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const row = await requireBroadcast(tx, owned)
    const sendKey = `broadcast-test:${row.id}:${key}`
    if (await isSent(tx, sendKey)) return
    const errors = (await findProblems(tx, row)).filter(({ field }) => field !== 'audience')
    if (errors.length > 0) {
      throw new ServiceError('invalid', fact('broadcast_not_ready'), { errors })
    }
    await requireContact(tx, { companyId, contactId })
    const channel = await tx
      .selectFrom('channel')
      .innerJoin('company', 'company.id', 'channel.companyId')
      .select([
        'channel.id',
        'channel.type',
        'channel.isCoexistence',
        'company.name as companyName',
      ])
      .where('channel.id', '=', row.channelId)
      .where('channel.companyId', '=', companyId)
      .executeTakeFirstOrThrow()
    const versions = await readVersions(tx, row)
    const deps = { ids, now, keyRing, publicUrl }
    const skipped = await writeToOne(tx, deps, row, { channel, versions, contactId, sendKey })
    if (skipped) {
      const { reason, why } = skipped
      const cause = why ?? fact('recipient_skipped', { reason })
      const wrong = [{ field: 'contactId', ...cause }]
      throw wrongFields(wrong)
    }
    await audit('broadcast.tested', { id: row.id, companyId }, { contactId })
  })
}

async function isSent(tx: Transaction<DB>, sendKey: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${advisoryLockKey(sendKey)})`.execute(tx)
  const sent = await tx
    .selectFrom('message')
    .select('id')
    .where('sendKey', '=', sendKey)
    .executeTakeFirst()
  return sent !== undefined
}
