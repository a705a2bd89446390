/** The audit log: who did what. */
import { recordAudit } from '../../../src/modules/accounts/record-audit.ts'
import { transaction } from '../../../src/infra/database/transaction.ts'
import type { Account, Company, Recorded, WithPool } from './records.ts'
import { newIdOf, nowOf, read } from './records.ts'

type Of = {
  accountId?: string
  companyId?: string
  subjectId?: string
  actorId?: string
  action?: string
}

/** Returns the entries of an account's or company's audit log, oldest first, or of one subject or action. */
export async function auditLog(
  world: Recorded,
  { accountId, companyId, subjectId, actorId, action }: Of,
) {
  const of = { accountId, companyId, subjectId, actorId, action }
  const entries = await read(world, 'audit', of, 'id')
  return entries.map((entry) => ({
    ...entry,
    detail: entry.detail === null ? null : (JSON.parse(entry.detail) as Record<string, unknown>),
  }))
}

/** Returns only the actions, oldest first. */
export const actionsOn = async (world: Recorded, of: Of): Promise<string[]> =>
  (await auditLog(world, of)).map(({ action }) => action)

/** Adds an audit entry of a person or of the service. Returns the entry's id. */
export async function addAudit(
  world: WithPool,
  { accountId, companyId }: Account & Company,
  {
    personId = null,
    subjectKind: kind,
    subjectId,
    ...more
  }: { personId?: string | null; subjectKind: string; subjectId: string } & Pick<
    Parameters<typeof recordAudit>[2],
    'action' | 'detail'
  >,
): Promise<string> {
  const { db } = world.service.context
  const id = newIdOf(world)
  const ids = { ...world.service.context.ids, uuid: () => id }
  const entry = { actor: { accountId, personId }, companyId, kind, id: subjectId, ...more }
  await transaction(db, (tx) => recordAudit(tx, { ids, now: nowOf(world) }, entry))
  return id
}
