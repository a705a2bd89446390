/** The audit log: who did what. */
import { given, storeOf, type Recorded } from './records.ts'

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
  const entries = await storeOf(world)
    .selectFrom('audit')
    .selectAll()
    .where((eb) => eb.and(given({ accountId, companyId, subjectId, actorId, action })))
    .orderBy('id')
    .execute()
  return entries.map((entry) => ({
    ...entry,
    detail: entry.detail === null ? null : (JSON.parse(entry.detail) as Record<string, unknown>),
  }))
}
