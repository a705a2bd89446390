/** What the calendar reads. */
import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { AppointmentView } from '../../contract/dashboard/appointment.ts'
import type {
  BookingPageView,
  OpeningChangeView,
  ResourceView,
  ServiceView,
  SlotsView,
} from '../../contract/dashboard/booking-setup.ts'
import { DAY_MS } from '../../limits/units.ts'
import { api, ask } from '../app/api.ts'
import { useCompany, useCompanyId } from '../app/company.ts'
import { useLiveQuery } from '../app/live.tsx'
import { queries } from '../app/queries.ts'
import type { CalendarSearch } from './routes.ts'
import { instantOf } from './wall.ts'

const of = api.companies[':companyId']

export const bookingKey = (companyId: string, what: string) => ['booking', companyId, what]

export function useServices(): ServiceView[] {
  const companyId = useCompanyId()
  return useSuspenseQuery({
    queryKey: bookingKey(companyId, 'services'),
    queryFn: async () => (await ask(of.services.$get({ param: { companyId } }))).items,
  }).data
}

export function useResources(): ResourceView[] {
  const companyId = useCompanyId()
  return useSuspenseQuery({
    queryKey: bookingKey(companyId, 'resources'),
    queryFn: async () => (await ask(of.resources.$get({ param: { companyId } }))).items,
  }).data
}

export function useChanges(): OpeningChangeView[] {
  const companyId = useCompanyId()
  return useSuspenseQuery({
    queryKey: bookingKey(companyId, 'changes'),
    queryFn: async () => (await ask(of['opening-changes'].$get({ param: { companyId } }))).items,
  }).data
}

export function useBookingPage(): BookingPageView {
  const companyId = useCompanyId()
  return useSuspenseQuery({
    queryKey: bookingKey(companyId, 'page'),
    queryFn: () => ask(of['booking-page'].$get({ param: { companyId } })),
  }).data
}

/** By whose clock the shop is booked. */
export function useShopZone(): string {
  const page = useBookingPage()
  const { timeZone } = useCompany()
  return page.zone ?? timeZone
}

const PAGE = '100'
/** A week of a shop that has more is shown to here, and says so. */
const MOST_PAGES = 10

export type Shown = Pick<CalendarSearch, 'service' | 'resource' | 'status'>

/** Those that start on days of the shop: from the first of them and before the day `to`. */
export function useAppointments(days: { from: number; to: number }, shown: Shown) {
  const companyId = useCompanyId()
  const zone = useShopZone()
  const queryKey = ['appointments', companyId]
  useLiveQuery('appointment', queryKey)
  useLiveQuery('service', ['booking', companyId])
  useLiveQuery('resource', ['booking', companyId])
  const query = {
    from: instantOf(zone, days.from),
    to: instantOf(zone, days.to),
    limit: PAGE,
    ...(shown.service && { serviceId: shown.service }),
    ...(shown.resource && { resourceId: shown.resource }),
    ...(shown.status && { status: shown.status }),
  }
  return useQuery({
    queryKey: [...queryKey, 'range', query],
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const items: AppointmentView[] = []
      let cursor: string | null = null
      for (let pages = 0; pages < MOST_PAGES; pages += 1) {
        const page: { items: AppointmentView[]; nextCursor: string | null } = await ask(
          of.appointments.$get({
            param: { companyId },
            query: { ...query, ...(cursor !== null && { cursor }) },
          }),
        )
        items.push(...page.items)
        cursor = page.nextCursor
        if (cursor === null) break
      }
      return { items, hasMore: cursor !== null }
    },
  })
}

/** The starts of a service on one day of the shop. Nothing is asked as long as no service is chosen. */
export function useSlots(
  serviceId: string | null,
  resourceId: string | null,
  { from, to }: { from: number; to: number },
  movedId: string | null,
) {
  const companyId = useCompanyId()
  const zone = useShopZone()
  const query = {
    serviceId: serviceId ?? '',
    from: instantOf(zone, from),
    to: instantOf(zone, to),
    ...(resourceId !== null && { resourceId }),
    ...(movedId !== null && { movedId }),
  }
  return useQuery({
    queryKey: ['slots', companyId, query],
    enabled: serviceId !== null,
    queryFn: (): Promise<SlotsView> => ask(of.slots.$get({ param: { companyId }, query })),
  })
}

const DAYS_AHEAD = 14
const NEXT_SHOWN = 3

/** The next times that are free from a moment on. */
export async function readNextFree(
  companyId: string,
  { serviceId, resourceId, from }: { serviceId: string; resourceId: string | null; from: string },
): Promise<string[]> {
  const to = new Date(Date.parse(from) + DAYS_AHEAD * DAY_MS).toISOString()
  const { items } = await ask(
    of.slots.$get({
      param: { companyId },
      query: { serviceId, from, to, ...(resourceId !== null && { resourceId }) },
    }),
  )
  return items.slice(0, NEXT_SHOWN).map(({ startsAt }) => startsAt)
}

/** After something was booked, moved or ended: what is shown of it is read anew. */
export async function readAnew(companyId: string): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ['appointments', companyId] }),
    queries.invalidateQueries({ queryKey: ['slots', companyId] }),
  ])
}

/** The state of a list that is shown only once it was read. */
export const READ = { isPending: false, isError: false, error: null, refetch: () => undefined }
