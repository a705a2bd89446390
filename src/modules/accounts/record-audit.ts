import type { Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'

export type AuditEntry = {
  /** The author of the change; `personId` null is the service or its operator. */
  actor: { accountId: string; personId: string | null }
  /** Subject and past participle: `endpoint.created`. */
  action: string
  subjectKind: string
  subjectId: string
  companyId?: string | null
  /** The change, for a person to read. Never a secret, token or credential. */
  detail?: Record<string, unknown>
}

/** Records a member's change, in its transaction. */
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
