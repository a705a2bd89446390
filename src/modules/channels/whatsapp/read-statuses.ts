import type { ProviderEvent, ProviderError } from '../inbound.ts'
import { readErrorFields } from '../meta/read-graph-error.ts'
import { classifyCode } from './errors.ts'
import { ignored } from './read-change.ts'
import type { Change } from './read-change.ts'
import { readCustomer } from './read-customer.ts'
import { readFields, readList, readSeconds, readText } from '../provider/read-values.ts'

const STATUSES = new Map<string, 'sent' | 'delivered' | 'read' | 'failed'>([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  // A played voice message was read.
  ['played', 'read'],
  ['failed', 'failed'],
])

/** Statuses that are read. @internal */
export const WHATSAPP_STATUSES: readonly string[] = [...STATUSES.keys()]

const NO_REASON: ProviderError = {
  code: 'none',
  class: 'other',
  message: '',
}

/** Returns a receipt with the recipient's ids, which belong to one account. Receipts create no customers. */
export function readStatus(change: Change, item: unknown): ProviderEvent {
  const fields = readFields(item)
  const statusText = readText(fields.status) ?? ''
  const status = STATUSES.get(statusText)
  const providerMessageId = readText(fields.id)
  if (status === undefined || providerMessageId === undefined) {
    return ignored('a status that says nothing', statusText)
  }
  const ourReference = readText(fields.biz_opaque_callback_data)
  const at = readSeconds(fields.timestamp) ?? change.receivedAt
  const error = readErrorFields(readList(fields.errors)[0], classifyCode) ?? NO_REASON
  const customer = readCustomer(
    {
      number: fields.recipient_id,
      userId: fields.recipient_user_id,
      parentUserId: fields.recipient_parent_user_id,
    },
    [],
  )
  return {
    kind: 'receipt',
    route: change.route,
    providerMessageId,
    status,
    at,
    ...(customer ? { customer } : {}),
    ...(ourReference === undefined ? {} : { ourReference }),
    ...(status === 'failed' ? { error } : {}),
  }
}
