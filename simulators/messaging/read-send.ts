/** Validates the account's messages against Meta's rules. */
import { DAY_MS } from '../time.ts'
import { GraphError, invalidParameter } from '../graph-error.ts'
import { readFields, readList, readText } from '../json-fields.ts'
import type { Attachment, Person } from './book.ts'
import type { Product } from './messaging-account.ts'

const TEXT_CHARS = 2_000
const TEXT_BYTES = 1_000
const QUICK_REPLIES = 13
const TITLE_CHARS = 20
const PAYLOAD_CHARS = 1_000
const METADATA_CHARS = 1_000
const ATTACHMENTS = new Set(['image', 'video', 'audio', 'file'])

/** The content of a message that the account sends. */
export type SentContent = {
  text: string | null
  attachments: Attachment[]
  quickReplies: { title: string; payload: string }[]
  metadata: string | null
}

function graphRefusal(code: number, subcode: number, message: string): GraphError {
  const error = { message: `(#${code}) ${message}`, type: 'OAuthException', code }
  return new GraphError(400, code, { ...error, error_subcode: subcode })
}

/**
 * Throws unless this app may send to the person now.
 * @throws GraphError
 */
export function requireReachable(
  product: Product,
  person: Person | undefined,
  now: number,
): Person {
  if (!person) throw graphRefusal(100, 2018001, 'No matching user found')
  if (person.hasBlocked) throw graphRefusal(551, 1545041, "This person isn't available right now.")
  if (person.isInAnotherApp) {
    const why = 'Message failed to send because another app is controlling this thread now.'
    throw graphRefusal(10, 2018300, why)
  }
  if (person.lastWroteAt === null || now >= person.lastWroteAt + DAY_MS) {
    const subcode = product === 'messenger' ? 2018278 : 2534022
    throw graphRefusal(10, subcode, 'This message is sent outside of allowed window.')
  }
  return person
}

/**
 * Reads a message to send.
 * @throws GraphError for a message that Meta would refuse.
 */
export function readSend(
  product: Product,
  body: unknown,
  fileOf: (attachmentId: string) => boolean,
): SentContent {
  const message = readFields(readFields(body).message)
  const text = readText(message.text)
  const attachment = readFields(message.attachment)
  const type = readText(attachment.type)
  if ((text === null) === (type === null)) {
    throw invalidParameter('Exactly one of message[text] and message[attachment] is needed')
  }
  if (text !== null) requireLength(product, text)
  const metadata = readText(message.metadata)
  if (metadata !== null && metadata.length > METADATA_CHARS) {
    throw invalidParameter('Length of param message[metadata] must be less than or equal to 1000')
  }
  return {
    text,
    attachments: type === null ? [] : [readAttachment(type, attachment.payload, fileOf)],
    quickReplies: readQuickReplies(message.quick_replies),
    metadata,
  }
}

function requireLength(product: Product, text: string): void {
  const isTooLong =
    product === 'messenger' ? [...text].length > TEXT_CHARS : Buffer.byteLength(text) > TEXT_BYTES
  if (!isTooLong) return
  throw invalidParameter(
    product === 'messenger'
      ? `Length of param message[text] must be less than or equal to ${TEXT_CHARS}`
      : `Message text must be UTF-8 and of ${TEXT_BYTES} bytes or less`,
  )
}

function readAttachment(
  type: string,
  payload: unknown,
  fileOf: (attachmentId: string) => boolean,
): Attachment {
  if (!ATTACHMENTS.has(type)) throw invalidParameter(`Invalid attachment type ${type}`)
  const { attachment_id: id, url } = readFields(payload)
  const attachmentId = readText(id)
  if (attachmentId !== null && fileOf(attachmentId)) {
    return { type, payload: { attachment_id: attachmentId } }
  }
  if (attachmentId === null && readText(url) !== null) return { type, payload: { url } }
  throw graphRefusal(100, 2018074, `Invalid attachment id: ${attachmentId ?? ''}`)
}

function readQuickReplies(value: unknown): SentContent['quickReplies'] {
  const replies = readList(value)
  if (replies.length > QUICK_REPLIES) {
    throw invalidParameter(`At most ${QUICK_REPLIES} quick replies are taken`)
  }
  return replies.map((reply) => {
    const [title, payload] = [readText(reply.title), readText(reply.payload)]
    const isRight =
      reply.content_type === 'text' &&
      title !== null &&
      [...title].length <= TITLE_CHARS &&
      payload !== null &&
      payload.length <= PAYLOAD_CHARS
    if (!isRight) throw invalidParameter('A quick reply is not of the form that is taken')
    return { title, payload }
  })
}
