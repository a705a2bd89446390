import { fact } from '../../core/facts/fact.ts'
import { sql, type Kysely, type Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { cancelReplies } from '../messaging/cancel-replies.sql.ts'
import { wakeRuns } from '../flows/runs/wake-runs.ts'
import { changeOptOut } from '../messaging/change-opt-out.ts'
import { lockContactRows } from '../messaging/look-up-customers.sql.ts'
import type { OptOutLink } from './opt-out-link.ts'

/** The contact of an opt-out link, in the current state. */
export type LinkedContact = {
  contactId: string
  company: { id: string; name: string | null }
  language: string | null
  isOptedOut: boolean
}

/**
 * Loads the contact of an opt-out link, or the contact into which it was merged. Returns null if the contact no longer
 * exists.
 */
export async function loadLinkedContact(
  db: Kysely<DB>,
  { contactId }: OptOutLink,
): Promise<LinkedContact | null> {
  const { rows } = await sql<{
    id: string
    companyId: string
    companyName: string | null
    language: string | null
    isOptedOut: boolean
  }>`
    select contact.id, contact.company_id, company.name as company_name, contact.language,
      contact.opted_out_at is not null as is_opted_out
    from contact join company on company.id = contact.company_id
    where contact.id = coalesce(
      (select into_id from contact_merge where from_id = ${contactId}), ${contactId})`.execute(db)
  const [row] = rows
  if (!row) return null
  const { id, companyId, companyName, language, isOptedOut } = row
  return { contactId: id, company: { id: companyId, name: companyName }, language, isOptedOut }
}

/** Loads the contact and locks it. A contact that is merged meanwhile is looked up again. */
async function lockLinkedContact(
  tx: Transaction<DB>,
  link: OptOutLink,
): Promise<LinkedContact | null> {
  for (;;) {
    const linked = await loadLinkedContact(tx, link)
    if (!linked) return null
    const { rows } = await lockContactRows([linked.contactId]).execute(tx)
    if (rows.length > 0) return linked
  }
}

/**
 * Opts a customer out on all channels by the link of a broadcast, as STOP does. A repeated opt-out changes nothing and
 * returns the same; after a START the link works again. Returns null if the contact no longer exists.
 *
 * Spec: Broadcasts › The opt-out link; Flows › Opt-out; reading F15.
 */
export async function optOutByLink(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  link: OptOutLink,
): Promise<LinkedContact | null> {
  const now = clock.now()
  return transaction(db, async (tx) => {
    const linked = await lockLinkedContact(tx, link)
    if (!linked) return null
    const { company, contactId } = linked
    const { broadcastId } = link
    const act = { optedOut: true, at: now, how: 'link', broadcastId } as const
    const contact = await changeOptOut(tx, { ids, now }, company, { id: contactId }, act)
    if (contact.optedOutAt !== null) {
      const of = { contactIds: [contactId] }
      await wakeRuns(tx, now, of)
      await cancelReplies(tx, now, of, fact('reply_customer_stopped'))
    }
    return { ...linked, isOptedOut: contact.optedOutAt !== null }
  })
}
