import { createHash } from 'node:crypto'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** A simulated customer. `number` has digits only and is the key of all their data. */
export type Person = {
  number: string
  name: string
  /** The business-scoped user id, which every webhook about them carries. */
  bsuid: string
  parentBsuid: string | null
  /** The username of a person who has one, or null. */
  username: string | null
  /** Every webhook leaves out the person's number. */
  hidesNumber: boolean
}

/** The data of a new simulated customer. */
export type PersonInput = {
  number: string
  name?: string
  bsuid?: string
  parentBsuid?: string
  username?: string
}

/** The customers of a new simulator, with numbers that are reserved for fiction. */
export const DEFAULT_PEOPLE: readonly PersonInput[] = [
  { number: '12025550101', name: 'Sara Haddad' },
  { number: '12025550102', name: 'عمر الحسن' },
  { number: '12025550103', name: 'Lina Costa' },
]

/** Returns the digits of a number; null unless there are 7 to 15 of them and no other characters. */
export function readNumber(text: string): string | null {
  const digits = text.replace(/[\s()+.-]/g, '')
  return /^\d{7,15}$/.test(digits) ? digits : null
}

/**
 * Creates the phone of a simulated customer. A number always gives the same id, and another one for each later holder.
 * @throws Error for an invalid number.
 */
export function makePerson(input: PersonInput, earlierHolders = 0): Person {
  const number = readNumber(input.number)
  if (number === null) {
    throw new Error(`Not a phone number: ${input.number}`)
  }
  return {
    number,
    name: input.name?.trim() || `Customer ${number.slice(-4)}`,
    bsuid: input.bsuid ?? deriveBsuid(number, earlierHolders),
    parentBsuid: input.parentBsuid ?? null,
    username: input.username ?? null,
    hidesNumber: false,
  }
}

/** Returns the person with the number hidden or shown. A person with a hidden number has a user name instead. */
export function withHiddenNumber(person: Person, hidesNumber: boolean): Person {
  const username = person.username ?? `customer_${person.number.slice(-4)}`
  return { ...person, hidesNumber, username: hidesNumber ? username : person.username }
}

/** Returns the person with another number. WhatsApp then replaces the person's ids. */
export function withNewNumber(person: Person, number: string, earlierHolders: number): Person {
  const bsuid = deriveBsuid(number, earlierHolders)
  const parentBsuid = person.parentBsuid && deriveId(person.parentBsuid, `parent of ${bsuid}`)
  return { ...person, number, bsuid, parentBsuid }
}

/** Returns the person with the ids that a business of another portfolio sees. */
export function inPortfolio(person: Person, portfolio: string | undefined): Person {
  if (portfolio === undefined) return person
  const { bsuid, parentBsuid } = person
  return {
    ...person,
    bsuid: deriveId(bsuid, `${bsuid} in ${portfolio}`),
    parentBsuid: parentBsuid && deriveId(parentBsuid, `${parentBsuid} in ${portfolio}`),
  }
}

/** Returns the business-scoped user id of a simulated customer, always the same for one number and holder. */
export function deriveBsuid(number: string, earlierHolders = 0): string {
  const country = parsePhoneNumberFromString(`+${number}`)?.country ?? 'US'
  const holder = earlierHolders === 0 ? '' : `, holder ${earlierHolders + 1}`
  return `${country}.${deriveDigits(`simulated customer ${number}${holder}`, 19)}`
}

/** Returns another id with the form of an existing one. */
const deriveId = (id: string, seed: string): string =>
  `${id.slice(0, id.lastIndexOf('.') + 1)}${deriveDigits(seed, 19)}`

/** Returns this number of random-looking digits, always the same for one seed. */
export function deriveDigits(seed: string, length: number): string {
  const digest = createHash('sha256').update(seed).digest()
  return (digest.readBigUInt64BE() % 10n ** BigInt(length)).toString().padStart(length, '1')
}
