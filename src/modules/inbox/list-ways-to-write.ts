import type { Context } from '../../infra/context.ts'
import type { WayToWrite } from '../../contract/dashboard/contact.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { identifierOnChannel } from '../messaging/identifier-on-channel.ts'
import { listApprovedTemplates } from '../messaging/list-templates.ts'
import { sendInputs } from '../messaging/may-send.ts'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import { whyNotSent } from '../../rules/messaging/may-send.ts'
import { ServiceError } from '../../core/service-error.ts'

/**
 * Returns the channels on which a member may write to a contact first, each with its approved templates or the reason
 * why it is not possible now. Channels on which only the customer can begin are left out.
 *
 * @throws not_found
 *
 * Spec: Inbox › Allowed messages; reading E3.
 */
export async function listWaysToWrite(
  { db, clock, formatFact }: Pick<Context, 'db' | 'clock'> & { formatFact: FormatFact },
  { companyId, contactId }: { companyId: string; contactId: string },
): Promise<{ items: WayToWrite[] }> {
  const contact = await db.kysely
    .selectFrom('contact')
    .innerJoin('company', 'company.id', 'contact.companyId')
    .innerJoin('account', 'account.id', 'company.accountId')
    .select(['account.plan', 'contact.optedOutAt'])
    .where('contact.id', '=', contactId)
    .where('contact.companyId', '=', companyId)
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_contact')))
  const channels = await db.kysely
    .selectFrom('channel')
    .select(['id', 'type', 'name', 'displayNumber', 'isConnected', 'disconnectedReason'])
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  const able = channels.filter(({ type }) => capabilitiesOf(type).hasTemplates)
  const items: WayToWrite[] = []
  for (const { id, type, name, displayNumber, ...state } of able) {
    const facts = sendInputs({ channel: { type, ...state }, ...contact, lastCustomerAt: null })
    const refusal = whyNotSent(facts, 'member', { kind: 'template' }, clock.now())
    const owned = { companyId, channelId: id, contactId }
    const found = await identifierOnChannel(db.kysely, owned)
    const why = whyNotBegun(refusal, found.ok)
    const templates = why === null ? await listApprovedTemplates({ db }, owned) : []
    items.push({
      channel: { id, type, name, displayNumber },
      whyNot: why && formatFact(why),
      templates,
    })
  }
  return { items }
}

function whyNotBegun(refusal: ReturnType<typeof whyNotSent>, hasAddress: boolean): Fact | null {
  if (refusal?.code === 'opted_out') return fact('start_opted_out')
  if (refusal) return refusal.detail
  return hasAddress ? null : fact('contact_without_number')
}
