import type { Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'

/** The subject of an entry; its kind is the first word of the action unless it is given. */
export type AuditSubject = {
  id: string
  companyId?: string | null | undefined
  kind?: string | undefined
}

/** An entry of the audit: an action, its author and its subject. */
export type AuditEntry = AuditSubject & {
  /** The author of the change; `personId` null is the service or its operator. */
  actor: { accountId: string; personId: string | null }
  /** Subject and past participle: `endpoint.created`. */
  action: string
  /** The change, for a person to read. Never a secret, token or credential. */
  detail?: Record<string, unknown> | undefined
}

/** Writes an entry of the audit, in the transaction of the change. */
export async function recordAudit(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  { actor, action, detail, id, companyId = null, kind = action.split('.')[0]! }: AuditEntry,
): Promise<void> {
  await tx
    .insertInto('audit')
    .values({
      id: ids.uuid(),
      accountId: actor.accountId,
      companyId,
      actorKind: actor.personId === null ? 'service' : 'person',
      actorId: actor.personId,
      action,
      subjectKind: kind,
      subjectId: id,
      detail: detail ? JSON.stringify(detail) : null,
      createdAt: now,
    })
    .execute()
}
