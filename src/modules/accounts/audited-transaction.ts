import type { Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { recordAudit } from './record-audit.ts'

/**
 * Writes down what was done to what.
 * @param action noun and past participle: `endpoint.created`.
 * @param detail what changed, for a person to read. Never a secret, token or credential.
 */
export type Audit = (
  action: string,
  subject: { kind: string; id: string; companyId?: string | null },
  detail?: Record<string, unknown>,
) => Promise<void>

/**
 * A change that somebody makes: one transaction, in which the audit says what they did. Throws what
 * `work` throws, and then nothing has changed.
 *
 * @param actor who does it; `personId` null is the service or its operator.
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
