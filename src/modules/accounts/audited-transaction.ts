import type { Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { recordAudit } from './record-audit.ts'

/**
 * Records a change in the audit.
 * @param action subject and past participle: `endpoint.created`
 * @param detail the change, for a person to read. Never a secret, token or credential
 */
export type Audit = (
  action: string,
  subject: { kind: string; id: string; companyId?: string | null },
  detail?: Record<string, unknown>,
) => Promise<void>

/**
 * Makes a change in one transaction together with its audit entries. Errors of `work` are rethrown, and roll
 * everything back.
 *
 * @param actor the author of the change; `personId` null is the service or its operator
 */
export function auditedTransaction<T>(
  { db, ids, now }: Pick<Context, 'db' | 'ids'> & { now: Date },
  actor: { accountId: string; personId: string | null },
  work: (tx: Transaction<DB>, audit: Audit) => Promise<T>,
): Promise<T> {
  return transaction(db, (tx) =>
    work(tx, (action, { kind, id, companyId = null }, detail) =>
      recordAudit(
        tx,
        { ids, now },
        { actor, action, subjectKind: kind, subjectId: id, companyId, ...(detail && { detail }) },
      ),
    ),
  )
}
