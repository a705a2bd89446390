import { randomBytes } from 'node:crypto'
import { isWindowOpen, personAt } from './book.ts'
import type { Book, Content, Entry, SimulatedMessage } from './book.ts'
import type { BusinessNumber } from './business-number.ts'
import { fillTemplate } from './fill-template.ts'
import { forcedOutcome } from './forced-outcome.ts'
import { invalidParameter, refusal } from '../graph-error.ts'
import { readFields, readText } from '../json-fields.ts'
import type { Fields } from '../json-fields.ts'
import { findTemplate } from './message-templates.ts'
import type { GraphTemplate } from './graph-template.ts'
import type { MediaRoutes } from './media-routes.ts'
import { inPortfolio, readNumber } from '../person.ts'
import type { Person } from '../person.ts'
import { readContent, readType } from './read-content.ts'

const REFERENCE_CHARS = 512
const OUTSIDE_WINDOW = 131047

type AcceptedSend = {
  entries: Entry[]
  answer: Record<string, unknown>
  /** The connection breaks instead of a response. */
  isUnanswered: boolean
}

/** The state and the functions that a send uses. */
export type SendContext = {
  book: Book
  number: BusinessNumber
  now: number
  awaitsReply: (customer: string) => boolean
  media: MediaRoutes
}

/** Returns a message id in Meta's form that cannot be one of Meta's. */
export function newWamid(): string {
  return `wamid.SIM${randomBytes(21).toString('base64url')}`
}

/**
 * Accepts a `POST /{number}/messages`, as Meta does: two equal requests are two messages, and a text outside the
 * service window is accepted and fails later.
 * @throws GraphError if Meta would refuse it immediately.
 */
export function acceptSend(body: Fields, context: SendContext): AcceptedSend {
  const { book, number, now } = context
  const type = readType(body)
  const ourReference = readReference(body)
  const { person, isNew, isById } = readRecipient(body, context)
  const forced = forcedOutcome(person.number)
  const made = readMessage(type, body, context)
  if (forced?.kind === 'refused') {
    throw refusal(forced.code)
  }
  const isOpen = isWindowOpen(book, number.phoneNumberId, person.number, now)
  const isLate = type !== 'template' && !isOpen
  const message: SimulatedMessage = {
    ...made,
    wamid: newWamid(),
    direction: 'to_customer',
    phoneNumberId: number.phoneNumberId,
    customer: person.number,
    at: now,
    type,
    mediaId: readText(readFields(body[type]).id),
    ourReference,
    // Inside the window Meta charges for marketing alone.
    isFree: isOpen && made.category !== 'marketing',
    status: 'accepted',
    statuses: [],
    failsWith: forced?.kind === 'fails' ? forced.code : isLate ? OUTSIDE_WINDOW : null,
    awaitsReply: context.awaitsReply(person.number),
  }
  const { bsuid } = inPortfolio(person, number.portfolio)
  const input = String(isById ? body.recipient : body.to)
  return {
    entries: [
      ...(isNew ? [{ kind: 'person' as const, person }] : []),
      { kind: 'message', message },
    ],
    answer: {
      messaging_product: 'whatsapp',
      contacts: [isById ? { input, user_id: bsuid } : { input, wa_id: person.number }],
      messages: [
        { id: message.wamid, ...(type === 'template' ? { message_status: 'accepted' } : {}) },
      ],
    },
    isUnanswered: forced?.kind === 'no_answer',
  }
}

type Made = Pick<SimulatedMessage, 'category' | 'template' | 'params'> & { content: Content }

function readMessage(type: string, body: Fields, context: SendContext): Made {
  if (type !== 'template') {
    const content = readContent(type, body, context.media)
    return { content, category: 'service', template: null, params: [] }
  }
  const fields = readFields(body.template)
  const name = readText(fields.name)
  const language = readText(readFields(fields.language).code)
  if (name === null || language === null) {
    const missing = name === null ? "template['name']" : "template['language']"
    throw invalidParameter(`The parameter ${missing} is required.`)
  }
  const template = findSendable(context, name, language)
  return {
    ...fillTemplate(template, fields.components),
    category: template.category.toLowerCase(),
    template: { name, language },
  }
}

/**
 * Returns a template that can be sent. Meta has separate errors for paused and disabled ones; any other template that
 * is not approved does not exist for a send.
 */
function findSendable({ book, number }: SendContext, name: string, language: string) {
  const template: GraphTemplate | undefined = findTemplate(book, number.businessAccountId, {
    name,
    language,
  })
  const status = template?.status.toUpperCase()
  if (status === 'PAUSED') {
    throw refusal(132015)
  }
  if (status === 'DISABLED') {
    throw refusal(132016)
  }
  if (template === undefined || status !== 'APPROVED') {
    throw refusal(132001, `template name (${name}) does not exist in ${language}`)
  }
  return template
}

function readReference(body: Fields): string | null {
  const reference = body.biz_opaque_callback_data ?? null
  if (reference !== null && typeof reference !== 'string') {
    throw invalidParameter('Param biz_opaque_callback_data must be a string.')
  }
  if (reference !== null && reference.length > REFERENCE_CHARS) {
    throw invalidParameter(
      `Param biz_opaque_callback_data must be at most ${REFERENCE_CHARS} characters long.`,
    )
  }
  return reference
}

/** Reads the recipient. A number has priority over a business-scoped id. An unknown number becomes a phone. */
function readRecipient(
  body: Fields,
  { book, number }: SendContext,
): { person: Person; isNew: boolean; isById: boolean } {
  if ((body.recipient_type ?? 'individual') !== 'individual') {
    throw invalidParameter('Param recipient_type must be one of {INDIVIDUAL}')
  }
  const to = readText(body.to)
  if (to === null) {
    const id = readText(body.recipient)
    if (id === null) {
      throw invalidParameter('The parameter to is required.')
    }
    const { portfolio } = number
    const person = [...book.people.values()].find((one) => inPortfolio(one, portfolio).bsuid === id)
    if (person === undefined) {
      throw refusal(131009, 'Recipient is not a user of this business')
    }
    return { person, isNew: false, isById: true }
  }
  const digits = readNumber(to)
  if (digits === null) {
    throw refusal(131009, 'Recipient phone number is not valid')
  }
  if (digits === number.displayPhoneNumber) {
    throw refusal(131021)
  }
  return { person: personAt(book, digits), isNew: !book.people.has(digits), isById: false }
}
