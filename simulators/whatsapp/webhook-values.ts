import { createHash, randomUUID } from 'node:crypto'
import { SECOND_MS } from '../time.ts'
import type { PendingWebhook, SendStatus, SimulatedMessage } from './book.ts'
import type { BusinessNumber } from './business-number.ts'
import { statusError } from '../graph-error.ts'
import type { Fields } from '../json-fields.ts'
import { SIMULATOR_LIMITS } from '../limits.ts'
import type { GraphTemplate } from './graph-template.ts'
import { inPortfolio, type Person } from '../person.ts'

/** The content of a customer's message, besides its sender: `type`, the object of that name, … */
export type InboundFields = { type: string } & Fields

/** Returns a webhook with a customer's message. */
export function messageWebhook(
  number: BusinessNumber,
  customer: Person,
  message: { wamid: string; at: number },
  fields: InboundFields,
): PendingWebhook {
  const person = inPortfolio(customer, number.portfolio)
  const { context, ...rest } = fields
  return pending(number, 'messages', {
    contacts: [contactOf(person)],
    messages: [
      {
        ...(context === undefined ? {} : { context }),
        ...(person.hidesNumber ? {} : { from: person.number }),
        from_user_id: person.bsuid,
        ...(person.parentBsuid === null ? {} : { from_parent_user_id: person.parentBsuid }),
        id: message.wamid,
        timestamp: seconds(message.at),
        ...rest,
      },
    ],
  })
}

/** Returns a webhook with the status of a sent message. A failed status does not name the user. */
export function statusWebhook(
  number: BusinessNumber,
  customer: Person,
  message: SimulatedMessage,
  status: Exclude<SendStatus, 'accepted'>,
  at: number,
): PendingWebhook {
  const person = inPortfolio(customer, number.portfolio)
  const isFailed = status === 'failed'
  const recipient = {
    ...(person.hidesNumber ? {} : { recipient_id: person.number }),
    ...(isFailed && !person.hidesNumber ? {} : { recipient_user_id: person.bsuid }),
    ...(isFailed || person.parentBsuid === null
      ? {}
      : { recipient_parent_user_id: person.parentBsuid }),
  }
  return pending(number, 'messages', {
    ...(isFailed ? {} : { contacts: [contactOf(person)] }),
    statuses: [
      {
        id: message.wamid,
        status,
        timestamp: seconds(at),
        ...recipient,
        ...(isFailed
          ? { errors: [statusError(message.failsWith ?? 131000)] }
          : { conversation: conversationOf(message, status), pricing: pricingOf(message) }),
        ...(message.ourReference === null
          ? {}
          : { biz_opaque_callback_data: message.ourReference }),
      },
    ],
  })
}

/** Returns a webhook with a message that the owner wrote in the WhatsApp Business app. */
export function echoWebhook(
  number: BusinessNumber,
  customer: Person,
  message: { wamid: string; at: number },
  text: string,
): PendingWebhook {
  const person = inPortfolio(customer, number.portfolio)
  const { username, bsuid } = person
  return pending(number, 'smb_message_echoes', {
    ...(person.hidesNumber
      ? { contacts: [{ profile: username ? { username } : {}, user_id: bsuid }] }
      : {}),
    message_echoes: [
      {
        from: number.displayPhoneNumber,
        ...(person.hidesNumber ? { to_user_id: bsuid } : { to: person.number }),
        id: message.wamid,
        timestamp: seconds(message.at),
        type: 'text',
        text: { body: text },
      },
    ],
  })
}

/**
 * Returns a webhook about a customer's new number. It has the new number if that may be shared, or else only the new
 * ids. It has no list of contacts. Source: Meta, System messages webhook reference, 11 August 2026.
 */
export function systemWebhook(
  number: BusinessNumber,
  message: { wamid: string; at: number },
  earlier: Person,
  customer: Person,
): PendingWebhook {
  const before = inPortfolio(earlier, number.portfolio)
  const after = inPortfolio(customer, number.portfolio)
  const isShared = !after.hidesNumber
  const [was, is] = isShared ? [before.number, after.number] : [before.bsuid, after.bsuid]
  return pending(number, 'messages', {
    messages: [
      {
        ...(isShared ? { from: before.number } : {}),
        id: message.wamid,
        timestamp: seconds(message.at),
        type: 'system',
        system: {
          body: `User ${after.name} changed from ${was} to ${is}`,
          ...(isShared ? { wa_id: after.number } : {}),
          user_id: after.bsuid,
          ...(after.parentBsuid === null ? {} : { parent_user_id: after.parentBsuid }),
          previous_user_id: before.bsuid,
          ...(before.parentBsuid === null ? {} : { previous_parent_user_id: before.parentBsuid }),
          type: isShared ? 'user_changed_number' : 'user_changed_user_id',
        },
      },
    ],
  })
}

/** Returns a webhook about a change of a template: approved, paused, … */
export function templateWebhook(
  number: BusinessNumber,
  template: GraphTemplate,
  at: number,
): PendingWebhook {
  const { phoneNumberId, businessAccountId } = number
  return {
    id: randomUUID(),
    phoneNumberId,
    businessAccountId,
    field: 'message_template_status_update',
    value: {
      event: template.status,
      message_template_id: Number(template.id) || 0,
      message_template_name: template.name,
      message_template_language: template.language,
      reason: 'NONE',
      message_template_category: template.category,
    },
    time: Math.floor(at / SECOND_MS),
  }
}

/** Returns the body of one POST, with one entry for all changes of an account. */
export function webhookBody(webhooks: readonly PendingWebhook[]): Fields {
  const accounts = Map.groupBy(webhooks, ({ businessAccountId }) => businessAccountId)
  return {
    object: 'whatsapp_business_account',
    entry: [...accounts].map(([id, changes]) => {
      const time = changes.find((webhook) => webhook.time !== null)?.time
      return {
        id,
        ...(time === undefined ? {} : { time }),
        changes: changes.map(({ value, field }) => ({ value, field })),
      }
    }),
  }
}

function pending(number: BusinessNumber, field: string, value: Fields): PendingWebhook {
  const { phoneNumberId, businessAccountId, displayPhoneNumber } = number
  return {
    id: randomUUID(),
    phoneNumberId,
    businessAccountId,
    field,
    value: {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: displayPhoneNumber, phone_number_id: phoneNumberId },
      ...value,
    },
    time: null,
  }
}

function contactOf(person: Person): Fields {
  const { name, username, parentBsuid } = person
  return {
    profile: { name, ...(username === null ? {} : { username }) },
    ...(person.hidesNumber ? {} : { wa_id: person.number }),
    user_id: person.bsuid,
    ...(parentBsuid === null ? {} : { parent_user_id: parentBsuid }),
  }
}

/** Messages of one category to one customer on one day share a conversation. */
function conversationOf(message: SimulatedMessage, status: SendStatus): Fields {
  const { phoneNumberId, customer, category, at } = message
  const day = Math.floor(at / SIMULATOR_LIMITS.serviceWindowMs)
  const name = `${phoneNumberId}/${customer}/${category}/${day}`
  const expires = seconds((day + 1) * SIMULATOR_LIMITS.serviceWindowMs)
  return {
    id: createHash('sha256').update(name).digest('hex').slice(0, 32),
    ...(status === 'sent' ? { expiration_timestamp: expires } : {}),
    origin: { type: category },
  }
}

function pricingOf({ isFree, category }: SimulatedMessage): Fields {
  const type = isFree ? 'free_customer_service' : 'regular'
  return { billable: !isFree, pricing_model: 'PMP', type, category }
}

function seconds(ms: number): string {
  return String(Math.floor(ms / SECOND_MS))
}
