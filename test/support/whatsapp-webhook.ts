/** Webhooks as WhatsApp posts them, in cases that its simulator never plays: concurrent, late, out of order. */
import { randomBytes } from 'node:crypto'
import { signMetaWebhook } from '../../simulators/index.ts'
import { defined } from './defined.ts'
import type { World } from './test-service.ts'
import { APP_SECRET, type Shop } from './shop.ts'

type Fields = Record<string, unknown>
type Number = Pick<Shop, 'phoneNumberId' | 'businessAccountId'>
export type Change = { field: string; value: Fields }

export type Written = {
  /** Digits; without it the customer hides the number. */
  from?: string
  userId?: string
  parentUserId?: string
  /** Null when the profile has no name. */
  name?: string | null
  id?: string
  text?: string
  at?: Date
  quotes?: string
  /** Instead of the text: `type` and the object of that name. */
  content?: Fields
}

/** `to`: digits; without it the customer hides the number. */
type Echoed = {
  to?: string
  userId?: string
  parentUserId?: string
  id?: string
  at?: Date
  text?: string
}

/** Returns the body of one POST with these changes. */
export function webhookOf(shop: Number, changes: readonly Change[]): Fields {
  return {
    object: 'whatsapp_business_account',
    entry: [
      {
        id: shop.businessAccountId,
        changes: changes.map(({ field, value }) => ({
          field,
          value: {
            messaging_product: 'whatsapp',
            metadata: {
              display_phone_number: '15550783881',
              phone_number_id: shop.phoneNumberId,
            },
            ...value,
          },
        })),
      },
    ],
  }
}

type Ids = {
  number?: string | undefined
  userId?: string | undefined
  parentUserId?: string | undefined
}

/** Returns the ids of a customer as the list of contacts next to a message names them. */
export const listedIds = ({ number, userId, parentUserId }: Ids): Fields =>
  defined({ wa_id: number, user_id: userId, parent_user_id: parentUserId })

/** Returns the ids of a customer as a message of theirs names them. */
const senderIds = ({ number, userId, parentUserId }: Ids): Fields =>
  defined({ from: number, from_user_id: userId, from_parent_user_id: parentUserId })

/** Returns a time as WhatsApp writes it: seconds, as a text. */
export const secondsText = (at: Date): string => String(Math.floor(at.getTime() / 1_000))

/** Returns a message of a customer. */
export function written({ from, userId, parentUserId, at, quotes, ...message }: Written): Change {
  const ids = { number: from, userId, parentUserId }
  const { name = 'Sara', id = newWamid(), text = 'hello', content } = message
  const item = {
    ...senderIds(ids),
    id,
    ...(at && { timestamp: secondsText(at) }),
    ...(quotes !== undefined && { context: { from: '15550783881', id: quotes } }),
    ...(content ?? { type: 'text', text: { body: text } }),
  }
  const contact = { ...(name !== null && { profile: { name } }), ...listedIds(ids) }
  return { field: 'messages', value: { contacts: [contact], messages: [item] } }
}

/** Returns the content of a customer's reaction to a message. */
export const reactionTo = (messageId: string, emoji: string): Fields => ({
  type: 'reaction',
  reaction: { message_id: messageId, emoji },
})

/** Returns the content by which a customer edits a message. */
export const editOf = (messageId: string, body: string): Fields => ({
  type: 'edit',
  edit: { original_message_id: messageId, message: { type: 'text', text: { body } } },
})

/** Returns messages of a customer from before the number was connected, as the provider reports them afterwards. */
export function historyOf({
  from,
  userId,
  parentUserId,
  at = new Date(0),
  id = newWamid(),
  text = 'hello',
  name = null,
}: Omit<Written, 'quotes' | 'content'>): Change {
  const ids = { number: from, userId, parentUserId }
  const said = { type: 'text', text: { body: text }, history_context: { status: 'READ' } }
  const item = { ...senderIds(ids), id, timestamp: secondsText(at), ...said }
  const thread = { id: from ?? userId ?? parentUserId, context: listedIds(ids), messages: [item] }
  const metadata = { phase: 0, chunk_order: 1, progress: 55 }
  const contact = { ...listedIds(ids), ...(name !== null && { profile: { name } }) }
  const value = { contacts: [contact], history: [{ metadata, threads: [thread] }] }
  return { field: 'history', value }
}

/** Returns a message that the owner wrote to a customer in the provider's own app. */
export const echoed = ({
  to,
  userId,
  parentUserId,
  id = newWamid(),
  at,
  text = 'I will see to it',
}: Echoed): Change => ({
  field: 'smb_message_echoes',
  value: {
    contacts: [listedIds({ number: to, userId, parentUserId })],
    message_echoes: [
      {
        id,
        from: '15550783881',
        ...defined({ to, to_user_id: userId, to_parent_user_id: parentUserId }),
        ...(at && { timestamp: secondsText(at) }),
        type: 'text',
        text: { body: text },
      },
    ],
  },
})

/** Returns the change that gives a customer another number. */
export const changedNumber = (before: string, after: string, at?: Date): Change => ({
  field: 'messages',
  value: {
    messages: [
      {
        from: before.slice(1),
        id: newWamid(),
        ...(at && { timestamp: secondsText(at) }),
        type: 'system',
        system: { type: 'user_changed_number', wa_id: after.slice(1), body: 'changed' },
      },
    ],
  },
})

/**
 * Returns the status of a message that the business sent.
 * @param contacts the customers that the provider lists next to it
 */
export const receipt = (status: Fields, contacts: readonly Fields[] = []): Change => ({
  field: 'messages',
  value: { ...(contacts.length > 0 && { contacts }), statuses: [status] },
})

/**
 * Posts a customer's message, in one webhook.
 * @throws Error when it is not accepted
 */
export async function customerWrites(
  world: Pick<World, 'url'>,
  shop: Number,
  ...messages: Written[]
): Promise<void> {
  const changes = messages.map(({ from, ...more }) =>
    written({ ...more, ...defined({ from: from?.replace(/^\+/, '') }) }),
  )
  await postChanges(world, shop, ...changes)
}

/**
 * Posts these changes in one webhook.
 * @throws Error when it is not accepted
 */
export async function postChanges(world: Pick<World, 'url'>, shop: Number, ...changes: Change[]) {
  const status = await postWebhook(world, webhookOf(shop, changes))
  if (status !== 200) throw new Error(`the webhook was answered ${status}`)
}

/**
 * Posts the status of a message, at the time of the test's clock.
 * @throws Error when it is not accepted
 */
export async function tellStatus(
  world: Pick<World, 'url' | 'clock'>,
  shop: Number,
  status: Fields,
): Promise<void> {
  const timestamp = secondsText(world.clock.now())
  await postChanges(world, shop, receipt({ timestamp, ...status }))
}

export const newWamid = (): string => `wamid.${randomBytes(12).toString('hex')}`

/** Posts a body, signed with the app's secret or another. Returns the status of the answer. */
export async function postWebhook(
  world: Pick<World, 'url'>,
  body: Fields | string | Buffer,
  {
    secret = APP_SECRET,
    header,
    address,
  }: {
    secret?: string
    header?: string | null
    /** The address of the client, for a service that trusts this machine as its proxy. */
    address?: string
  } = {},
): Promise<number> {
  const isWritten = typeof body === 'string' || Buffer.isBuffer(body)
  const bytes = Buffer.from(isWritten ? body : JSON.stringify(body))
  const signature = header === undefined ? signMetaWebhook(bytes, secret) : header
  const response = await fetch(`${world.url}/webhooks/whatsapp`, {
    method: 'POST',
    headers: {
      ...(signature !== null && { 'x-hub-signature-256': signature }),
      ...defined({ 'x-forwarded-for': address }),
    },
    body: bytes as Uint8Array<ArrayBuffer>,
  })
  await response.arrayBuffer()
  return response.status
}
