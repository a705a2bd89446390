import type { Book, Content, SendStatus } from './book.ts'

/** A message that the simulator accepted, in a form for tests. */
export type SentMessage = {
  wamid: string
  phoneNumberId: string
  /** The recipient's number in digits. */
  to: string
  at: Date
  type: string
  /** The name of the template. */
  template: string | null
  language: string | null
  /** The values of the body's variables, in the order they were sent. */
  params: string[]
  mediaId: string | null
  ourReference: string | null
  /** The text that the customer reads. */
  text: string
  content: Content
  status: SendStatus
  statuses: SendStatus[]
  failedWith: number | null
}

/** Returns every stored message that was sent, the oldest first. */
export function listSent(book: Book): SentMessage[] {
  return [...book.messages.values()]
    .filter((message) => message.direction === 'to_customer')
    .map((message) => ({
      wamid: message.wamid,
      phoneNumberId: message.phoneNumberId,
      to: message.customer,
      at: new Date(message.at),
      type: message.type,
      template: message.template?.name ?? null,
      language: message.template?.language ?? null,
      params: [...message.params],
      mediaId: message.mediaId,
      ourReference: message.ourReference,
      text: message.content.text,
      content: structuredClone(message.content),
      status: message.status,
      statuses: message.statuses.map(({ status }) => status),
      failedWith: message.status === 'failed' ? message.failsWith : null,
    }))
}
