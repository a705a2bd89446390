/** A shop whose members work the inbox, over its API. */
import type {
  ConversationDetail,
  ConversationView,
  SentReply,
  TimelineItem,
} from '../../src/contract/dashboard/conversation.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { transitionConversations } from '../../src/modules/messaging/transition-conversations.ts'
import type { Role } from '../../src/core/vocabulary/accounts.ts'
import type { HandoverReason } from '../../src/core/vocabulary/inbox.ts'
import { conversationOf, conversationWith } from './records/conversations.ts'
import { eventTypesOf } from './records/events.ts'
import { signedIn, type Answer, type Member } from './dashboard.ts'
import type { World } from './test-service.ts'
import type { ConnectedShop, SimulatedWhatsApp } from './simulator.ts'
import { waitUntil } from './wait.ts'

export function inboxOf(
  { world, whatsApp }: { world: World; whatsApp: SimulatedWhatsApp },
  shop: ConnectedShop,
) {
  // Sessions end while a test moves the clock.
  const ask = async <Body>(path: string) => {
    const owner = await signedIn(world, { accountId: shop.accountId })
    return (await owner.ask<Body>('GET', path)).body
  }
  const list = `/companies/${shop.companyId}/conversations`
  const handOver = async (
    conversationId: string,
    reason: HandoverReason,
    reasonText: string | null,
  ) => {
    const { db, ids } = world.service.context
    const { companyId } = shop
    const change = { kind: 'hand_over', reason, reasonText } as const
    const asked = { companyId, conversationId, by: { kind: 'service' }, change } as const
    await transaction(db, (tx) =>
      transitionConversations(tx, { ids, now: world.clock.now() }, [asked]),
    )
  }
  return {
    member: (role: Role = 'agent') => signedIn(world, { accountId: shop.accountId, role }),
    /** A conversation that the customer has begun. */
    async talk(phone: string, first?: string) {
      const { phoneNumberId } = shop
      const writes = async (text = 'hello') => {
        whatsApp.simulator.sendText({ from: phone, phoneNumberId, text })
        await whatsApp.settle()
      }
      await writes(first)
      const { id } = await conversationWith(world, { channelId: shop.channelId }, phone)
      const path = `${list}/${encodeURIComponent(id)}`
      /** Newest first. */
      const timeline = async () =>
        (await ask<Page<TimelineItem>>(`${path}/timeline?limit=100`)).items
      const messages = async () => (await timeline()).filter((item) => item.kind === 'message')
      return {
        id,
        phone,
        path,
        writes,
        /** The service hands the conversation over to staff, with these words about why. */
        handOver: (words: string | null = null, reason: HandoverReason = 'customer_upset') =>
          handOver(id, reason, words),
        /** Returns the conversation as a member sees it. */
        seen: () => ask<ConversationDetail>(path),
        /** Returns the conversation as it is stored. */
        row: () => conversationOf(world, id),
        timeline,
        messages,
        /**
         * Waits until the service has this number of messages with these words; a page shows its own messages
         * earlier.
         */
        has: (words: string, count = 1) =>
          waitUntil(`${count} messages with “${words}”`, async () => {
            const found = (await messages()).filter(({ text }) => text?.includes(words))
            return found.length >= count
          }),
        /** Returns the types of the conversation's other events, without `conversation.` and in their order. */
        async eventTypes() {
          const types = await eventTypesOf(world, { conversationId: id }, 'conversation.')
          return types
            .map((type) => type.replace('conversation.', ''))
            .filter((type) => type !== 'started')
        },
      }
    },
  }
}

export type Inbox = ReturnType<typeof inboxOf>
export type Talk = Awaited<ReturnType<Inbox['talk']>>

let serial = 0

/** Sends a reply of a member, by default under a new key. */
export function reply(
  member: Member,
  talk: Pick<Talk, 'path'>,
  text: string,
  key?: string,
): Promise<Answer<SentReply>> {
  serial += 1
  const said = { key: key ?? `key-${serial}`, text }
  return member.ask<SentReply>('POST', `${talk.path}/messages`, said)
}

/** Does something to a conversation. */
export function act(
  member: Member,
  talk: Pick<Talk, 'path'>,
  what: string,
  json?: unknown,
): Promise<Answer<ConversationView>> {
  return member.ask<ConversationView>('POST', `${talk.path}/${what}`, json)
}
