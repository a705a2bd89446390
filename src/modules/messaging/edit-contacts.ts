import { isDeepStrictEqual } from 'node:util'
import { sql, type Transaction } from 'kysely'
import { arrayText } from '../../infra/database/array-text.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { raiseEvents, type EventToRaise } from '../events/raise-event.ts'
import { ARCHIVED_KEYS, contactData, type ContactRow } from './contact.ts'
import { recordTags } from './record-tags.sql.ts'
import { optOutOfNumber } from './opt-out-of-number.sql.ts'
import { planEdit, type ContactChange, type OptOutDecision } from './plan-edit.ts'

type Company = { id: string; name: string | null }

/** A change of a company's contact. */
export type ContactEdit = ContactChange & { company: Company; contactId: string }

/** A contact before and after its edits. */
export type EditedContact = {
  before: ContactRow
  contact: ContactRow
  isChanged: boolean
  /** Tags that exceed the contact's limit. */
  tagsLeftOut: string[]
}

/**
 * Edits any number of contacts in three statements, for members, flows, imports and opt-out keywords. Edits of one
 * contact apply in their order. A contact whose event payload changed raises one event: `contact.opted_out` if it was
 * opted out, else `contact.updated`. Unchanged contacts are not written. Every opt-out and opt-in is recorded.
 * Returns the contacts by id, without those that do not exist.
 *
 * Isolation: read committed. Rows are locked in id order and edited as they then are. Transactions that write
 * messages or runs of a contact do not wait.
 * Spec: Contacts › Changes; Contacts › Opt-out; reading E4.
 */
export async function editContacts(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  edits: readonly ContactEdit[],
): Promise<Map<string, EditedContact>> {
  if (edits.length === 0) return new Map()
  const locked = await lock(tx, edits)
  const edited = new Map<string, EditedContact>()
  const flips: Flip[] = []
  for (const { contactId, company, ...change } of edits) {
    const found = locked.get(`${company.id} ${contactId}`)
    if (!found) continue
    const { contact: before, remembered } = found
    const earlier = edited.get(contactId)
    const optOut = change.optOut ?? (change.phone === before.phone ? undefined : remembered)
    const planned = planEdit(
      earlier?.contact ?? before,
      { ...change, ...(optOut && { optOut }) },
      deps.now,
    )
    if (planned.flippedBy) {
      flips.push({ ...planned.flippedBy, companyId: company.id, contactId, id: deps.ids.uuid() })
    }
    edited.set(contactId, {
      before,
      contact: planned.contact,
      isChanged: planned.isChanged || (earlier?.isChanged ?? false),
      tagsLeftOut: [...(earlier?.tagsLeftOut ?? []), ...planned.tagsLeftOut],
    })
  }
  const changed = [...edited.values()].filter(({ isChanged }) => isChanged)
  if (changed.length > 0) await write(tx, deps.now, changed, flips)
  const events = changed.flatMap(({ before, contact }): EventToRaise[] => {
    const { company, archivedKeys } = locked.get(`${contact.companyId} ${contact.id}`)!
    const data = contactData(contact, archivedKeys)
    if (isDeepStrictEqual(data, contactData(before, archivedKeys))) return []
    const isOptOut = before.optedOutAt === null && contact.optedOutAt !== null
    const type = isOptOut ? 'contact.opted_out' : 'contact.updated'
    return [{ type, company, data, occurredAt: deps.now, contactId: contact.id }]
  })
  await raiseEvents(tx, deps, events)
  return edited
}

type Locked = {
  contact: ContactRow
  company: Company
  archivedKeys: string[]
  /** The opt-out of an erased contact that had the new number. */
  remembered: OptOutDecision | undefined
}

async function lock(
  tx: Transaction<DB>,
  edits: readonly ContactEdit[],
): Promise<Map<string, Locked>> {
  const requested = new Map<string, Pick<ContactEdit, 'company' | 'contactId' | 'phone'>>()
  for (const { company, contactId, phone } of edits) {
    const key = `${company.id} ${contactId}`
    requested.set(key, { company, contactId, phone: phone ?? requested.get(key)?.phone })
  }
  const { rows } = await sql<ContactRow & { archivedKeys: string[]; rememberedAt: Date | null }>`
    select contact.*, ${ARCHIVED_KEYS} as archived_keys,
      ${optOutOfNumber('requested')} as remembered_at
    from contact join unnest(${[...requested.values()].map(({ contactId }) => contactId)}::uuid[],
        ${[...requested.values()].map(({ company }) => company.id)}::uuid[],
        ${[...requested.values()].map(({ phone }) => phone ?? null)}::text[])
        as requested (id, company_id, phone)
      on contact.id = requested.id and contact.company_id = requested.company_id
    order by contact.id for no key update of contact`.execute(tx)
  return new Map(
    rows.map(({ archivedKeys, rememberedAt, ...contact }) => {
      const key = `${contact.companyId} ${contact.id}`
      const remembered: OptOutDecision | undefined =
        rememberedAt === null ? undefined : { optedOut: true, at: rememberedAt, how: 'erased' }
      return [key, { contact, company: requested.get(key)!.company, archivedKeys, remembered }]
    }),
  )
}

/** An opt-out or opt-in to record. */
type Flip = OptOutDecision & { id: string; companyId: string; contactId: string }

async function write(
  tx: Transaction<DB>,
  now: Date,
  changed: readonly EditedContact[],
  flips: readonly Flip[],
): Promise<void> {
  const rows = changed.map(({ contact }) => contact)
  const newTags = changed.flatMap(({ before, contact: { companyId, tags } }) =>
    tags.filter((tag) => !before.tags.includes(tag)).map((tag) => ({ companyId, tag })),
  )
  await sql`
    with written as (
      update contact set name = given.name, search_name = given.search_name, phone = given.phone,
        raw_phone = given.raw_phone, whatsapp_id = given.whatsapp_id, email = given.email, email_from = given.email_from,
        language = given.language, fields = given.fields::jsonb,
        tags = given.tags::text[],
        opted_out_at = given.opted_out_at, opt_out_word_at = given.opt_out_word_at, opt_out_word_how = given.opt_out_word_how,
        updated_at = given.updated_at
      from unnest(${rows.map(({ id }) => id)}::uuid[],
        ${rows.map(({ companyId }) => companyId)}::uuid[],
        ${rows.map(({ name }) => name)}::text[],
        ${rows.map(({ searchName }) => searchName)}::text[],
        ${rows.map(({ phone }) => phone)}::text[],
        ${rows.map(({ rawPhone }) => rawPhone)}::text[],
        ${rows.map(({ whatsappId }) => whatsappId)}::text[],
        ${rows.map(({ email }) => email)}::text[],
        ${rows.map(({ emailFrom }) => emailFrom)}::text[],
        ${rows.map(({ language }) => language)}::text[],
        ${rows.map(({ tags }) => arrayText(tags))}::text[],
        ${rows.map(({ fields }) => JSON.stringify(fields))}::text[],
        ${rows.map(({ optedOutAt }) => optedOutAt)}::timestamptz[],
        ${rows.map(({ optOutWordAt }) => optOutWordAt)}::timestamptz[],
        ${rows.map(({ optOutWordHow }) => optOutWordHow)}::text[],
        ${rows.map(({ updatedAt }) => updatedAt)}::timestamptz[])
        as given (id, company_id, name, search_name, phone, raw_phone, whatsapp_id, email, email_from, language,
          tags, fields, opted_out_at, opt_out_word_at, opt_out_word_how, updated_at)
      where contact.id = given.id and contact.company_id = given.company_id
    ), ${recordTags(newTags)}
    insert into opt_out_change
      (id, company_id, contact_id, is_opted_out, how, actor_id, conversation_id,
        broadcast_id, reason, at, created_at)
    select flip.id, flip.company_id, flip.contact_id, flip.is_opted_out, flip.how, flip.actor_id,
      flip.conversation_id, broadcast.id, flip.reason, flip.at, ${now}
    from unnest(${flips.map(({ id }) => id)}::uuid[],
      ${flips.map(({ companyId }) => companyId)}::uuid[],
      ${flips.map(({ contactId }) => contactId)}::uuid[],
      ${flips.map(({ optedOut }) => optedOut)}::boolean[],
      ${flips.map(({ how }) => how)}::text[],
      ${flips.map(({ actorId }) => actorId ?? null)}::uuid[],
      ${flips.map(({ conversationId }) => conversationId ?? null)}::text[],
      ${flips.map(({ broadcastId }) => broadcastId ?? null)}::uuid[],
      ${flips.map(({ reason }) => reason ?? null)}::text[],
      ${flips.map(({ at }) => at)}::timestamptz[])
      as flip (id, company_id, contact_id, is_opted_out, how, actor_id, conversation_id, broadcast_id,
        reason, at)
      left join broadcast on broadcast.id = flip.broadcast_id`.execute(tx)
}
