import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { wakeRuns } from '../flows/runs/wake-runs.ts'
import { mergeLeads } from '../leads/merge-leads.ts'
import { cancelReplies } from '../messaging/cancel-replies.sql.ts'
import type { ContactRow } from '../messaging/contact.ts'
import type { ContactChange, OptOutDecision } from '../messaging/plan-edit.ts'
import type { OptOutHow } from '../../core/vocabulary/contacts.ts'
import { findGivenValues, readRowsOf } from './merge-record.sql.ts'
import { moveRecipients } from './move-recipients.sql.ts'

type Pair = { companyId: string; into: ContactRow; from: ContactRow }

/**
 * Moves what belongs to one contact to another, deletes the first, and returns the change of the other's values, which
 * the caller has to write and report. The other keeps its values, gets missing ones and the tags of both, and is opted
 * out when either was. The id of the deleted contact redirects to it.
 *
 * Isolation: the caller has locked the identifiers, contacts and conversations of both.
 * Spec: Contacts › Merging.
 */
export async function mergeContacts(
  tx: Transaction<DB>,
  { now }: { now: Date },
  { companyId, into, from }: Pair,
  /** The member who merges them; null when the provider has shown that they are one. */
  actorId: string | null,
): Promise<ContactChange> {
  const pair = { companyId, intoId: into.id, fromId: from.id }
  const moved = await readRowsOf(tx, from.id)
  // Conversations move with their identities.
  await sql`update identity set contact_id = ${into.id}, came_from = coalesce(came_from, ${from.id})
    where contact_id = ${from.id} and company_id = ${companyId}`.execute(tx)
  for (const table of [
    'flow_run',
    'template_send',
    'opt_out_change',
    'appointment',
    'identity_change',
  ]) {
    await sql`update ${sql.table(table)} set contact_id = ${into.id}
      where contact_id = ${from.id} and company_id = ${companyId}`.execute(tx)
  }
  await moveRecipients(tx, pair)
  const lostLead = await mergeLeads(tx, now, pair)
  await sql`update contact_merge set into_id = ${into.id}
    where into_id = ${from.id} and company_id = ${companyId}`.execute(tx)
  await tx
    .deleteFrom('contact')
    .where('id', '=', from.id)
    .where('companyId', '=', companyId)
    .execute()
  const optOut = optOutOf(into, from, { now, actorId })
  const given = findGivenValues(into, from)
  await tx
    .insertInto('contactMerge')
    .values({
      fromId: from.id,
      companyId,
      intoId: into.id,
      mergedBy: actorId,
      snapshot: JSON.stringify(from),
      given: JSON.stringify(given),
      moved: JSON.stringify({ ...moved, lostLead }),
      mergedAt: now,
    })
    .execute()
  return {
    ...given.values,
    phone: into.phone ?? from.phone,
    whatsappId: into.whatsappId ?? from.whatsappId,
    addTags: given.tags,
    fields: given.fields,
    ...(optOut && { optOut }),
  }
}

/**
 * Stops the automations of a contact that is opted out, and does nothing for another. It cancels the replies in all of
 * the contact's conversations, and makes its runs due, whose next advance ends them.
 */
export async function stopAutomationsIfOptedOut(
  tx: Transaction<DB>,
  now: Date,
  contact: Pick<ContactRow, 'id' | 'optedOutAt'>,
): Promise<void> {
  if (contact.optedOutAt === null) return
  const of = { contactIds: [contact.id] }
  await wakeRuns(tx, now, of)
  await cancelReplies(tx, now, of, fact('reply_customer_stopped'))
}

/**
 * Returns the opt-out of a merged contact: out if either is. When the provider shows that they are one customer,
 * their own newer START wins over the other's STOP. A member's opt-in of one record never outweighs a STOP on the
 * other. The newest valid keyword decides on keywords that arrive late.
 */
function optOutOf(
  into: ContactRow,
  from: ContactRow,
  { now, actorId }: { now: Date; actorId: string | null },
): OptOutDecision | null {
  const words = [wordOf(into), wordOf(from)].filter((word) => word !== null)
  const [newest] = words.toSorted((a, b) => b.at.getTime() - a.at.getTime())
  if (!newest) return null
  const outs = words.filter(({ optedOut }) => optedOut)
  if (outs.length === 0 || outs.length === 2) return newest
  const isStarted = actorId === null && newest.how === 'start' && newest.at > outs[0]!.at
  if (isStarted) return newest
  const said = actorId === null ? { saidAt: outs[0]!.at } : { actorId }
  return { optedOut: true, at: now, how: 'merge', ...said }
}

/** Returns the newest keyword that decides a contact's opt-out, or null without one. */
function wordOf({ optedOutAt, optOutWordAt, optOutWordHow }: ContactRow): OptOutDecision | null {
  const at = optOutWordAt ?? optedOutAt
  if (at === null) return null
  return { optedOut: optedOutAt !== null, at, how: (optOutWordHow ?? 'merge') as OptOutHow }
}
