import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import { PLAN_LIMITS } from '../limits/accounts.ts'
import { phoneOf } from '../messaging/contact.ts'
import { ownNumber, type OwnNumber } from '../messaging/merged-numbers.sql.ts'
import type { Owner } from '../rules/calls/ownership.ts'
import { capabilitiesOf } from '../rules/messaging/channel-capabilities.ts'
import { isStaffHandling } from '../rules/messaging/take-over.ts'
import type { Plan } from '../vocabulary/accounts.ts'
import type { ActionIdentity } from '../vocabulary/calls.ts'
import type { ContactSource } from '../vocabulary/contacts.ts'

/** The conversation in which the assistant replies. */
export type ActionTurn = {
  companyId: string
  conversationId: string
  accountId: string
  channelType: string
  isInPlan: boolean
  /** False while staff is handling the conversation. */
  isAssistants: boolean
  /** Whom a day's calls are counted for: the contact; a visitor without one by conversation. */
  customer: string
  /** The customer's own values that the channel vouches for, null where it is not known. */
  identities: Record<Exclude<ActionIdentity, 'none'>, string | null>
}

/** Where a stranger fills in a form that makes a contact. */
const FORMS: ContactSource[] = ['booking_page', 'enquiry']

/** Null: the company has no such conversation. */
export async function loadActionTurn(
  db: Kysely<DB>,
  { companyId, conversationId }: { companyId: string; conversationId: string },
  now: Date,
): Promise<ActionTurn | null> {
  const row = await db
    .selectFrom('conversation')
    .innerJoin('company', 'company.id', 'conversation.companyId')
    .innerJoin('account', 'account.id', 'company.accountId')
    .leftJoin('contact', 'contact.id', 'conversation.contactId')
    .leftJoinLateral(sql<OwnNumber>`(${ownNumber()})`.as('own'), (join) => join.onTrue())
    .select([
      'account.id as accountId',
      'account.plan',
      'conversation.channelType',
      'conversation.filedUnder',
      'conversation.handledBy',
      'conversation.takenOverUntil',
      'contact.id as contactId',
      'own.phone',
      'own.learntFrom',
      'contact.email',
      // Who fills in a form may be anybody: with a number of their own, and the address of somebody else.
      sql<boolean>`contact.source <> all (${FORMS}) and not exists (
        select 1 from contact_merge where contact_merge.into_id = contact.id
          and snapshot::jsonb ->> 'source' = any (${FORMS})
          and snapshot::jsonb ->> 'email' = contact.email
      )`.as('emailIsTheirs'),
    ])
    .where('conversation.companyId', '=', companyId)
    .where('conversation.id', '=', conversationId)
    .executeTakeFirst()
  if (!row) return null
  // Spec: Calls › AI actions; reading C9.
  const known = capabilitiesOf(row.channelType).verifiesIdentity
  // A number that a person only wrote down finds the contact, but the provider has never vouched for it.
  const shown = row.learntFrom === 'provider' ? row.phone : phoneOf(row.filedUnder)
  return {
    companyId,
    conversationId,
    accountId: row.accountId,
    channelType: row.channelType,
    isInPlan: PLAN_LIMITS[row.plan as Plan].developer,
    isAssistants: !isStaffHandling(row, now),
    customer: row.contactId ?? conversationId,
    identities: {
      phone: known ? shown : null,
      email: known && row.email && row.emailIsTheirs ? row.email : null,
      contact_id: known ? row.contactId : null,
    },
  }
}

/** The customer's value for an action about them; null when it is about nobody, or it is not known. */
export function ownerIn(turn: Pick<ActionTurn, 'identities'>, kind: ActionIdentity): Owner | null {
  const value = kind === 'none' ? null : turn.identities[kind]
  return kind === 'none' || value === null ? null : { kind, value }
}
