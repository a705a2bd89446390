import { sql, type Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { loadCompany } from '../accounts/load-company.ts'
import { memberChange } from '../accounts/member-change.ts'
import type { Context } from '../context.ts'
import type { ContactView, MergeContact } from '../contract/dashboard/contact.ts'
import type { DB } from '../database/tables.ts'
import { fact } from '../facts/fact.ts'
import { cancelReplies } from '../messaging/cancel-replies.sql.ts'
import { wakeRuns } from '../flows/runs/wake-runs.ts'
import { CONTACT_LIMITS } from '../limits/contacts.ts'
import type { ContactRow } from '../messaging/contact.ts'
import { editContacts } from '../messaging/edit-contacts.ts'
import { mergeLeads } from '../leads/merge-leads.ts'
import { lockConversations } from '../messaging/lock-conversations.sql.ts'
import { lockCustomer, type Alias } from '../messaging/lock-customer.ts'
import { holdContacts } from '../messaging/look-up-customers.sql.ts'
import type { ContactChange } from '../messaging/plan-edit.ts'
import { ServiceError } from '../service-error.ts'
import { moveRecipients } from './move-recipients.sql.ts'
import { requireContact, type OwnedContact } from './require-contact.ts'
import { readArchivedKeys, viewContact } from './view-contact.ts'

type Deps = Pick<Context, 'ids'> & { now: Date }
type Pair = { companyId: string; intoId: string; fromId: string }

/**
 * Makes one contact part of another, because a member says that they are one customer. The one that stays
 * keeps its values and gets those that it had not, the tags of both, and every id, conversation, run, lead,
 * place in a broadcast and sent template of the other; it is opted out when either was. One event tells of it,
 * and none of the other, whose id leads to it from now on. Its conversations go on with its own ids and number.
 *
 * Isolation: the ids of both are locked, then their contacts and conversations, so that nobody meets the
 * one that goes meanwhile.
 *
 * @throws not_found; invalid, also where both together have more tags than one contact may
 * Spec: Contacts › Merging.
 */
export async function mergeContact(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, contactId: intoId, fromId }: OwnedContact & MergeContact,
): Promise<ContactView> {
  const now = clock.now()
  const pair = { companyId, intoId, fromId }
  return memberChange({ db, ids, now }, actor, async (tx, audit) => {
    const { name } = await loadCompany(tx, actor, companyId)
    const { from } = await lockBoth(tx, pair)
    await tx
      .insertInto('contactMerge')
      .values({
        fromId,
        companyId,
        intoId,
        mergedBy: actor.personId,
        snapshot: JSON.stringify(from),
        // Where it is of one that became part of it before, it stays that one's.
        phone: (await isOfMerged(tx, from)) ? null : from.phone,
        mergedAt: now,
      })
      .execute()
    await move(tx, { ids, now }, pair, from)
    const { into } = await readBoth(tx, pair)
    const edited = await editContacts(tx, { ids, now }, [
      {
        company: { id: companyId, name },
        contactId: intoId,
        ...filledBy(into, from),
        ...(from.optedOutAt !== null && {
          optOut: { optedOut: true, at: now, how: 'merge', actorId: actor.personId },
        }),
      },
    ])
    const { contact, tagsLeftOut } = edited.get(intoId)!
    if (tagsLeftOut.length > 0) throw tooManyTags()
    await tx
      .deleteFrom('contact')
      .where('id', '=', fromId)
      .where('companyId', '=', companyId)
      .execute()
    const of = { contactIds: [intoId] }
    // Also those of the one that goes, where only the other was out.
    if (contact.optedOutAt !== null) await wakeRuns(tx, now, of)
    if (from.optedOutAt !== null) {
      await cancelReplies(tx, now, of, fact('reply_customer_stopped'))
    }
    await audit('contact.merged', { kind: 'contact', id: intoId, companyId }, { fromId })
    return viewContact(contact, await readArchivedKeys(tx, companyId))
  })
}

/** Whether the contact's number came to it by a merge. */
async function isOfMerged(tx: Transaction<DB>, { id, phone }: ContactRow): Promise<boolean> {
  if (phone === null) return false
  const alias = await tx
    .selectFrom('contactAlias')
    .select('contactId')
    .where('contactId', '=', id)
    .where('kind', '=', 'number')
    .where('value', '=', phone.slice(1))
    .where('mergedFrom', 'is not', null)
    .executeTakeFirst()
  return alias !== undefined
}

function tooManyTags(): ServiceError {
  const errors = [{ field: 'fromId', ...fact('too_many_tags', { most: CONTACT_LIMITS.tags }) }]
  return new ServiceError('invalid', fact('fields_wrong'), { errors })
}

/** What the one that stays gets of the other: values that it has not, and its tags. */
function filledBy(into: ContactRow, from: ContactRow): ContactChange {
  const missing = Object.entries(from.fields).filter(([key]) => !Object.hasOwn(into.fields, key))
  return {
    name: into.name ?? from.name,
    phone: into.phone ?? from.phone,
    rawPhone: into.rawPhone ?? from.rawPhone,
    whatsappId: into.whatsappId ?? from.whatsappId,
    email: into.email ?? from.email,
    language: into.language ?? from.language,
    addTags: from.tags,
    fields: Object.fromEntries(missing),
  }
}

async function lockBoth(tx: Transaction<DB>, pair: Pair) {
  const { companyId, intoId, fromId } = pair
  if (intoId === fromId) {
    const errors = [{ field: 'fromId', ...fact('merge_with_itself') }]
    throw new ServiceError('invalid', fact('fields_wrong'), { errors })
  }
  const seen = await readBoth(tx, pair)
  const aliases = await tx
    .selectFrom('contactAlias')
    .select(['kind', 'value'])
    .where('companyId', '=', companyId)
    .where('contactId', 'in', [intoId, fromId])
    .execute()
  const phones = [seen.into.phone, seen.from.phone].flatMap((phone) =>
    phone === null ? [] : [{ kind: 'number', value: phone.slice(1) }],
  )
  await lockCustomer(tx, companyId, [...aliases, ...phones] as Alias[])
  await holdContacts([intoId, fromId].toSorted()).execute(tx)
  const conversations = await tx
    .selectFrom('conversation')
    .select('id')
    .where('companyId', '=', companyId)
    .where('contactId', 'in', [intoId, fromId])
    .execute()
  await lockConversations(tx, { ids: conversations.map(({ id }) => id), customers: [] })
  return readBoth(tx, pair)
}

async function readBoth(tx: Transaction<DB>, { companyId, intoId, fromId }: Pair) {
  return {
    into: await requireContact(tx, { companyId, contactId: intoId }),
    from: await requireContact(tx, { companyId, contactId: fromId }),
  }
}

/** All that belongs to the one belongs to the other; whose ids and conversations they were is kept. */
async function move(
  tx: Transaction<DB>,
  { now }: Deps,
  { companyId, intoId, fromId }: Pair,
  from: ContactRow,
): Promise<void> {
  for (const table of ['conversation', 'contact_alias']) {
    await sql`update ${sql.table(table)}
      set contact_id = ${intoId}, merged_from = coalesce(merged_from, ${fromId})
      where contact_id = ${fromId} and company_id = ${companyId}`.execute(tx)
  }
  const own = ['flow_run', 'template_send', 'opt_out_change', 'appointment']
  for (const table of own) {
    await sql`update ${sql.table(table)} set contact_id = ${intoId}
      where contact_id = ${fromId} and company_id = ${companyId}`.execute(tx)
  }
  await moveRecipients(tx, { companyId, intoId, fromId })
  await mergeLeads(tx, now, { companyId, intoId, fromId })
  await sql`update contact_merge set into_id = ${intoId}
    where into_id = ${fromId} and company_id = ${companyId}`.execute(tx)
  // Its number goes on to find it, also where it was no alias yet.
  if (from.phone === null) return
  await sql`insert into contact_alias
      (company_id, kind, value, contact_id, merged_from, learnt_from, created_at)
    values (${companyId}, 'number', ${from.phone.slice(1)}, ${intoId}, ${fromId}, 'person', ${now})
    on conflict do nothing`.execute(tx)
}
