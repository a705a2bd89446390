import type { Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { recordAudit, type AuditSubject } from './record-audit.ts'

/**
 * Records a change in the audit.
 * @param action subject and past participle: `endpoint.created`
 * @param detail the change, for a person to read. Never a secret, token or credential
 */
export type Audit = (
  action: string,
  subject: AuditSubject,
  detail?: Record<string, unknown>,
) => Promise<void>

/**
 * Makes a change in one transaction together with its audit entries. Errors of `work` are rethrown, and roll
 * everything back.
 *
 * @param actor the author of the change; `personId` null is the service or its operator
 * @param work receives the time of the change, which its audit entries have too
 */
export function auditedTransaction<T>(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  actor: { accountId: string; personId: string | null },
  work: (tx: Transaction<DB>, audit: Audit, now: Date) => Promise<T>,
): Promise<T> {
  const now = clock.now()
  return transaction(db, (tx) => {
    const audit: Audit = (action, { id, companyId, kind }, detail) =>
      recordAudit(tx, { ids, now }, { actor, action, id, companyId, kind, detail })
    return work(tx, audit, now)
  })
}
