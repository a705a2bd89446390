import { sql, type Kysely, type Transaction } from 'kysely'
import type { CustomerRef } from '../channels/inbound.ts'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import { dueUnlessMoved, type RowClaim, type Queue } from '../../infra/database/queues/queue.ts'
import { settle } from '../../infra/database/queues/release.sql.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { NAME_LIMITS } from '../../core/limits/messaging.ts'
import { cleanText, cutCodePoints } from '../../rules/text/json-text.ts'
import { customerAddress } from './contact.ts'
import { editContacts } from './edit-contacts.ts'

/** A claimed look-up of a customer's profile name. */
export type ProfileLookup = {
  /** The id of the conversation. */
  id: string
  conversationId: string
  accountId: string
  companyId: string
  channelId: string
  channelType: string
  filedUnder: string
  /** The number of this try, from 1. */
  attempt: number
  claimId: string
}

/** An empty address: these customers are known by a page-scoped id only. */
const NO_ADDRESS = { number: null, businessScopedId: null, lid: null }

/** Enqueues profile look-ups of the customers of these conversations, from the commit on. */
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

/** The queue of conversations whose customer's name is to be looked up. */
export const NAME_QUEUE: Queue<ProfileLookup> = {
  name: 'names to ask for',
  table: 'profile_lookup',
  key: 'conversation_id',
  due: 'due_at',
  leaseMs: NAME_LIMITS.leaseMs,
  waits: sql`true`,
  byTime: { limit: NAME_LIMITS.lookedAt },
  movesDue: true,
  onClaim: sql`attempt = attempt + 1`,
  columns: sql`conversation_id as id, conversation_id, company_id, attempt, claim_id`,
  joined: {
    columns: sql`conversation.channel_id, conversation.channel_type, conversation.filed_under`,
    joins: sql`join conversation on conversation.id = claimed.id`,
  },
}

/** Returns the id by which the provider knows the customer, or null when they can no longer be looked up. */
export const profileCustomer = ({ channelType, filedUnder }: ProfileLookup): CustomerRef | null =>
  customerAddress({ channelType, filedUnder }, NO_ADDRESS)

/** Postpones the profile look-up of a customer until `dueAt`. */
export async function postponeProfileLookup(
  db: Kysely<DB>,
  lookup: RowClaim,
  dueAt: Date,
): Promise<void> {
  await settle(db, NAME_QUEUE, lookup, dueUnlessMoved(NAME_QUEUE, dueAt))
}

/**
 * Deletes the profile look-up of a customer, once it has succeeded or is given up. Returns whether the claim was still
 * valid.
 */
export async function deleteProfileLookup(
  db: Kysely<DB>,
  { id, claimId }: RowClaim,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from profile_lookup where conversation_id = ${id} and claim_id = ${claimId}`.execute(db)
  return numAffectedRows === 1n
}

/**
 * Ends a profile look-up: stores the customer's name, unless the contact has one by now, and raises `contact.updated`.
 * An erased customer is no longer found by the id and gets no name. The name is null when the provider does not
 * disclose it.
 *
 * Isolation: the identifier is locked after the contact, as an erasure does it; deleted meanwhile, it is no longer
 * found.
 */
export async function storeName(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  lookup: RowClaim,
  name: string | null,
): Promise<void> {
  if (!(await deleteProfileLookup(tx, lookup))) return
  const clean = name === null ? '' : cutCodePoints(cleanText(name).trim(), NAME_LIMITS.nameChars)
  if (clean === '') return
  const { rows } = await sql<{ contactId: string; companyId: string; companyName: string | null }>`
    select contact.id as contact_id, company.id as company_id, company.name as company_name
    from conversation join company on company.id = conversation.company_id
      join identifier on identifier.identity_id = conversation.identity_id and identifier.kind = 'page'
        and identifier.key = conversation.filed_under
      join contact on contact.id = conversation.contact_id
    where conversation.id = ${lookup.id} and contact.name is null
    for update of contact, identifier`.execute(tx)
  const [found] = rows
  if (!found) return
  const { contactId, companyId, companyName } = found
  const company = { id: companyId, name: companyName }
  await editContacts(tx, deps, [{ company, contactId, name: clean }])
}
