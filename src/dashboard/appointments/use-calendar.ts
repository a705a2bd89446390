/** The queries of the calendar. */
import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { AppointmentView } from '../../contract/dashboard/appointment.ts'
import type {
  BookingPageView,
  OpeningChangeView,
  ResourceView,
  ServiceView,
} from '../../contract/dashboard/booking-setup.ts'
import { DAY_MS } from '../../core/limits/units.ts'
import { useApi, type Api } from '../app/resources.ts'
import { useCompany } from '../app/company.ts'
import { useLiveQuery } from '../app/live.tsx'
import type { CalendarSearch } from './search.ts'
import { instantOf } from './wall.ts'

/** Returns the company's bookable services. */
export function useServices(): ServiceView[] {
  const api = useApi()
  return useSuspenseQuery(api.items('services')).data
}

/** Returns the company's bookable resources: people and rooms. */
export function useResources(): ResourceView[] {
  const api = useApi()
  return useSuspenseQuery(api.items('resources')).data
}

/** Returns the holidays and special hours of the company and its resources. */
export function useChanges(): OpeningChangeView[] {
  const api = useApi()
  return useSuspenseQuery(api.items('opening-changes')).data
}

/** Returns the settings of the company's public booking page. */
export function useBookingPage(): BookingPageView {
  const api = useApi()
  return useSuspenseQuery(api.get('booking-page')).data
}

/** Returns the time zone of the company, in which its appointments are booked. */
export function useShopZone(): string {
  const page = useBookingPage()
  const { timeZone } = useCompany()
  return page.zone ?? timeZone
}

const PAGE = '100'
/** A longer list is cut off here, with a notice. */
const MAX_PAGES = 10

/** The filters of the calendar that the API applies. */
export type Shown = Pick<CalendarSearch, 'service' | 'resource' | 'status'>

/** Returns the appointments that start from the first day on and before the day `to`, in the company's zone. */
export function useAppointments(days: { from: number; to: number }, shown: Shown) {
  const api = useApi()
  const zone = useShopZone()
  useLiveQuery('appointment', api.key('appointments'))
  useLiveQuery('service', api.key('services'))
  useLiveQuery('resource', api.key('resources'))
  useLiveQuery('resource', api.key('services'))
  const query = {
    from: instantOf(zone, days.from),
    to: instantOf(zone, days.to),
    limit: PAGE,
    ...(shown.service && { serviceId: shown.service }),
    ...(shown.resource && { resourceId: shown.resource }),
    ...(shown.status && { status: shown.status }),
  }
  return useQuery({
    queryKey: [...api.key('appointments'), 'range', query],
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const items: AppointmentView[] = []
      let cursor: string | null = null
      for (let pages = 0; pages < MAX_PAGES; pages += 1) {
        const page: { items: AppointmentView[]; nextCursor: string | null } = await api.read(
          'appointments',
          { ...query, cursor },
        )
        items.push(...page.items)
        cursor = page.nextCursor
        if (cursor === null) break
      }
      return { items, hasMore: cursor !== null }
    },
  })
}

/**
 * Returns the free times of a service on one day, in the company's zone. Nothing is read while no service is chosen.
 */
export function useSlots(
  serviceId: string | null,
  resourceId: string | null,
  { from, to }: { from: number; to: number },
  movedId: string | null,
) {
  const api = useApi()
  const zone = useShopZone()
  const query = {
    serviceId: serviceId ?? '',
    from: instantOf(zone, from),
    to: instantOf(zone, to),
    ...(resourceId !== null && { resourceId }),
    ...(movedId !== null && { movedId }),
  }
  return useQuery({ ...api.get('slots', query), enabled: serviceId !== null })
}

const DAYS_AHEAD = 14
const NEXT_SHOWN = 3

/** Returns the next free times from a given time on. */
export async function readNextFree(
  api: Api,
  { serviceId, resourceId, from }: { serviceId: string; resourceId: string | null; from: string },
): Promise<string[]> {
  const to = new Date(Date.parse(from) + DAYS_AHEAD * DAY_MS).toISOString()
  const { items } = await api.read('slots', { serviceId, from, to, resourceId })
  return items.slice(0, NEXT_SHOWN).map(({ startsAt }) => startsAt)
}
