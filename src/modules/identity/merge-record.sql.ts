/** Records of merges, from which they can be undone: what the merged contact had, and what it gave. */
import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { LostLead } from '../leads/merge-leads.ts'
import type { ContactRow } from '../messaging/contact.ts'

/** The ids of the rows that belonged to the merged contact, by table. */
export type RowsOfContact = {
  /** Includes conversations that were merged into one of them. */
  conversation: string[]
  flowRun: string[]
  templateSend: string[]
  optOutChange: string[]
  appointment: string[]
  lead: string[]
  /** Broadcast and number, separated by a space. */
  broadcastRecipient: string[]
  /** Contacts that had been merged into it before. */
  contactMerge: string[]
}

/** The rows that a merge moved. */
export type MovedRows = Partial<RowsOfContact> & { lostLead?: LostLead | null }

/** Loads the ids of the rows that belong to a contact, so that an undone merge can return them. */
export async function readRowsOf(tx: Transaction<DB>, contactId: string): Promise<RowsOfContact> {
  const ids = (table: string, id = 'id') => sql`array(select ${sql.ref(id)}::text
    from ${sql.table(table)} where contact_id = ${contactId})`
  const { rows } = await sql<RowsOfContact>`
    select ${ids('flow_run')} as flow_run, ${ids('template_send', 'message_id')} as template_send,
      ${ids('opt_out_change')} as opt_out_change, ${ids('appointment')} as appointment,
      ${ids('lead')} as lead,
      array(select id from conversation where contact_id = ${contactId}
        union all select from_id from conversation_join join conversation on id = into_id
        where contact_id = ${contactId}) as conversation,
      array(select broadcast_id || ' ' || number from broadcast_recipient
        where contact_id = ${contactId}) as broadcast_recipient,
      array(select from_id::text from contact_merge where into_id = ${contactId}) as contact_merge`.execute(
    tx,
  )
  return rows[0]!
}

/** The values that the remaining contact got by a merge because it lacked them. */
export type GivenValues = {
  values: Partial<Record<GivenValue, string>>
  fields: Record<string, string>
  tags: string[]
}

const GIVEN_VALUES = ['name', 'rawPhone', 'email', 'emailFrom', 'language'] as const
type GivenValue = (typeof GIVEN_VALUES)[number]

/** The values of a contact that a merge can give to another one. */
export type ContactValues = Pick<ContactRow, GivenValue | 'fields' | 'tags'>

/** Returns what the contact `into` gets from another by a merge: its missing values, fields and tags. */
export function findGivenValues(into: ContactValues, from: ContactValues): GivenValues {
  const values = GIVEN_VALUES.flatMap((name) => {
    const value = from[name]
    return into[name] === null && value !== null ? [[name, value] as const] : []
  })
  const fields = Object.entries(from.fields).filter(([key]) => !Object.hasOwn(into.fields, key))
  const has = tagsOf(into)
  return {
    values: Object.fromEntries(values),
    fields: Object.fromEntries(fields),
    tags: from.tags.filter((tag) => !has.has(tag.toLowerCase())),
  }
}

/** Returns those of the given values that the contact still has unchanged. */
export function filterUnchanged(
  contact: ContactValues,
  { values = {}, fields = {}, tags = [] }: Partial<GivenValues>,
): GivenValues {
  const same = Object.entries(values).filter(
    ([name, value]) => contact[name as GivenValue] === value,
  )
  const has = tagsOf(contact)
  return {
    values: Object.fromEntries(same),
    fields: Object.fromEntries(
      Object.entries(fields).filter(([key, value]) => contact.fields[key] === value),
    ),
    tags: tags.filter((tag) => has.has(tag.toLowerCase())),
  }
}

/** Splits given values into those that another merged contact would have given as well, and the rest. */
export function splitShared(
  other: ContactValues,
  given: GivenValues,
): { shared: GivenValues; rest: GivenValues } {
  const shared = filterUnchanged(other, given)
  const tags = new Set(shared.tags)
  const without = <Value>(all: Readonly<Record<string, Value>>, some: object) =>
    Object.fromEntries(Object.entries(all).filter(([key]) => !Object.hasOwn(some, key)))
  return {
    shared,
    rest: {
      values: without(given.values as Record<string, string>, shared.values),
      fields: without(given.fields, shared.fields),
      tags: given.tags.filter((tag) => !tags.has(tag)),
    },
  }
}

const tagsOf = ({ tags }: ContactValues) => new Set(tags.map((tag) => tag.toLowerCase()))
