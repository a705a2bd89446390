import { sql, type Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { PLAN_LIMITS } from '../../core/limits/accounts.ts'
import { ownAddress, type OwnAddress } from '../messaging/own-address.sql.ts'
import type { ActionDefinition } from '../../contract/ai-action.ts'
import type { CustomerValue } from '../../rules/calls/ownership.ts'
import { isEmailTrusted } from '../../rules/contacts/email-source.ts'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import { isStaffHandling } from '../../rules/messaging/take-over.ts'
import type { Plan } from '../../core/vocabulary/accounts.ts'
import type { ActionIdentity } from '../../core/vocabulary/calls.ts'

/** The context of a conversation in which the assistant uses actions. */
export type ActionContext = {
  companyId: string
  conversationId: string
  accountId: string
  channelType: string
  isInPlan: boolean
  /** States whether the assistant, not staff, handles the conversation. */
  isAssistantHandling: boolean
  /** The subject of the daily quota: the contact, or the conversation for a visitor without one. */
  customer: string
  /** The customer's own values that the channel verifies; null for unknown ones. */
  identities: Record<Exclude<ActionIdentity, 'none'>, string | null>
}

/** Loads the context, or returns null for a conversation of another company. */
export async function loadActionContext(
  db: Kysely<DB>,
  { companyId, conversationId }: { companyId: string; conversationId: string },
  now: Date,
): Promise<ActionContext | null> {
  const row = await db
    .selectFrom('conversation')
    .innerJoin('company', 'company.id', 'conversation.companyId')
    .innerJoin('account', 'account.id', 'company.accountId')
    .leftJoin('contact', 'contact.id', 'conversation.contactId')
    .leftJoinLateral(sql<OwnAddress>`(${ownAddress({ isReply: sql`true` })})`.as('own'), (join) =>
      join.onTrue(),
    )
    .select([
      'account.id as accountId',
      'account.plan',
      'conversation.channelType',
      'conversation.handledBy',
      'conversation.takenOverUntil',
      'contact.id as contactId',
      'own.number',
      'own.numberProof',
      'contact.email',
      'contact.emailFrom',
    ])
    .where('conversation.companyId', '=', companyId)
    .where('conversation.id', '=', conversationId)
    .executeTakeFirst()
  if (!row) return null
  // Spec: Calls › AI actions; reading C9.
  const known = capabilitiesOf(row.channelType).verifiesIdentity
  // A number that a person typed identifies the contact, but no provider has verified it.
  const shown = row.number !== null && row.numberProof === 'shown' ? `+${row.number}` : null
  return {
    companyId,
    conversationId,
    accountId: row.accountId,
    channelType: row.channelType,
    isInPlan: PLAN_LIMITS[row.plan as Plan].developer,
    isAssistantHandling: !isStaffHandling(row, now),
    customer: row.contactId ?? conversationId,
    identities: {
      phone: known ? shown : null,
      email: known && isEmailTrusted(row.emailFrom) ? row.email : null,
      contact_id: known ? row.contactId : null,
    },
  }
}

/** Returns the customer's own number, e-mail or id by which an action's data must be theirs; null without one. */
export function customerValueIn(
  context: Pick<ActionContext, 'identities'>,
  kind: ActionIdentity,
): CustomerValue | null {
  const value = kind === 'none' ? null : context.identities[kind]
  return kind === 'none' || value === null ? null : { kind, value }
}

/** Returns whether an action may be used in a conversation: its channel is allowed, and the required value is known. */
export function isUsableIn(
  context: Pick<ActionContext, 'identities' | 'channelType'>,
  { identity, offeredOn }: Pick<ActionDefinition, 'identity' | 'offeredOn'>,
): boolean {
  if (offeredOn === 'verified' && !capabilitiesOf(context.channelType).verifiesIdentity)
    return false
  return identity === 'none' || customerValueIn(context, identity) !== null
}
