import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { raiseEvents } from '../events/raise-event.ts'
import type { Ids } from '../../core/ids.ts'
import { ARCHIVED_KEYS, contactData, type ContactRow } from '../messaging/contact.ts'
import { editContacts } from '../messaging/edit-contacts.ts'
import type { ContactChange } from '../messaging/plan-edit.ts'
import { restoreMovedConversations } from './restore-moved-conversations.sql.ts'
import {
  splitShared,
  filterUnchanged,
  type GivenValues,
  type ContactValues,
  type MovedRows,
} from './merge-record.sql.ts'
import { readShown } from './shown.sql.ts'
import { restoreMovedRows } from './restore-moved-rows.sql.ts'

type Deps = { ids: Ids; now: Date }

/** The record of a merge that can be undone. */
export type StoredMerge = {
  fromId: string
  /** The contact before the merge. */
  snapshot: ContactRow
  given: GivenValues
  moved: MovedRows
  mergedAt: Date
}

/**
 * Undoes a merge: restores the merged contact under its old id and values, with its identities, conversations, runs,
 * leads and appointments. An account that a provider has shown to be one with the other's stays there. The remaining
 * contact loses values that only this merge gave it and that are unchanged. Both are opted out if the remaining one is.
 * Raises one event per changed contact. Returns the restored contact.
 *
 * Isolation: the caller has locked the identifiers, the contact and its conversations, and then re-read the merge.
 * Spec: Contacts › Merging.
 */
export async function unmergeContacts(
  tx: Transaction<DB>,
  deps: Deps,
  company: { id: string; name: string | null },
  into: ContactRow,
  merge: StoredMerge,
): Promise<ContactRow> {
  const { fromId } = merge
  const pair = { companyId: company.id, intoId: into.id, fromId }
  await tx
    .deleteFrom('contactMerge')
    .where('fromId', '=', fromId)
    .where('companyId', '=', company.id)
    .execute()
  await restoreRow(tx, deps.now, merge.snapshot)
  await returnIdentities(tx, pair, merge.moved)
  await restoreMovedRows(tx, pair, merge)
  await restoreMovedConversations(tx, deps, pair, merge)
  const isOutByOwnWord = into.optedOutAt === null && (await hasStopped(tx, into.id))
  const lost = await removeGiven(tx, pair, into, merge.given)
  const [shown] = await readShown(tx, [into.id])
  await editContacts(tx, deps, [
    {
      company,
      contactId: into.id,
      ...lost,
      phone: shown!.phone,
      whatsappId: shown!.whatsappId,
      ...(isOutByOwnWord && { optOut: { optedOut: true, at: deps.now, how: 'merge' as const } }),
    },
  ])
  await restoreOptOut(tx, deps, pair, into)
  return restoreShown(tx, deps, company, fromId, merge.snapshot.phone)
}

/**
 * Inserts the contact's row without phone and WhatsApp id, which the other contact still has. The columns are named,
 * because the stored row may have columns that an upgrade has removed.
 */
async function restoreRow(tx: Transaction<DB>, now: Date, was: ContactRow): Promise<void> {
  await tx
    .insertInto('contact')
    .values({
      id: was.id,
      companyId: was.companyId,
      name: was.name,
      searchName: was.searchName,
      phone: null,
      rawPhone: was.rawPhone,
      whatsappId: null,
      email: was.email,
      emailFrom: was.emailFrom,
      language: was.language,
      tags: was.tags,
      fields: was.fields,
      source: was.source,
      optedOutAt: was.optedOutAt,
      optOutWordAt: was.optOutWordAt,
      optOutWordHow: was.optOutWordHow,
      createdAt: was.createdAt,
      updatedAt: now,
    })
    .execute()
}

type Pair = { companyId: string; intoId: string; fromId: string }

/** Moves back the identities that came with the contact, also by earlier merges into it, and the records of those. */
async function returnIdentities(
  tx: Transaction<DB>,
  { companyId, intoId, fromId }: Pair,
  { contactMerge = [] }: MovedRows,
): Promise<void> {
  const { rows } = await sql<{ fromId: string }>`update contact_merge set into_id = ${fromId}
    where company_id = ${companyId} and into_id = ${intoId} and from_id = any(${contactMerge}::uuid[])
    returning from_id`.execute(tx)
  const via = [fromId, ...rows.map((row) => row.fromId)]
  await sql`update identity set contact_id = ${fromId},
      came_from = case when came_from <> ${fromId} then came_from end
    where company_id = ${companyId} and contact_id = ${intoId}
      and came_from = any(${via}::uuid[])`.execute(tx)
}

/**
 * Returns the change that removes what only this merge gave; values that another merged contact shares are attributed
 * to that one.
 */
async function removeGiven(
  tx: Transaction<DB>,
  { companyId, intoId }: Pair,
  into: ContactRow,
  given: GivenValues,
): Promise<ContactChange> {
  let left = filterUnchanged(into, given)
  /** An e-mail address that another merged contact shares is now vouched for by that one's source. */
  let email: Pick<ContactChange, 'email' | 'emailFrom'> = {}
  const others = await sql<{
    fromId: string
    snapshot: Partial<ContactValues> | null
    given: GivenValues
  }>`
    select from_id, snapshot::jsonb as snapshot, given from contact_merge
    where company_id = ${companyId} and into_id = ${intoId} order by merged_at for update`.execute(
    tx,
  )
  for (const other of others.rows) {
    const { fields = {}, tags = [] } = other.snapshot ?? {}
    const { shared, rest } = splitShared({ ...EMPTY, ...other.snapshot, fields, tags }, left)
    if (Object.keys({ ...shared.values, ...shared.fields }).length + shared.tags.length === 0) {
      continue
    }
    left = rest
    const { email: shares } = shared.values
    if (shares !== undefined)
      email = { email: shares, emailFrom: other.snapshot?.emailFrom ?? null }
    const all: GivenValues = {
      values: { ...other.given.values, ...shared.values },
      fields: { ...other.given.fields, ...shared.fields },
      tags: [...(other.given.tags ?? []), ...shared.tags],
    }
    await sql`update contact_merge set given = ${JSON.stringify(all)}::jsonb
      where from_id = ${other.fromId}`.execute(tx)
  }
  const taken = (named: object) => Object.fromEntries(Object.keys(named).map((key) => [key, null]))
  return { ...taken(left.values), ...email, fields: taken(left.fields), removeTags: left.tags }
}

const EMPTY = { name: null, rawPhone: null, email: null, emailFrom: null, language: null }

/** Returns whether the latest keyword or act, other than a merge or erasure, opted the contact out. */
async function hasStopped(tx: Transaction<DB>, contactId: string): Promise<boolean> {
  const { rows } = await sql<{ isOptedOut: boolean }>`
    select is_opted_out from opt_out_change
    where contact_id = ${contactId} and how not in ('merge', 'erased')
    order by at desc, id desc limit 1`.execute(tx)
  return rows[0]?.isOptedOut ?? false
}

/**
 * Opts the restored contact out if the other one is, or if it was before, unless its own customer has said START
 * since. It is never opted in otherwise.
 */
async function restoreOptOut(
  tx: Transaction<DB>,
  { ids, now }: Deps,
  { companyId, fromId }: Pair,
  into: ContactRow,
): Promise<void> {
  if (into.optedOutAt === null) {
    await sql`update contact set opted_out_at = null, opt_out_word_at = said.at, opt_out_word_how = said.how
      from (select at, how, is_opted_out from opt_out_change where contact_id = ${fromId}
        order by at desc, id desc limit 1) said
      where contact.id = ${fromId} and not said.is_opted_out
        and said.at > coalesce(opt_out_word_at, opted_out_at)`.execute(tx)
    return
  }
  const { rows } = await sql`
    update contact set opted_out_at = ${into.optedOutAt}, opt_out_word_at = ${into.optOutWordAt},
      opt_out_word_how = 'merge'
    where id = ${fromId} and opted_out_at is null returning id`.execute(tx)
  if (rows.length === 0) return
  await tx
    .insertInto('optOutChange')
    .values({
      id: ids.uuid(),
      companyId,
      contactId: fromId,
      isOptedOut: true,
      how: 'merge',
      at: into.optedOutAt,
      createdAt: now,
    })
    .execute()
}

/** Updates what the contact shows of its identities, preferring its former number, and raises `contact.updated`. */
async function restoreShown(
  tx: Transaction<DB>,
  deps: Deps,
  company: { id: string; name: string | null },
  contactId: string,
  phone: string | null,
): Promise<ContactRow> {
  await sql`update contact set phone = ${phone} where id = ${contactId} and not exists (
    select from contact other where other.company_id = contact.company_id
      and number_key(substr(other.phone, 2)) = number_key(substr(${phone}, 2)))`.execute(tx)
  const [shown] = await readShown(tx, [contactId])
  const { rows } = await sql<ContactRow & { archivedKeys: string[] }>`
    update contact set phone = ${shown!.phone}, whatsapp_id = ${shown!.whatsappId},
      raw_phone = case when ${shown!.phone}::text is null then raw_phone end
    where id = ${contactId} returning contact.*, ${ARCHIVED_KEYS} as archived_keys`.execute(tx)
  const { archivedKeys, ...contact } = rows[0]!
  const data = contactData(contact, archivedKeys)
  await raiseEvents(tx, deps, [
    { type: 'contact.updated', company, data, occurredAt: deps.now, contactId },
  ])
  return contact
}
