import type { Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'

export type AuditEntry = {
  /** Who did it; `personId` null is the service or its operator. */
  actor: { accountId: string; personId: string | null }
  /** Noun and past participle: `endpoint.created`. */
  action: string
  subjectKind: string
  subjectId: string
  companyId?: string | null
  /** What changed, for a person to read. Never a secret, token or credential. */
  detail?: Record<string, unknown>
}

/** Writes down what a member changed, in the transaction of the change. */
export async function recordAudit(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  entry: AuditEntry,
): Promise<void> {
  await tx
    .insertInto('audit')
    .values({
      id: ids.uuid(),
      accountId: entry.actor.accountId,
      companyId: entry.companyId ?? null,
      actorKind: entry.actor.personId === null ? 'service' : 'person',
      actorId: entry.actor.personId,
      action: entry.action,
      subjectKind: entry.subjectKind,
      subjectId: entry.subjectId,
      detail: entry.detail ? JSON.stringify(entry.detail) : null,
      createdAt: now,
    })
    .execute()
}
