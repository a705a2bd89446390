import { sql, type Kysely, type Transaction } from 'kysely'
import type { CustomerRef } from '../channels/channel-adapter.ts'
import { byTurns } from '../database/by-turns.ts'
import { noteWork } from '../database/commit-notes.ts'
import type { DB } from '../database/tables.ts'
import type { Ids } from '../ids.ts'
import { NAME_LIMITS } from '../limits/messaging.ts'
import { cleanText, cutCodePoints } from '../rules/text/json-text.ts'
import { customerAddress } from './contact.ts'
import { editContacts } from './edit-contacts.ts'

/** A customer whose name is asked for. */
export type NameToAsk = {
  conversationId: string
  companyId: string
  channelId: string
  /** Of these tries, from 1. */
  attempt: number
  customer: CustomerRef
}

/** Names are asked for of people whom only a page knows: by nothing else. */
const NO_ADDRESS = { number: null, businessScopedId: null, lid: null }

/** From the commit on the provider is asked what the customers of these conversations are called. */
export async function awaitNames(
  tx: Transaction<DB>,
  now: Date,
  conversations: readonly { id: string; companyId: string }[],
): Promise<void> {
  if (conversations.length === 0) return
  await sql`
    insert into name_to_ask (conversation_id, company_id, due_at)
    select *, ${now} from unnest(${conversations.map(({ id }) => id)}::text[],
      ${conversations.map(({ companyId }) => companyId)}::uuid[])
    on conflict do nothing`.execute(tx)
  noteWork(tx, 'names')
}

/**
 * Takes names that are to be asked for: accounts in turn, of each the longest due, among so many that are due longest. Who does not settle one in time leaves it to
 * whoever comes next: to ask twice costs nothing.
 *
 * Isolation: one statement at read committed; `skip locked` keeps two nodes from taking one.
 */
export async function takeNamesToAsk(
  db: Kysely<DB>,
  { now, limit }: { now: Date; limit: number },
): Promise<NameToAsk[]> {
  const until = new Date(now.getTime() + NAME_LIMITS.leaseMs)
  const { rows } = await sql<
    Omit<NameToAsk, 'customer'> & { channelType: string; filedUnder: string }
  >`
    update name_to_ask set due_at = ${until}, attempt = attempt + 1
    from conversation
    where conversation.id = name_to_ask.conversation_id and conversation_id in (
      select conversation_id from name_to_ask where due_at <= ${now} and conversation_id = any(array(
        ${byTurns(
          sql`select conversation_id as id, company_id, due_at from name_to_ask
            where due_at <= ${now} order by due_at limit ${NAME_LIMITS.lookedAt}::int`,
          limit,
        )}))
      for update skip locked)
    returning conversation_id, name_to_ask.company_id, channel_id, attempt, channel_type,
      filed_under`.execute(db)
  return rows.flatMap(({ channelType, filedUnder, ...asked }) => {
    const customer = customerAddress({ channelType, filedUnder }, NO_ADDRESS)
    return customer ? [{ ...asked, customer }] : []
  })
}

/** When the next name is to be asked for; null when none is. */
export async function nextNameToAsk(db: Kysely<DB>): Promise<Date | null> {
  const { rows } = await sql<{ dueAt: Date }>`
    select due_at from name_to_ask order by due_at limit 1`.execute(db)
  return rows[0]?.dueAt ?? null
}

/** The provider is asked again later; with null it is not. */
export async function postponeName(
  db: Kysely<DB>,
  { conversationId }: Pick<NameToAsk, 'conversationId'>,
  dueAt: Date | null,
): Promise<void> {
  await (
    dueAt === null
      ? sql`delete from name_to_ask where conversation_id = ${conversationId}`
      : sql`update name_to_ask set due_at = ${dueAt} where conversation_id = ${conversationId}`
  ).execute(db)
}

/**
 * The customer is called so, where nobody has called them anything meanwhile: `contact.updated` tells of it.
 * One who was erased is known by the id no more, and gets no name. Null: nobody may know it.
 *
 * Isolation: the id is locked after the contact, as whoever erases it does: gone meanwhile, it is found no more.
 */
export async function learnName(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  { conversationId }: Pick<NameToAsk, 'conversationId'>,
  name: string | null,
): Promise<void> {
  await sql`delete from name_to_ask where conversation_id = ${conversationId}`.execute(tx)
  const clean = name === null ? '' : cutCodePoints(cleanText(name).trim(), NAME_LIMITS.nameChars)
  if (clean === '') return
  const { rows } = await sql<{ contactId: string; companyId: string; companyName: string | null }>`
    select contact.id as contact_id, company.id as company_id, company.name as company_name
    from conversation join company on company.id = conversation.company_id
      join identifier on identifier.identity_id = conversation.identity_id and identifier.kind = 'page'
        and identifier.key = conversation.filed_under
      join contact on contact.id = conversation.contact_id
    where conversation.id = ${conversationId} and contact.name is null
    for update of contact, identifier`.execute(tx)
  const [found] = rows
  if (!found) return
  const { contactId, companyId, companyName } = found
  const company = { id: companyId, name: companyName }
  await editContacts(tx, deps, [{ company, contactId, name: clean }])
}
