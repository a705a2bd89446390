/** Webhooks as WhatsApp posts them, for what its simulator never does: at once, late, out of order. */
import { randomBytes } from 'node:crypto'
import { signMetaWebhook } from '../../simulators/index.ts'
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
  /** Null: the profile tells no name. */
  name?: string | null
  id?: string
  text?: string
  at?: Date
  /** The message that this one quotes. */
  quotes?: string
  /** Instead of the text: `type` and the object of that name. */
  content?: Fields
}

/** `to`: digits; without it the customer hides the number. */
export type Echoed = {
  to?: string
  userId?: string
  parentUserId?: string
  id?: string
  at?: Date
  text?: string
}

/** The body of one POST with these changes. */
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

/** The ids of a customer as the list of contacts beside a message names them. */
export const listedIds = ({
  number,
  userId,
  parentUserId,
}: {
  number?: string | undefined
  userId?: string | undefined
  parentUserId?: string | undefined
}): Fields => ({
  ...(number === undefined ? {} : { wa_id: number }),
  ...(userId === undefined ? {} : { user_id: userId }),
  ...(parentUserId === undefined ? {} : { parent_user_id: parentUserId }),
})

/** A time as WhatsApp writes it: seconds, as a text. */
export const secondsText = (at: Date): string => String(Math.floor(at.getTime() / 1_000))

/** What a customer wrote. */
export function written({ from, userId, parentUserId, at, quotes, ...message }: Written): Change {
  const ids = {
    ...(from === undefined ? {} : { from }),
    ...(userId === undefined ? {} : { from_user_id: userId }),
    ...(parentUserId === undefined ? {} : { from_parent_user_id: parentUserId }),
  }
  const { name = 'Sara', id = newWamid(), text = 'hello', content } = message
  return {
    field: 'messages',
    value: {
      contacts: [
        {
          ...(name === null ? {} : { profile: { name } }),
          ...listedIds({ number: from, userId, parentUserId }),
        },
      ],
      messages: [
        {
          ...ids,
          id,
          ...(at === undefined ? {} : { timestamp: secondsText(at) }),
          ...(quotes === undefined ? {} : { context: { from: '15550783881', id: quotes } }),
          ...(content ?? { type: 'text', text: { body: text } }),
        },
      ],
    },
  }
}

/** What the owner wrote to a customer from the provider's own app. */
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
        ...(to === undefined ? {} : { to }),
        ...(userId === undefined ? {} : { to_user_id: userId }),
        ...(parentUserId === undefined ? {} : { to_parent_user_id: parentUserId }),
        ...(at === undefined ? {} : { timestamp: secondsText(at) }),
        type: 'text',
        text: { body: text },
      },
    ],
  },
})

/** The provider tells that a customer has another number now. */
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

/** What became of a message that the business sent. `contacts`: whom the provider names beside it. */
export const receipt = (status: Fields, contacts: readonly Fields[] = []): Change => ({
  field: 'messages',
  value: { ...(contacts.length > 0 && { contacts }), statuses: [status] },
})

/** Posts what a customer wrote, in one webhook. @throws Error when it is not taken. */
export async function customerWrites(
  world: Pick<World, 'url'>,
  shop: Number,
  ...messages: Written[]
): Promise<void> {
  const changes = messages.map(({ from, ...more }) =>
    written({ ...more, ...(from !== undefined && { from: from.replace(/^\+/, '') }) }),
  )
  await postChanges(world, shop, ...changes)
}

/** Posts these changes in one webhook. @throws Error when it is not taken. */
export async function postChanges(
  world: Pick<World, 'url'>,
  shop: Number,
  ...changes: Change[]
): Promise<void> {
  const status = await postWebhook(world, webhookOf(shop, changes))
  if (status !== 200) throw new Error(`the webhook was answered ${status}`)
}

/** The provider tells what became of a message, at the time of the test. @throws Error when it is not taken. */
export async function tellStatus(
  world: Pick<World, 'url' | 'clock'>,
  shop: Number,
  status: Fields,
): Promise<void> {
  const timestamp = secondsText(world.clock.now())
  const answer = await postWebhook(world, webhookOf(shop, [receipt({ timestamp, ...status })]))
  if (answer !== 200) throw new Error(`the webhook was answered ${answer}`)
}

export function newWamid(): string {
  return `wamid.${randomBytes(12).toString('hex')}`
}

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
    /** Of the client, to a service that trusts this machine as its proxy. */
    address?: string
  } = {},
): Promise<number> {
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const signature = header === undefined ? signMetaWebhook(bytes, secret) : header
  const response = await fetch(`${world.url}/webhooks/whatsapp`, {
    method: 'POST',
    headers: {
      ...(signature === null ? {} : { 'x-hub-signature-256': signature }),
      ...(address === undefined ? {} : { 'x-forwarded-for': address }),
    },
    body: bytes as Uint8Array<ArrayBuffer>,
  })
  await response.arrayBuffer()
  return response.status
}
