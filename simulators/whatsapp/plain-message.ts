import type { SimulatedMessage } from './book.ts'

/** Texts of a chat without buttons. */
export type PlainMessage = Pick<
  SimulatedMessage,
  'wamid' | 'direction' | 'phoneNumberId' | 'customer' | 'at'
> & { text: string }

/** Creates a stored message that has only text. */
export function plainMessage({ text, ...message }: PlainMessage, type = 'text'): SimulatedMessage {
  return {
    ...message,
    type,
    content: { header: null, text, footer: null, buttons: [] },
    template: null,
    params: [],
    mediaId: null,
    ourReference: null,
    category: 'service',
    isFree: true,
    status: message.direction === 'to_customer' ? 'read' : 'delivered',
    statuses: [],
    failsWith: null,
    awaitsReply: false,
  }
}
