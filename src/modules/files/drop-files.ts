import { sql, type Transaction } from 'kysely'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import type { DB } from '../../infra/database/tables.ts'

/**
 * Returns the SQL assignments that mark a file for deletion. A dropped file is neither shown nor sent; its bytes are
 * deleted after the commit. A lease on it stays: the process that has it may be about to write bytes, which can only be
 * deleted after that.
 */
export const markDropped = (now: Date) =>
  sql`state = 'dropped', due_at = ${now}, attempt = 1, provider_media = null, lost_reason = null`

/**
 * Marks all files of the contacts' conversations for deletion, and returns how many. Their messages stay without a file.
 * A flow's file does not belong to a contact. The caller has locked the contacts. Spec: Files › Keeping.
 */
export async function dropFilesOfContacts(
  tx: Transaction<DB>,
  now: Date,
  { companyId, contactIds }: { companyId: string; contactIds: readonly string[] },
): Promise<number> {
  if (contactIds.length === 0) return 0
  const areTheirs = sql`conversation.contact_id = any(${contactIds}::uuid[])`
  return dropFilesOf(tx, now, companyId, areTheirs)
}

/**
 * Marks the files of a widget's visitor, who is no contact, for deletion, including uploads that no message used. The
 * caller has locked the conversation.
 */
export async function dropFilesOfVisitor(
  tx: Transaction<DB>,
  now: Date,
  visitor: { companyId: string; conversationId: string; visitorId: string },
): Promise<void> {
  const { companyId, conversationId, visitorId } = visitor
  await dropFilesOf(tx, now, companyId, sql`conversation.id = ${conversationId}`)
  await sql`update file set ${markDropped(now)}
    where visitor_id = ${visitorId} and company_id = ${companyId} and state <> 'dropped'`.execute(
    tx,
  )
}

async function dropFilesOf(
  tx: Transaction<DB>,
  now: Date,
  companyId: string,
  areTheirs: ReturnType<typeof sql>,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with named as materialized (
      select message.id, message.file_id from message
        join conversation on conversation.id = message.conversation_id
      where conversation.company_id = ${companyId}
        and ${areTheirs} and message.file_id is not null
      order by message.id for update of message
    ), parted as (
      update message set file_id = null where id = any(array(select id from named))
    )
    update file set ${markDropped(now)}
    where id = any(array(select file_id from named)) and company_id = ${companyId}
      and purpose <> 'flow'
      and not exists (select from message where message.file_id = file.id
        and message.id <> all(array(select id from named)))
  `.execute(tx)
  notifyAfterCommit(tx, 'files')
  return Number(numAffectedRows ?? 0)
}
