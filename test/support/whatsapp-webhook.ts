/** Webhooks as WhatsApp posts them, for what its simulator never does: at once, late, out of order. */
import { randomBytes } from 'node:crypto'
import { signMetaWebhook } from '../../src/channels/meta/signature.ts'
import type { World } from './service.ts'
import { APP_SECRET, type Shop } from './shop.ts'

type Fields = Record<string, unknown>
type Number = Pick<Shop, 'phoneNumberId' | 'businessAccountId'>
export type Change = { field: string; value: Fields }

export type Written = {
  /** Digits; without it the customer hides the number. */
  from?: string
  userId?: string
  name?: string
  id?: string
  text?: string
  at?: Date
  /** The message that this one quotes. */
  quotes?: string
  /** Instead of the text: `type` and the object of that name. */
  content?: Fields
}

/** `to`: digits. */
export type Echoed = { to: string; at?: Date; text?: string }

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

/** What a customer wrote. */
export function written({ from, userId, at, quotes, ...message }: Written): Change {
  const ids = {
    ...(from === undefined ? {} : { from }),
    ...(userId === undefined ? {} : { from_user_id: userId }),
  }
  const { name = 'Sara', id = newWamid(), text = 'hello', content } = message
  return {
    field: 'messages',
    value: {
      contacts: [
        {
          profile: { name },
          ...(from === undefined ? {} : { wa_id: from }),
          ...(userId === undefined ? {} : { user_id: userId }),
        },
      ],
      messages: [
        {
          ...ids,
          id,
          ...(at === undefined ? {} : { timestamp: String(Math.floor(at.getTime() / 1_000)) }),
          ...(quotes === undefined ? {} : { context: { from: '15550783881', id: quotes } }),
          ...(content ?? { type: 'text', text: { body: text } }),
        },
      ],
    },
  }
}

/** What the owner wrote to a customer from the provider's own app. */
export const echoed = ({ to, at, text = 'I will see to it' }: Echoed): Change => ({
  field: 'smb_message_echoes',
  value: {
    message_echoes: [
      {
        id: newWamid(),
        from: '15550783881',
        to,
        ...(at === undefined ? {} : { timestamp: String(Math.floor(at.getTime() / 1_000)) }),
        type: 'text',
        text: { body: text },
      },
    ],
  },
})

/** What became of a message that the business sent. */
export const receipt = (status: Fields): Change => ({
  field: 'messages',
  value: { statuses: [status] },
})

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
