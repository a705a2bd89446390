/** Actions of a business in the Graph API: it sends, reads and creates templates. */
import { GraphError, invalidParameter, refusal } from '../graph-error.ts'
import { readFields, readText, type Fields } from '../json-fields.ts'
import type { Clock } from '../time.ts'
import type { TypingShown } from '../typing-shown.ts'
import { acceptSend } from './accept-send.ts'
import type { Entry } from './book.ts'
import type { BusinessNumber } from './business-number.ts'
import type { Ledger } from './ledger.ts'
import type { MediaRoutes } from './media-routes.ts'
import type { GraphTemplate } from './graph-template.ts'
import { readNewTemplate } from './message-templates.ts'

/** A send that was refused immediately. */
export type Refusal = { at: Date; to: string | null; code: number; httpStatus: number }

/** The state and the functions that the actions use. */
export type GraphActionsOptions = {
  ledger: Ledger
  clock: Clock
  media: MediaRoutes
  typing: TypingShown
  /** Returns true if this customer will answer automatically. */
  awaitsReply: (customer: string) => boolean
  onSend: (wamid: string) => void
  onTemplate: (number: BusinessNumber, template: GraphTemplate) => void
  onRefusal: (refusal: Refusal) => void
}

/** The body of a response; with `isUnanswered` the connection breaks instead. */
export type Answer = { body: Fields; isUnanswered?: boolean }

/**
 * Creates what a business can do by the Graph API, such as sending messages and creating templates. Each throws a
 * GraphError for a call that Meta refuses.
 */
export function createGraphActions(options: GraphActionsOptions) {
  const { ledger, clock, media, typing } = options

  function postMessage(number: BusinessNumber, body: Fields): Answer {
    if (body.messaging_product !== 'whatsapp') {
      throw invalidParameter('The parameter messaging_product is required.')
    }
    if (body.status !== undefined) {
      return markRead(number, body)
    }
    try {
      const now = clock.now().getTime()
      const { awaitsReply } = options
      const sent = acceptSend(body, { book: ledger.book, number, now, awaitsReply, media })
      ledger.commit(sent.entries)
      for (const entry of sent.entries) {
        if (entry.kind === 'message') {
          options.onSend(entry.message.wamid)
        }
      }
      return { body: sent.answer, isUnanswered: sent.isUnanswered }
    } catch (error) {
      if (error instanceof GraphError) {
        const { code, httpStatus } = error
        const to = readText(body.to) ?? readText(body.recipient)
        options.onRefusal({ at: clock.now(), to, code, httpStatus })
      }
      throw error
    }
  }

  /** Marks the customer's message and all earlier ones as read, and may show the typing indicator. */
  function markRead(number: BusinessNumber, body: Fields): Answer {
    const { status, message_id: wamid, typing_indicator: indicator } = body
    const message = ledger.book.messages.get(String(wamid))
    const isHere =
      message?.direction === 'from_customer' && message.phoneNumberId === number.phoneNumberId
    if (status !== 'read' || !isHere) {
      throw refusal(131009, 'Message ID is invalid')
    }
    if (indicator !== undefined) {
      if (readFields(indicator).type !== 'text') {
        throw invalidParameter("Param typing_indicator['type'] must be one of {TEXT}")
      }
      typing.begin(number.phoneNumberId, message.customer)
    }
    const at = clock.now().getTime()
    const read = [...ledger.book.messages.values()].filter(
      (other) =>
        other.direction === 'from_customer' &&
        other.phoneNumberId === message.phoneNumberId &&
        other.customer === message.customer &&
        other.at <= message.at &&
        other.status !== 'read',
    )
    if (read.length > 0) {
      const entries = read.map((other): Entry => {
        return { kind: 'status', wamid: other.wamid, status: 'read', at }
      })
      ledger.commit(entries)
    }
    return { body: { success: true } }
  }

  function createTemplate(number: BusinessNumber, body: Fields): Answer {
    const { businessAccountId } = number
    const template = readNewTemplate(ledger.book, businessAccountId, body)
    ledger.commit([{ kind: 'template', businessAccountId, template }])
    options.onTemplate(number, template)
    const { id, status, category } = template
    return { body: { id, status, category } }
  }

  return { postMessage, createTemplate }
}
