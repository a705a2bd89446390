import { searchReader } from '../app/search-params.ts'

/** The tabs of a delivery, in order. */
export const DELIVERY_TABS = ['body', 'headers', 'event'] as const

export const readDeliverySearch = searchReader({ tab: DELIVERY_TABS })
