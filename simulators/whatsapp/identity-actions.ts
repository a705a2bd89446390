import type { Clock } from '../time.ts'
import { newWamid } from './accept-send.ts'
import { personAt, type Book, type Entry } from './book.ts'
import type { BusinessNumber, Numbers } from './business-number.ts'
import type { Ledger } from './ledger.ts'
import {
  deriveDigits,
  readNumber,
  withHiddenNumber,
  withNewNumber,
  type Person,
} from '../person.ts'
import { systemWebhook } from './webhook-values.ts'

/** The actions that change the identity of a person or of a number. */
export type IdentityActions = {
  /**
   * Changes the customer's number, by default to the next free one. WhatsApp replaces their id and reports both to the
   * businesses in their chats. With `isShared` false, the number is left out from then on, and the report has only
   * ids. Returns the new number.
   */
  changeNumber: (input: { from: string; to?: string; isShared: boolean }) => string
  /**
   * Gives the customer's number to another person, with separate ids and no chat. Returns the number with which the
   * customer continues. No webhook reports it.
   */
  giveNumberAway: (input: { from: string; name?: string }) => string
  /**
   * Moves the business's number to an account of another portfolio, where all customers have other ids. Returns the id
   * of the account.
   */
  changePortfolio: (input: { phoneNumberId: string }) => string
}

/** Creates the actions that change a person's identity for a business. Each throws an Error if it is impossible. */
export function createIdentityActions(options: {
  ledger: Ledger
  numbers: Map<string, BusinessNumber>
  clock: Clock
}): IdentityActions {
  const { ledger, numbers, clock } = options
  const { book } = ledger

  function personOf(from: string): Person {
    const person = book.people.get(readNumber(from) ?? '')
    if (person === undefined) throw new Error(`There is no phone ${from}`)
    return person
  }

  /** Moves a person to another number, which frees the earlier one. */
  function move(
    before: Person,
    to: string,
    isShared: boolean,
  ): { person: Person; entries: Entry[] } {
    const moved = withNewNumber(before, to, book.holders.get(to) ?? 0)
    const person = isShared ? moved : withHiddenNumber(moved, true)
    const { number } = before
    const count = (book.holders.get(number) ?? 0) + 1
    const holders: Entry = { kind: 'holders', number, count }
    return { person, entries: [{ kind: 'moved', from: number, person }, holders] }
  }

  return {
    changeNumber({ from, to, isShared }) {
      const before = personOf(from)
      const number = to === undefined ? nextFreeNumber(book, before.number) : readNumber(to)
      if (number === null) throw new Error(`Not a phone number: ${to}`)
      if (book.people.has(number)) throw new Error(`There is a phone ${number} already`)
      const { person, entries } = move(before, number, isShared)
      const at = clock.now().getTime()
      const webhooks = numbersWithChat(book, numbers, before).map((business): Entry => {
        const webhook = systemWebhook(business, { wamid: newWamid(), at }, before, person)
        return { kind: 'webhook', webhook }
      })
      ledger.commit([...entries, ...webhooks])
      return number
    },
    giveNumberAway({ from, name }) {
      const before = personOf(from)
      const number = nextFreeNumber(book, before.number)
      ledger.commit(move(before, number, !before.hidesNumber).entries)
      const stranger = personAt(book, before.number)
      ledger.commit([{ kind: 'person', person: { ...stranger, name: name ?? stranger.name } }])
      return number
    },
    changePortfolio({ phoneNumberId }) {
      const number = numbers.get(phoneNumberId)
      if (number === undefined) throw new Error(`No business number ${phoneNumberId}`)
      const { businessAccountId: before } = number
      const businessAccountId = deriveDigits(`account after ${before}`, ACCOUNT_DIGITS)
      const templates = [...book.templates.values()].flatMap((kept): Entry[] =>
        kept.businessAccountId === before
          ? [{ kind: 'template', businessAccountId, template: kept.template }]
          : [],
      )
      ledger.commit([{ kind: 'portfolio', phoneNumberId, businessAccountId }, ...templates])
      numbers.set(phoneNumberId, asMoved(book, number))
      return businessAccountId
    },
  }
}

const ACCOUNT_DIGITS = 15

/** Returns the number as it is after its move to another portfolio, or unchanged without a move. */
export function asMoved(book: Book, number: BusinessNumber): BusinessNumber {
  const portfolio = book.portfolios.get(number.phoneNumberId)
  return portfolio === undefined ? number : { ...number, businessAccountId: portfolio, portfolio }
}

function nextFreeNumber(book: Book, number: string): string {
  let next = BigInt(number) + 1n
  while (book.people.has(String(next))) next += 1n
  return String(next)
}

/** Returns the business's numbers that have a chat with a person. */
function numbersWithChat(book: Book, numbers: Numbers, { number }: Person): BusinessNumber[] {
  const ids = new Set(
    [...book.messages.values()]
      .filter(({ customer }) => customer === number)
      .map(({ phoneNumberId }) => phoneNumberId),
  )
  return [...numbers.values()].filter(({ phoneNumberId }) => ids.has(phoneNumberId))
}
