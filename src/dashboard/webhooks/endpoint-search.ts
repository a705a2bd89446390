import { flagIn, oneIn, textIn, type RawSearch } from '../app/search-params.ts'

/** The tabs of an endpoint, in order. */
export const ENDPOINT_TABS = ['overview', 'event_types', 'secret', 'settings', 'history'] as const

/** Time spans of the graph, in hours. */
export const SPANS = ['24', '48', '168'] as const

/** The search parameters of an endpoint's page. */
export type EndpointSearch = {
  tab?: (typeof ENDPOINT_TABS)[number]
  hours?: (typeof SPANS)[number]
  /** The dialog for a test event is open. */
  test?: true
  /** The start of the failures before the endpoint was just switched on, as ISO 8601. */
  failedSince?: string
}

/** Returns the valid search parameters of an endpoint's page; the overview is a missing tab. */
export function readEndpointSearch(raw: RawSearch): EndpointSearch {
  const tab = oneIn(raw, 'tab', ENDPOINT_TABS)
  const hours = oneIn({ hours: String(raw['hours']) }, 'hours', SPANS)
  const test = flagIn(raw, 'test')
  const since = textIn(raw, 'failedSince')
  return {
    ...(tab && tab !== 'overview' && { tab }),
    ...(hours && { hours }),
    ...(test && { test }),
    ...(since !== undefined && !Number.isNaN(Date.parse(since)) && { failedSince: since }),
  }
}
