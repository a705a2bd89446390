import { isByHand, isWindowOpen } from './book.ts'
import { SIMULATOR_LIMITS } from '../limits.ts'
import { inPortfolio } from '../person.ts'
import type { Book, SimulatedMessage } from './book.ts'
import type { Numbers } from './business-number.ts'

/** Returns the left list of the phone page: the people with the last message of each chat. */
export function viewPhones(book: Book, numbers: Numbers, phoneNumberId: string | null) {
  const chosen = numbers.get(phoneNumberId ?? '') ?? [...numbers.values()][0]
  const last = new Map<string, SimulatedMessage>()
  const unread = new Map<string, number>()
  for (const message of book.messages.values()) {
    if (message.phoneNumberId === chosen?.phoneNumberId) {
      last.set(message.customer, message)
      if (message.direction === 'to_customer' && message.status === 'delivered') {
        unread.set(message.customer, (unread.get(message.customer) ?? 0) + 1)
      }
    }
  }
  const people = [...book.people.values()].map(({ number, name, hidesNumber }) => ({
    number,
    name,
    hidesNumber,
    lastText: last.get(number)?.content.text.slice(0, 80) ?? '',
    lastAt: last.get(number)?.at ?? 0,
    unread: unread.get(number) ?? 0,
  }))
  return {
    chosen: chosen?.phoneNumberId ?? null,
    numbers: [...numbers.values()].map((number) => ({
      phoneNumberId: number.phoneNumberId,
      name: number.verifiedName,
      displayPhoneNumber: number.displayPhoneNumber,
      businessAccountId: number.businessAccountId,
    })),
    people: people.toSorted((a, b) => b.lastAt - a.lastAt).slice(0, SIMULATOR_LIMITS.phonesShown),
    waitingWebhooks: book.webhooks.size,
    isEverybodyByHand: book.byHand.has(null),
  }
}

/** Returns the middle of the phone page: the last messages of one chat. */
export function viewChat(
  book: Book,
  numbers: Numbers,
  { phoneNumberId, customer }: { phoneNumberId: string; customer: string },
  now: number,
) {
  const messages = [...book.messages.values()].filter(
    (message) => message.phoneNumberId === phoneNumberId && message.customer === customer,
  )
  const person = book.people.get(customer)
  const sent = messages.findLast(({ direction }) => direction !== 'from_customer')
  return {
    /** The time of the business's last message in milliseconds since 1970, or 0. */
    sentAt: sent?.at ?? 0,
    name: person?.name ?? customer,
    number: customer,
    bsuid: person ? inPortfolio(person, numbers.get(phoneNumberId)?.portfolio).bsuid : null,
    hidesNumber: person?.hidesNumber ?? false,
    isByHand: isByHand(book, customer),
    isWindowOpen: isWindowOpen(book, phoneNumberId, customer, now),
    messages: messages.slice(-SIMULATOR_LIMITS.chatMessages).map((message) => ({
      wamid: message.wamid,
      direction: message.direction,
      at: message.at,
      type: message.type,
      content: message.content,
      template: message.template,
      status: message.status,
      failsWith: message.failsWith,
    })),
  }
}
