import type { CustomerRef } from '../channel-adapter.ts'
import { given, readFields, readNumber, readText } from './read-values.ts'

/** A business-scoped user id: country, `.`, and for a parent id `ENT.`. */
const BUSINESS_SCOPED_ID = /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/

type Ids = { number: unknown; userId: unknown; parentUserId: unknown }

/**
 * The customer that the ids name, completed from the webhook's contact list. The number may be
 * withheld: then only the business-scoped id is there. Null when nothing names the customer.
 */
export function readCustomer(ids: Ids, contacts: unknown[]): CustomerRef | null {
  const number = readNumber(ids.number)
  const writtenAsNumber = readText(ids.number)
  const userId =
    readText(ids.userId) ??
    (BUSINESS_SCOPED_ID.test(writtenAsNumber ?? '') ? writtenAsNumber : undefined)
  const listed = contacts.map(readFields)
  const isNamed = number !== undefined || userId !== undefined
  // A contact of another id is another person; only a sole contact may stand for an unnamed sender.
  const contact = isNamed
    ? listed.find(
        ({ wa_id, user_id }) =>
          (number !== undefined && readNumber(wa_id) === number) ||
          (userId !== undefined && readText(user_id) === userId),
      )
    : writtenAsNumber === undefined && listed.length === 1
      ? listed[0]
      : undefined
  const profile = readFields(contact?.profile)
  const customer = given<CustomerRef>({
    number: number ?? readNumber(contact?.wa_id),
    businessScopedId: userId ?? readText(contact?.user_id),
    parentBusinessScopedId: readText(ids.parentUserId) ?? readText(contact?.parent_user_id),
    profileName: readText(profile.name),
    username: readText(profile.username),
  })
  return customer.number === undefined && customer.businessScopedId === undefined ? null : customer
}
