import { sql, type Kysely, type Transaction } from 'kysely'
import type { CustomerRef } from '../channels/inbound.ts'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import { dueUnlessMoved, type InHand, type Queue } from '../../infra/database/queues/queue.ts'
import { settle } from '../../infra/database/queues/release.sql.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { NAME_LIMITS } from '../../core/limits/messaging.ts'
import { cleanText, cutCodePoints } from '../../rules/text/json-text.ts'
import { customerAddress } from './contact.ts'
import { editContacts } from './edit-contacts.ts'

/** A customer whose name is asked for. */
export type ProfileLookup = {
  /** Of the conversation. */
  id: string
  conversationId: string
  accountId: string
  companyId: string
  channelId: string
  channelType: string
  filedUnder: string
  /** Of these tries, from 1. */
  attempt: number
  claimId: string
}

/** Names are asked for of people whom only a page knows: by nothing else. */
const NO_ADDRESS = { number: null, businessScopedId: null, lid: null }

/** From the commit on the provider is asked what the customers of these conversations are called. */
export async function enqueueProfileLookups(
  tx: Transaction<DB>,
  now: Date,
  conversations: readonly { id: string; companyId: string }[],
): Promise<void> {
  if (conversations.length === 0) return
  await sql`
    insert into profile_lookup (conversation_id, company_id, due_at)
    select *, ${now} from unnest(${conversations.map(({ id }) => id)}::text[],
      ${conversations.map(({ companyId }) => companyId)}::uuid[])
    on conflict do nothing`.execute(tx)
  notifyAfterCommit(tx, 'names')
}

/** Conversations whose customer's name is to be asked for. */
export const NAME_QUEUE: Queue<ProfileLookup> = {
  name: 'names to ask for',
  table: 'profile_lookup',
  key: 'conversation_id',
  due: 'due_at',
  leaseMs: NAME_LIMITS.leaseMs,
  waits: sql`true`,
  byTime: { most: NAME_LIMITS.lookedAt },
  movesDue: true,
  onClaim: sql`attempt = attempt + 1`,
  columns: sql`conversation_id as id, conversation_id, company_id, attempt, claim_id`,
  beside: {
    columns: sql`conversation.channel_id, conversation.channel_type, conversation.filed_under`,
    joins: sql`join conversation on conversation.id = claimed.id`,
  },
}

/** Returns how the provider knows the customer whose name is asked for; null where it no longer can. */
export const customerToAsk = ({ channelType, filedUnder }: ProfileLookup): CustomerRef | null =>
  customerAddress({ channelType, filedUnder }, NO_ADDRESS)

/** The provider is asked again at `dueAt`. */
export async function postponeName(db: Kysely<DB>, asked: InHand, dueAt: Date): Promise<void> {
  await settle(db, NAME_QUEUE, asked, dueUnlessMoved(NAME_QUEUE, dueAt))
}

/** The provider is asked no more. Returns whether the name was still in this hand. */
export async function forgetName(db: Kysely<DB>, { id, claimId }: InHand): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from profile_lookup where conversation_id = ${id} and claim_id = ${claimId}`.execute(db)
  return numAffectedRows === 1n
}

/**
 * The customer is called so, where nobody has called them anything meanwhile: `contact.updated` tells of it.
 * One who was erased is known by the id no more, and gets no name. Null: nobody may know it.
 *
 * Isolation: the id is locked after the contact, as whoever erases it does: gone meanwhile, it is found no more.
 */
export async function storeName(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  asked: InHand,
  name: string | null,
): Promise<void> {
  if (!(await forgetName(tx, asked))) return
  const clean = name === null ? '' : cutCodePoints(cleanText(name).trim(), NAME_LIMITS.nameChars)
  if (clean === '') return
  const { rows } = await sql<{ contactId: string; companyId: string; companyName: string | null }>`
    select contact.id as contact_id, company.id as company_id, company.name as company_name
    from conversation join company on company.id = conversation.company_id
      join identifier on identifier.identity_id = conversation.identity_id and identifier.kind = 'page'
        and identifier.key = conversation.filed_under
      join contact on contact.id = conversation.contact_id
    where conversation.id = ${asked.id} and contact.name is null
    for update of contact, identifier`.execute(tx)
  const [found] = rows
  if (!found) return
  const { contactId, companyId, companyName } = found
  const company = { id: companyId, name: companyName }
  await editContacts(tx, deps, [{ company, contactId, name: clean }])
}
