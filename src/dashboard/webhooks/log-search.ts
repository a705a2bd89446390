import type { DeliveryView, JobFilter } from '../../contract/dashboard/delivery.ts'
import { LOG_LIMITS } from '../../core/limits/deliveries.ts'
import { isInView } from '../../rules/deliveries/delivery-badge.ts'
import { DAY_MS } from '../../core/limits/units.ts'
import { type Api } from '../app/resources.ts'
import { now } from '../words/now.ts'
import { queries } from '../app/queries.ts'
import { beginOfDay } from '../words/format.ts'
import { currentManner } from '../words/language.ts'
import { matchesPhone } from './matches-phone.ts'
import type { LogSearch, RANGES } from './log-search-params.ts'
import { readUuid } from '../../rules/text/uuid.ts'

/** Returns the start of a range. Today is the day by the clock that shows the member's times. */
function beginOf(range: (typeof RANGES)[number]): Date {
  const at = now()
  if (range === 'today') return beginOfDay(at, currentManner().timeShown)
  return new Date(at.getTime() - (range === 'last_24h' ? 1 : 7) * DAY_MS)
}

/** The filters of the log, as the API takes them. */
export type AskedDeliveries = Omit<LogSearch, 'q' | 'range' | 'status' | 'statusClass'> & {
  status?: string
  statusClass?: string
} & SearchedObject

/** The object of a search by its id, or a customer by phone number. */
type SearchedObject = {
  eventId?: string
  deliveryId?: string
  runId?: string
  contactId?: string
  conversationId?: string
  phone?: string
}

/**
 * Converts the log's filters in the URL to a query of the API, and asks the API of which kind a searched id is. Returns
 * null when the search text can be no id, so that nothing matches.
 */
export async function readFilter(
  api: Api,
  { q, range, status, statusClass, ...rest }: LogSearch,
): Promise<AskedDeliveries | null> {
  const found = q === undefined ? {} : await findSearchedObject(api, q.trim())
  if (found === null) return null
  return {
    ...rest,
    ...(status !== undefined && { status: String(status) }),
    ...(statusClass !== undefined && { statusClass: String(statusClass) }),
    ...(range && { from: beginOf(range).toISOString() }),
    ...found,
  }
}

const EVENT = /^evt_[0-9a-f]{32}$/i
const PHONE = /^[+\d٠-٩۰-۹][\d٠-٩۰-۹\s().-]{4,}$/

/**
 * Returns the object of a search. An id's prefix says its kind, an id without one is tried as each kind, digits are a
 * phone number, and other texts a conversation.
 */
async function findSearchedObject(api: Api, text: string): Promise<SearchedObject | null> {
  if (EVENT.test(text)) return { eventId: text }
  if (/^evt_/i.test(text)) return null
  if (PHONE.test(text)) return { phone: text.slice(0, LOG_LIMITS.phoneChars) }
  if (readUuid(text) === null) return { conversationId: text }
  const thing = api.combine('deliveries', { text }, async (): Promise<SearchedObject> => {
    const asWhat: SearchedObject[] = [
      { deliveryId: text },
      { runId: text },
      { contactId: text },
      { eventId: text },
      { conversationId: text },
    ]
    const pages = await Promise.all(
      asWhat.map((one) => api.read('deliveries', { ...one, limit: '1' })),
    )
    return asWhat[pages.findIndex(({ items }) => items.length > 0)] ?? asWhat[0]!
  })
  return queries.fetchQuery(thing)
}

/** Returns whether a delivery that was just reported matches the query. */
export function isMatch(delivery: DeliveryView, asked: AskedDeliveries): boolean {
  const { from, to, view, status, statusClass, phone, ...same } = asked
  if (phone !== undefined && !matchesPhone(phone, delivery.contact?.phone ?? '')) return false
  if (from !== undefined && delivery.createdAt < from) return false
  if (to !== undefined && delivery.createdAt >= to) return false
  if (status !== undefined && delivery.lastStatus !== Number(status)) return false
  if (statusClass !== undefined && firstDigit(delivery.lastStatus) !== Number(statusClass))
    return false
  if (view !== undefined && !isInView(delivery, view)) return false
  const own: Record<string, unknown> = {
    ...delivery,
    endpointId: delivery.endpoint.id,
    deliveryId: delivery.id,
    error: delivery.lastError,
  }
  return Object.entries(same).every(([name, value]) => value === undefined || own[name] === value)
}

function firstDigit(status: number | null): number | null {
  return status === null ? null : Math.floor(status / 100)
}

/**
 * Returns the filter of a resend job that matches the same deliveries. Returns null when a job has no such filter: jobs
 * resend real events whose deliveries have ended, and cannot select a single delivery.
 */
export function jobFilterOf(asked: AskedDeliveries): JobFilter | null {
  const { deliveryId, eventId, kind, view, state, phone, endpointId: _endpoint, ...rest } = asked
  if ([deliveryId, eventId, phone].some((value) => value !== undefined)) return null
  if (kind === 'test' || kind === 'resend' || view === 'retrying') return null
  if (state === 'pending' || state === 'held') return null
  const { status, statusClass, ...same } = rest
  return {
    ...same,
    ...(status !== undefined && { status: Number(status) }),
    ...(statusClass !== undefined && { statusClass: Number(statusClass) }),
    ...(view !== undefined && { view }),
    ...(state !== undefined && { state }),
  }
}
