import type { Actor } from '../accounts/actor.ts'
import type { Context } from '../../infra/context.ts'
import type { SentReply, StartConversation } from '../../contract/dashboard/conversation.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { raiseEvents } from '../events/raise-event.ts'
import { fact } from '../../core/facts/fact.ts'
import { lockIdentifierOnChannel } from '../messaging/identifier-on-channel.ts'
import { lookUpCustomers } from '../messaging/look-up-customers.sql.ts'
import { resolveCustomers } from '../messaging/resolve-customers.ts'
import { wrongField } from '../../core/service-error.ts'
import { queueReply } from './send-reply.ts'
import { viewConversation } from './view-conversations.ts'
import { viewMessages } from './view-messages.ts'

/**
 * Writes to a contact first, by a template. In an existing conversation on the channel the template is sent there,
 * and staff handles it from then on. A new conversation stays with flows and the assistant, and raises its event when
 * the customer writes.
 *
 * @throws as `sendReply`; invalid for a contact or a channel of another company
 *
 * Spec: Inbox › Handler and assignment; reading E3.
 */
export async function startConversation(
  {
    db,
    ids,
    clock,
    formatFact,
  }: Pick<Context, 'db' | 'ids' | 'clock'> & { formatFact: FormatFact },
  actor: Actor,
  { companyId, contactId, channelId, key, template }: StartConversation & { companyId: string },
): Promise<SentReply> {
  const now = clock.now()
  const deps = { ids, now }
  const { row, isNew } = await transaction(db, async (tx) => {
    const channel = await tx
      .selectFrom('channel')
      .innerJoin('company', 'company.id', 'channel.companyId')
      .select(['channel.id', 'channel.type', 'company.name as companyName'])
      .where('channel.id', '=', channelId)
      .where('channel.companyId', '=', companyId)
      .where('channel.deletedAt', 'is', null)
      .executeTakeFirstOrThrow(() => wrongField('channelId', fact('unknown_channel')))
    const found = await lockIdentifierOnChannel(tx, { companyId, channelId, contactId })
    if (!found.ok) throw wrongField('contactId', found.why)
    const identifiers = [found.identifier] as const
    const [known] = await lookUpCustomers(tx, [{ companyId, channelId, identifiers }])
    const { resolved, events } = await resolveCustomers(tx, deps, [
      {
        company: { id: companyId, name: channel.companyName },
        channel: { id: channel.id, type: channel.type },
        identifiers,
        reported: {
          name: null,
          phone: null,
          whatsappId: null,
          language: null,
          tag: null,
          source: 'member',
        },
        learns: false,
        announces: 'none',
        at: now,
      },
    ])
    await raiseEvents(tx, deps, events)
    const conversationId = resolved[0]!.conversation.id
    const takesOver = known!.conversationId !== null
    return queueReply(tx, deps, actor, { companyId, conversationId, key, template, takesOver })
  })
  const owned = { companyId, conversationId: row.conversationId }
  const conversation = await viewConversation(db.kysely, owned, now)
  const [message] = await viewMessages({ db, formatFact }, companyId, [row])
  return { message: message!, conversation, isNew }
}
