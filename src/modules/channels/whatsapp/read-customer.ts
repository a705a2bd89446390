import type { CustomerRef } from '../inbound.ts'
import { withoutUndefined, readFields, readPhoneDigits, readText } from '../provider/read-values.ts'

/** The country, `.`, and `ENT.` for a parent id. */
const BUSINESS_SCOPED_ID = /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/

/** Returns a business-scoped user id; undefined for text of another form. */
export function readBusinessScopedId(value: unknown): string | undefined {
  const id = readText(value)
  return id !== undefined && BUSINESS_SCOPED_ID.test(id) ? id : undefined
}

type Ids = { number: unknown; userId: unknown; parentUserId: unknown }

/**
 * Returns the customer that the ids name, completed from the webhook's contact list. When the number is withheld,
 * there is only the business-scoped id. An id of an unknown form is used only when there is no other, and is not
 * shown to merchants. Returns null without any id.
 */
export function readCustomer(ids: Ids, contacts: unknown[]): CustomerRef | null {
  const number = readPhoneDigits(ids.number)
  const writtenAsNumber = readText(ids.number)
  const userId = readText(ids.userId) ?? readBusinessScopedId(ids.number)
  const listed = contacts.map(readFields)
  const isNamed = number !== undefined || userId !== undefined
  // A contact with another id is another person; only a single contact may identify an unnamed sender.
  const contact = isNamed
    ? listed.find(
        ({ wa_id, user_id }) =>
          (number !== undefined && readPhoneDigits(wa_id) === number) ||
          (userId !== undefined && readText(user_id) === userId),
      )
    : writtenAsNumber === undefined && listed.length === 1
      ? listed[0]
      : undefined
  const profile = readFields(contact?.profile)
  const knownNumber = number ?? readPhoneDigits(contact?.wa_id)
  const anyId = userId ?? readText(contact?.user_id)
  const businessScopedId = readBusinessScopedId(userId) ?? readBusinessScopedId(contact?.user_id)
  const parentBusinessScopedId =
    readBusinessScopedId(ids.parentUserId) ?? readBusinessScopedId(contact?.parent_user_id)
  const isKnown = (knownNumber ?? businessScopedId ?? parentBusinessScopedId) !== undefined
  if (!isKnown && anyId === undefined) return null
  return withoutUndefined<CustomerRef>({
    number: knownNumber,
    businessScopedId,
    parentBusinessScopedId,
    providerUserId: isKnown ? undefined : anyId,
    profileName: readText(profile.name),
    username: readText(profile.username),
  })
}
