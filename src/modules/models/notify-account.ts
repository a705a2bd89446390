import { sql, type Transaction } from 'kysely'
import type { ModelNoticeDetails } from '../../contract/dashboard/notice.ts'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'

/**
 * Creates a notice for the Owners and Admins of an account, also by e-mail. Models belong to the account, so the
 * notice appears in the account's first company.
 */
export async function notifyAccount(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  notice: {
    accountId: string
    kind: 'model_broken' | 'model_allowance'
    details: ModelNoticeDetails
  },
): Promise<void> {
  await sql`
    insert into notice (id, account_id, company_id, kind, details, created_at, mail_due_at)
    select ${ids.uuid()}, account_id, id, ${notice.kind}, ${JSON.stringify(notice.details)}, ${now}, ${now}
    from company where account_id = ${notice.accountId}
    order by is_project, created_at, id limit 1
  `.execute(tx)
  notifyAfterCommit(tx, 'notices')
}
