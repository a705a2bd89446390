import type { Inbound, ProviderError } from '../channel-adapter.ts'
import { readErrorFields } from '../meta/read-graph-error.ts'
import { judgeCode } from './errors.ts'
import { ignored } from './read-change.ts'
import type { Change } from './read-change.ts'
import { readFields, readList, readSeconds, readText } from '../provider/read-values.ts'

const STATUSES = new Map<string, 'sent' | 'delivered' | 'read' | 'failed'>([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  // A voice message that was played was read.
  ['played', 'read'],
  ['failed', 'failed'],
])

const NO_REASON: ProviderError = {
  code: 'none',
  class: 'other',
  message: '',
}

/** A receipt. The contacts that come with it are of no account: a receipt creates nobody. */
export function readStatus(change: Change, item: unknown): Inbound {
  const fields = readFields(item)
  const word = readText(fields.status) ?? ''
  const status = STATUSES.get(word)
  const providerMessageId = readText(fields.id)
  if (status === undefined || providerMessageId === undefined) {
    return ignored('a status that says nothing', word)
  }
  const ourReference = readText(fields.biz_opaque_callback_data)
  const at = readSeconds(fields.timestamp) ?? change.receivedAt
  const error = readErrorFields(readList(fields.errors)[0], judgeCode) ?? NO_REASON
  return {
    kind: 'receipt',
    route: change.route,
    providerMessageId,
    status,
    at,
    ...(ourReference === undefined ? {} : { ourReference }),
    ...(status === 'failed' ? { error } : {}),
  }
}
