import { readNumber } from '../person.ts'
import type { PhoneMessage } from '../provider.ts'

/** A simulated customer; `lid` is the id with which WhatsApp replaces a hidden number. */
export type Customer = { number: string; name: string; lid: string; hidesNumber: boolean }
/** A stored message between a number and a customer. */
export type Said = PhoneMessage & { accountId: string; personId: string }

/** Numbers that are reserved for fiction. */
const PEOPLE: readonly Customer[] = [
  { number: '12025550121', name: 'Sara Haddad', lid: '80121000000121@lid', hidesNumber: false },
  { number: '12025550122', name: 'عمر الحسن', lid: '80121000000122@lid', hidesNumber: false },
  { number: '12025550123', name: 'Lina Costa', lid: '80121000000123@lid', hidesNumber: true },
]

/** The customers of linked numbers, with their messages. */
export type Customers = ReturnType<typeof createCustomers>

/** Creates the store of simulated customers and their messages. */
export function createCustomers() {
  const people = new Map(PEOPLE.map((person) => [person.number, { ...person }]))
  return {
    said: [] as Said[],
    all: () => [...people.values()],
    /** Returns the customer of the open chat. @throws Error if none is open */
    of(personId: string | undefined): Customer {
      const person = people.get(personId ?? '')
      if (!person) throw new Error("Open a customer's chat first")
      return person
    },
    /** Adds a customer. @throws Error for an invalid number */
    add(written: string, name: string): { id: string } {
      const number = readNumber(written)
      if (number === null) throw new Error('Not a phone number')
      const called = name === '' ? `Customer ${number.slice(-4)}` : name
      people.set(number, { number, name: called, lid: `8${number}@lid`, hidesNumber: false })
      return { id: number }
    },
  }
}
