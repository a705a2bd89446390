import { peekAt } from './peek-at.ts'
import { fact } from '../../src/core/facts/fact.ts'
import { serializeFact } from '../../src/core/facts/stored-fact.ts'
import { createShop, type Shop } from './shop.ts'
import type { WhatsAppPayload, WhatsAppPayloads } from './whatsapp-payloads.ts'
import { addIdentifier, identifiersOf } from './records/identifiers.ts'
import { channelOf, setConnected } from './records/channels.ts'
import { addContact } from './records/contacts.ts'
import { addConversation } from './records/conversations.ts'
import { addMessage, messagesOf, type MessageRecord } from './records/messages.ts'
import { ofEach } from './records/records.ts'
import { postWebhook } from './whatsapp-webhook.ts'
import type { World } from './world.ts'

/**
 * Posts a recorded payload, signed, to a new shop, after the payloads that came before it. The shop has sent
 * the messages of its receipts and knows the customers whose ids change. The state of its channel differs from
 * what the payload reports. Returns the results, besides what the payload's index says about them.
 * @throws when the service does not answer 200.
 */
export async function ingestPayload(
  world: World,
  { business, payloads }: WhatsAppPayloads,
  payload: WhatsAppPayload,
) {
  const { pool } = world.database.db
  // Each payload has a new shop: the number is free again for the next one.
  await pool.query(`update channel set provider_route = id::text, provider_account = id::text`)
  const shop = await createShop(world, {
    phoneNumberId: business.phone_number_id,
    // An account that is next to the entry means that the entry is a portfolio's.
    businessAccountId: peekAt(payload.rawBody).accounts.at(-1) ?? business.waba_id,
  })
  const scene = await setScene(world, shop, payload)
  for (const before of payload.after) {
    const earlier = payloads.find((other) => other.file === before)!
    await post(world, earlier)
  }
  await world.service.processAll()
  const before = world.receiver.received.length
  await post(world, payload)
  await world.service.processAll()
  const events = world.receiver.events().slice(before)
  const stored = await messagesOf(world, { channelId: shop.channelId })
  return {
    actual: {
      messages: events
        .filter((event) => event.type === 'message.received')
        .map((event) => withoutIds(event.data)),
      isOptOutRaised: events.some((event) => event.type === 'contact.opted_out'),
      conversationsStarted: events.filter(({ type }) => type === 'conversation.started').length,
      otherEvents: events
        .map(({ type }) => type)
        .filter((type) => !/^(?:contact\..*|message\.received|conversation\.started)$/.test(type)),
      receipts: payload.expect.receipts.map(({ providerMessageId }) =>
        receiptOf(stored.find((message) => message.providerMessageId === providerMessageId)!),
      ),
      ...(await scene.look()),
      imported: stored.filter((message) => message.isImported).length,
      ofOwnerApp: stored.filter(({ sender, isImported }) => sender === 'owner_app' && !isImported)
        .length,
    },
    expected: expectedOf(world, payload, payloads, shop),
  }
}

function receiptOf(message: MessageRecord) {
  const { providerMessageId, status, errorCode } = message
  const at = {
    sent: message.sentAt,
    delivered: message.deliveredAt,
    read: message.readAt,
    failed: message.failedAt,
  }[status!]
  const code = errorCode === null ? {} : { code: Number(errorCode) }
  return { providerMessageId, status, at: at?.toISOString(), ...code }
}

/** The state of the channel after payloads whose index entry does not name it. */
const CONNECTED: Record<string, boolean> = {
  'wa-account-partner-removed.json': false,
  'wa-account-offboarded.json': false,
  'wa-account-reconnected.json': true,
}
const connectedAfter = ({ file, expect: wanted }: WhatsAppPayload) =>
  wanted.channelConnected ?? CONNECTED[file]

/** The ids before and after of the changes whose customer can be known. */
const changesOf = ({ expect: { identity = [] } }: WhatsAppPayload) =>
  identity.flatMap(({ fromNumber, toNumber, newBsuid, previousBsuid, currentBsuid }) => {
    const before = fromNumber ?? previousBsuid
    const after = [toNumber, newBsuid, currentBsuid].filter((id) => id !== undefined)
    return before === undefined ? [] : [{ before, isNumber: before === fromNumber, after }]
  })

async function setScene(world: World, shop: Shop, payload: WhatsAppPayload) {
  const told = connectedAfter(payload)
  if (told !== undefined) {
    const lost = serializeFact(fact('channel_account_lost', { event: 'PARTNER_REMOVED' }))
    await setConnected(world, shop, !told, told ? lost : null)
  }
  const known: string[] = []
  for (const { before, isNumber } of changesOf(payload)) {
    const contactId = await addContact(world, shop)
    known.push(contactId)
    const kind = isNumber ? 'number' : 'user'
    // They were known long before what the provider recorded.
    await addIdentifier(world, shop, { contactId, kind, value: before }, new Date(0))
  }
  if (payload.expect.receipts.length > 0) {
    const contactId = await addContact(world, shop)
    const conversationId = await addConversation(world, shop, { contactId })
    for (const { providerMessageId } of payload.expect.receipts) {
      await addMessage(world, { ...shop, conversationId }, { sender: 'flow', providerMessageId })
    }
  }
  return {
    async look() {
      const channel = await channelOf(world, shop)
      const learnt = await ofEach(known, (contactId) => identifiersOf(world, contactId))
      const named = changesOf(payload).flatMap(({ after }) => after)
      return {
        isConnected: channel.isConnected,
        learnt: named.filter((id) => learnt.some(({ value }) => value === id)),
      }
    },
  }
}

function expectedOf(
  world: World,
  payload: WhatsAppPayload,
  all: readonly WhatsAppPayload[],
  shop: Shop,
) {
  const { expect: wanted } = payload
  const customersOf = ({ expect: { messageReceived } }: WhatsAppPayload) =>
    messageReceived.map(({ contact }) => contact.whatsAppId)
  const known = all.filter(({ file }) => payload.after.includes(file)).flatMap(customersOf)
  const first = new Set(customersOf(payload).filter((id) => !known.includes(id)))
  return {
    messages: wanted.messageReceived.map(({ contact, message }) => ({
      conversation: { id: 'made', channelId: shop.channelId, channelType: 'whatsapp' },
      contact: { id: 'made', ...contact },
      message: {
        id: 'made',
        ...message,
        receivedAt: message.receivedAt ?? world.clock.now().toISOString(),
      },
    })),
    isOptOutRaised: wanted.messageReceived.find(({ optOut }) => optOut)?.optOut === 'out',
    conversationsStarted: wanted.conversationStarted ?? first.size,
    otherEvents: [] as string[],
    // The service reads `played`, which its own vocabulary does not have.
    receipts: wanted.receipts.map((receipt) =>
      receipt.status === 'played' ? { ...receipt, status: 'read' } : receipt,
    ),
    learnt: changesOf(payload).flatMap(({ after }) => after),
    isConnected: connectedAfter(payload) ?? true,
    imported: wanted.imported ?? 0,
    ofOwnerApp: wanted.outbound?.length ?? 0,
  }
}

async function post(world: World, { file, rawBody }: WhatsAppPayload): Promise<void> {
  const status = await postWebhook(world, rawBody)
  if (status !== 200) throw new Error(`${file} was answered ${status}`)
}

const MADE = /^(?:c_[0-9a-f]{32}|m_[\w-]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** Replaces each object's own `id` by `made` when it has the form of an id of this service. */
function withoutIds(data: object): unknown {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]: [string, { id?: unknown }]) => [
      name,
      typeof value.id === 'string' && MADE.test(value.id) ? { ...value, id: 'made' } : value,
    ]),
  )
}
