import type { Selectable } from 'kysely'
import { peekAt } from './peek-at.ts'
import { signMetaWebhook } from '../../src/channels/meta/signature.ts'
import { fact } from '../../src/facts/fact.ts'
import { storeFact } from '../../src/facts/stored-fact.ts'
import type { Message } from '../../src/database/tables.ts'
import { APP_SECRET, createShop, type Shop } from './shop.ts'
import type { WhatsAppPayload, WhatsAppPayloads } from './whatsapp-payloads.ts'
import type { World } from './world.ts'

/** What a payload has led to, without the ids that are made for each. */
export type TakenIn = {
  messages: unknown[]
  isOptOutRaised: boolean
  conversationsStarted: number
  /** Events of other types than a message, a contact and the start of a conversation raise. */
  otherEvents: string[]
  /** What the messages came to that the receipts are of. */
  receipts: unknown[]
  /** Ids that a contact has learnt, of those that the entry names. */
  learnt: string[]
  isConnected: boolean
  imported: number
  ofOwnerApp: number
}

/**
 * Posts a recorded payload, signed, to a shop of its own, after those that came before it: one that
 * has sent the messages that its receipts are of, knows the customers whose ids change, and whose
 * channel is not in the state that it tells of. Returns what it led to beside what its index says it
 * must.
 * @throws when the service does not answer 200.
 */
export async function takeInPayload(
  world: World,
  { business, payloads }: WhatsAppPayloads,
  payload: WhatsAppPayload,
): Promise<{ actual: TakenIn; expected: TakenIn }> {
  const { pool, kysely } = world.database.db
  // Each payload meets a shop of its own: the number is free again for the next one.
  await pool.query(`update channel set provider_route = id::text, provider_account = id::text`)
  const shop = await createShop(world, {
    phoneNumberId: business.phone_number_id,
    // Where an account stands beside the entry, the entry is a portfolio's.
    businessAccountId: peekAt(payload.rawBody).accounts.at(-1) ?? business.waba_id,
  })
  const scene = await setScene(world, shop, payload)
  for (const before of payload.after) {
    await post(
      world,
      payloads.find((other) => other.file === before)!,
    )
  }
  await world.service.processAll()
  const earlier = world.receiver.received.length
  await post(world, payload)
  await world.service.processAll()
  // In the order they were raised: what is told together may arrive in any.
  const events = world.receiver.received
    .slice(earlier)
    .map((delivery) => delivery.event)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const stored = await kysely
    .selectFrom('message')
    .selectAll()
    .where('channelId', '=', shop.channelId)
    .execute()
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

type Stored = Selectable<Message>

function receiptOf(message: Stored) {
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

/** What of the channel's account a payload tells, where its entry does not say so itself. */
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
  const { kysely } = world.database.db
  const { ids, clock } = world.service.context
  const { companyId, channelId } = shop
  const at = { createdAt: clock.now(), updatedAt: clock.now() }
  const told = connectedAfter(payload)
  if (told !== undefined) {
    const before = {
      isConnected: !told,
      disconnectedReason: told
        ? storeFact(fact('channel_account_lost', { event: 'PARTNER_REMOVED' }))
        : null,
    }
    await kysely.updateTable('channel').set(before).where('id', '=', channelId).execute()
  }
  const addContact = async () => {
    const id = ids.uuid()
    await kysely
      .insertInto('contact')
      .values({ id, companyId, ...at })
      .execute()
    return id
  }
  const known = new Set<string>()
  for (const { before, isNumber } of changesOf(payload)) {
    const contactId = await addContact()
    known.add(contactId)
    const kind = isNumber ? 'number' : 'business_scoped'
    await kysely
      .insertInto('contactAlias')
      .values({ companyId, kind, value: before, contactId, createdAt: clock.now() })
      .execute()
  }
  if (payload.expect.receipts.length > 0) {
    const conversationId = `c_${ids.uuid()}`
    const contactId = await addContact()
    const filedUnder = '966500000000'
    const conversation = { id: conversationId, companyId, channelId, channelType: 'whatsapp' }
    await kysely
      .insertInto('conversation')
      .values({ ...conversation, contactId, filedUnder, createdAt: clock.now() })
      .execute()
    for (const { providerMessageId } of payload.expect.receipts) {
      await kysely
        .insertInto('message')
        .values({
          id: `o_${ids.uuid()}`,
          companyId,
          channelId,
          conversationId,
          direction: 'out',
          sender: 'flow',
          type: 'text',
          providerMessageId,
          status: 'accepted',
          occurredAt: clock.now(),
          createdAt: clock.now(),
        })
        .execute()
    }
  }
  return {
    async look() {
      const channel = await kysely
        .selectFrom('channel')
        .select('isConnected')
        .where('id', '=', channelId)
        .executeTakeFirstOrThrow()
      const aliases = await kysely
        .selectFrom('contactAlias')
        .select(['value', 'contactId'])
        .where('companyId', '=', companyId)
        .execute()
      const theirs = aliases.filter(({ contactId }) => known.has(contactId))
      const named = changesOf(payload).flatMap(({ after }) => after)
      return {
        isConnected: channel.isConnected,
        learnt: named.filter((id) => theirs.some(({ value }) => value === id)),
      }
    },
  }
}

function expectedOf(
  world: World,
  payload: WhatsAppPayload,
  all: readonly WhatsAppPayload[],
  shop: Shop,
): TakenIn {
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
    otherEvents: [],
    // `played`, which our words do not have, is read.
    receipts: wanted.receipts.map((receipt) =>
      receipt.status === 'played' ? { ...receipt, status: 'read' } : receipt,
    ),
    learnt: changesOf(payload).flatMap(({ after }) => after),
    isConnected: connectedAfter(payload) ?? true,
    imported: wanted.imported ?? 0,
    ofOwnerApp: wanted.outbound?.length ?? 0,
  }
}

async function post(world: World, payload: WhatsAppPayload): Promise<void> {
  const response = await fetch(`${world.url}/webhooks/whatsapp`, {
    method: 'POST',
    headers: { 'x-hub-signature-256': signMetaWebhook(payload.rawBody, APP_SECRET) },
    body: payload.rawBody as Uint8Array<ArrayBuffer>,
  })
  if (response.status !== 200) throw new Error(`${payload.file} was answered ${response.status}`)
}

const MADE = /^(?:c_[0-9a-f]{32}|m_[\w-]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** Each object's own `id` is `made` when it has the form of one of ours. */
function withoutIds(data: object): unknown {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]: [string, { id?: unknown }]) => [
      name,
      typeof value.id === 'string' && MADE.test(value.id) ? { ...value, id: 'made' } : value,
    ]),
  )
}
