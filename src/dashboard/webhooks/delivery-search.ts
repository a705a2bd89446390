import { oneIn, type RawSearch } from '../app/search-params.ts'

export const DELIVERY_TABS = ['body', 'headers', 'event'] as const

export type DeliverySearch = { tab?: (typeof DELIVERY_TABS)[number] }

export function readDeliverySearch(raw: RawSearch): DeliverySearch {
  const tab = oneIn(raw, 'tab', DELIVERY_TABS)
  return tab ? { tab } : {}
}
