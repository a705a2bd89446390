import {
  ATTEMPT_ERRORS,
  DELIVERY_KINDS,
  DELIVERY_STATES,
  DELIVERY_VIEWS,
} from '../../core/vocabulary/deliveries.ts'
import { EVENT_TYPES } from '../../core/vocabulary/events.ts'
import { oneIn, textIn, type RawSearch } from '../app/search-params.ts'

/** The ranges of time that end at the present. */
export const RANGES = ['today', 'last_24h', 'last_7d'] as const

/** The filters of the log, as the URL contains them. */
export type LogSearch = {
  view?: (typeof DELIVERY_VIEWS)[number]
  q?: string
  range?: (typeof RANGES)[number]
  /** A time as ISO 8601. */
  from?: string
  to?: string
  type?: (typeof EVENT_TYPES)[number]
  kind?: (typeof DELIVERY_KINDS)[number]
  state?: (typeof DELIVERY_STATES)[number]
  error?: (typeof ATTEMPT_ERRORS)[number]
  status?: number
  statusClass?: number
  /** Limits the log of all endpoints to one of them. */
  endpointId?: string
}

/** Changes the named filters; undefined removes one. */
export type ChangeSearch = (change: {
  [Name in keyof LogSearch]?: LogSearch[Name] | undefined
}) => void

/** Returns the filters of the delivery log from the search parameters of the URL. */
export function readLogSearch(raw: RawSearch): LogSearch {
  const read = {
    view: oneIn(raw, 'view', DELIVERY_VIEWS),
    q: textIn(raw, 'q'),
    range: oneIn(raw, 'range', RANGES),
    from: timeIn(raw, 'from'),
    to: timeIn(raw, 'to'),
    type: oneIn(raw, 'type', EVENT_TYPES),
    kind: oneIn(raw, 'kind', DELIVERY_KINDS),
    state: oneIn(raw, 'state', DELIVERY_STATES),
    error: oneIn(raw, 'error', ATTEMPT_ERRORS),
    status: numberIn(raw, 'status', 100, 999),
    statusClass: numberIn(raw, 'statusClass', 1, 5),
    endpointId: textIn(raw, 'endpointId'),
  }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}

function timeIn(raw: RawSearch, name: string): string | undefined {
  const text = textIn(raw, name)
  return text === undefined || Number.isNaN(Date.parse(text)) ? undefined : text
}

function numberIn(raw: RawSearch, name: string, min: number, max: number): number | undefined {
  const value = Number(raw[name])
  return Number.isInteger(value) && value >= min && value <= max ? value : undefined
}
