import type { CustomerRef, Inbound } from '../channel-adapter.ts'
import { ignored } from './read-change.ts'
import type { Change } from './read-change.ts'
import { readBusinessScopedId } from './read-customer.ts'
import { given, readFields, readList, readNumber, readText } from '../provider/read-values.ts'
import type { Fields } from '../provider/read-values.ts'

/**
 * A message of type `system`: the customer changed number or id. When the provider names only the
 * new id, `before` is empty; what it was stands in field `user_id_update`, never in the wording.
 */
export function readSystemMessage({ route }: Change, message: Fields): Inbound {
  const system = readFields(message.system)
  const after = given<CustomerRef>({
    number: readNumber(system.wa_id) ?? readNumber(system.new_wa_id),
    businessScopedId: readBusinessScopedId(system.user_id),
    parentBusinessScopedId: readBusinessScopedId(system.parent_user_id),
  })
  if (Object.keys(after).length === 0) {
    return ignored('a system message', readText(system.type))
  }
  const before = given<CustomerRef>({
    number: readNumber(message.from) ?? readNumber(system.customer),
    businessScopedId: readBusinessScopedId(message.from_user_id),
    parentBusinessScopedId: readBusinessScopedId(message.from_parent_user_id),
  })
  return { kind: 'identity', route, before, after }
}

/** Field `user_id_update`: the business-scoped id of a customer was replaced. */
export function readUserIdUpdates({ route, value }: Change): Inbound[] {
  return readList(value.user_id_update).map((item): Inbound => {
    const fields = readFields(item)
    const userId = readFields(fields.user_id)
    const parentUserId = readFields(fields.parent_user_id)
    const number = readNumber(fields.wa_id)
    const previous = readBusinessScopedId(userId.previous)
    const current = readBusinessScopedId(userId.current)
    if (current === undefined || (previous ?? number) === undefined) {
      return ignored('a user id update that names no ids')
    }
    return {
      kind: 'identity',
      route,
      // The number is today's; it says who it was only when no earlier id does.
      before: given<CustomerRef>({
        number: previous === undefined ? number : undefined,
        businessScopedId: previous,
        parentBusinessScopedId: readBusinessScopedId(parentUserId.previous),
      }),
      after: given<CustomerRef>({
        number,
        businessScopedId: current,
        parentBusinessScopedId: readBusinessScopedId(parentUserId.current),
      }),
    }
  })
}
