import type { CustomerRef, ProviderEvent } from '../inbound.ts'
import { ignored } from './read-change.ts'
import type { Change } from './read-change.ts'
import { readBusinessScopedId } from './read-customer.ts'
import {
  withoutUndefined,
  readFields,
  readList,
  readPhoneDigits,
  readSeconds,
  readText,
} from '../provider/read-values.ts'
import type { Fields } from '../provider/read-values.ts'

/**
 * Reads a message of type `system`: the customer changed number (`user_changed_number`) or id
 * (`user_changed_user_id`). Both name the earlier ids as `previous_user_id` and `previous_parent_user_id`.
 * Source: Meta, System messages webhook reference, 11 August 2026.
 */
export function readSystemMessage({ route }: Change, message: Fields): ProviderEvent {
  const system = readFields(message.system)
  const after = withoutUndefined<CustomerRef>({
    number: readPhoneDigits(system.wa_id) ?? readPhoneDigits(system.new_wa_id),
    businessScopedId: readBusinessScopedId(system.user_id),
    parentBusinessScopedId: readBusinessScopedId(system.parent_user_id),
  })
  if (Object.keys(after).length === 0) {
    return ignored('a system message', readText(system.type))
  }
  const sender = {
    userId: readBusinessScopedId(message.from_user_id),
    parentId: readBusinessScopedId(message.from_parent_user_id),
  }
  // The sender may already be named by the new ids.
  const before = withoutUndefined<CustomerRef>({
    number: readPhoneDigits(message.from) ?? readPhoneDigits(system.customer),
    businessScopedId:
      readBusinessScopedId(system.previous_user_id) ??
      (sender.userId === after.businessScopedId ? undefined : sender.userId),
    parentBusinessScopedId:
      readBusinessScopedId(system.previous_parent_user_id) ??
      (sender.parentId === after.parentBusinessScopedId ? undefined : sender.parentId),
  })
  return {
    kind: 'identity',
    what: 'change',
    route,
    before,
    after,
    at: readSeconds(message.timestamp),
  }
}

/** Reads the field `user_id_update`: a customer's business-scoped id was replaced. */
export function readUserIdUpdates({ route, value }: Change): ProviderEvent[] {
  return readList(value.user_id_update).map((item): ProviderEvent => {
    const fields = readFields(item)
    const userId = readFields(fields.user_id)
    const parentUserId = readFields(fields.parent_user_id)
    const number = readPhoneDigits(fields.wa_id)
    const previous = readBusinessScopedId(userId.previous)
    const current = readBusinessScopedId(userId.current)
    if (current === undefined || (previous ?? number) === undefined) {
      return ignored('a user id update that names no ids')
    }
    return {
      kind: 'identity',
      what: 'change',
      route,
      at: readSeconds(fields.timestamp),
      // The number is the current one; it identifies the customer only without an earlier id.
      before: withoutUndefined<CustomerRef>({
        number: previous === undefined ? number : undefined,
        businessScopedId: previous,
        parentBusinessScopedId: readBusinessScopedId(parentUserId.previous),
      }),
      after: withoutUndefined<CustomerRef>({
        number,
        businessScopedId: current,
        parentBusinessScopedId: readBusinessScopedId(parentUserId.current),
      }),
    }
  })
}
