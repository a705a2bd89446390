import { WEEKDAYS } from '../../src/rules/flows/opening-hours.ts'
import type { HoursChange, WeeklyHours } from '../../src/rules/appointments/hours-of-day.ts'
import { pickSlotResources, type SlotInputs } from '../../src/rules/appointments/slots.ts'
import { offerSlots } from '../support/offer-slots.ts'
import { runRule, unknownIn, unknownInCase, words } from './cases.ts'
import type { ConformanceCase, Report } from './report.ts'

type SlotCase = {
  id: string
  zone: string
  now: string
  service: SlotInputs['service']
  resources: {
    id: string
    role?: string
    zone?: string
    openings: { weekday: string; fromMin: number; toMin: number }[]
    busy: { from: string; to: string }[]
  }[]
  changes: {
    resourceId: string | null
    firstDay: string
    lastDay: string
    isClosed?: boolean
    fromMin?: number
    toMin?: number
  }[]
  page: { minNoticeMin: number; maxDays: number }
  from: string
  to: string
  at?: string
  expect: Answer
  also_accept?: Answer[]
}
type Answer = { startsAt: string }[] | { resourceIds: string[] } | { code: string }

const KNOWN = {
  case: words('zone now service resources changes page from to at'),
  service: words('minutes beforeMin afterMin stepMin'),
  resource: words('id role zone openings busy'),
  change: words('resourceId firstDay lastDay isClosed fromMin toMin'),
  page: words('minNoticeMin maxDays'),
}

export const run = (cases: ConformanceCase[], report: Report): Promise<void> =>
  runRule<SlotCase>(cases, report, {
    unknown: (one) => [
      ...unknownInCase(one, KNOWN.case),
      ...unknownIn(one.service, KNOWN.service),
      ...one.resources.flatMap((resource) => unknownIn(resource, KNOWN.resource)),
      ...one.changes.flatMap((change) => unknownIn(change, KNOWN.change)),
      ...unknownIn(one.page, KNOWN.page),
    ],
    read: (one) => asRead(answer(one)),
    answer: asRead,
  })

function answer(slots: SlotCase): Answer {
  const { service, zone, page, now, at } = slots
  const facts: SlotInputs = {
    service,
    resources: slots.resources.map((resource) => ({
      id: resource.id,
      kind: 'person',
      role: resource.role ?? '',
      zone: resource.zone ?? zone,
      openings: resource.openings.map(({ weekday, ...hours }) => ({
        ...hours,
        weekday: WEEKDAYS.find((day) => day.startsWith(weekday))!,
      })) satisfies WeeklyHours[],
      busy: resource.busy.map(({ from, to }) => ({ from: new Date(from), to: new Date(to) })),
    })),
    changes: slots.changes.map(
      ({ resourceId, firstDay, lastDay, isClosed, fromMin, toMin }): HoursChange => ({
        resourceId,
        firstDay,
        lastDay,
        ...(isClosed ? { isClosed } : { isClosed: false, fromMin: fromMin!, toMin: toMin! }),
      }),
    ),
    page: { ...page, zone },
    now: new Date(now),
  }
  if (at !== undefined) {
    const taken = pickSlotResources(facts, new Date(at))
    return taken.ok ? { resourceIds: taken.value } : { code: taken.reason }
  }
  const range = { from: new Date(slots.from), to: new Date(slots.to) }
  return offerSlots(facts, range).map((start) => ({ startsAt: start.toISOString() }))
}

/** Converts times to instants, which can be compared. */
function asRead(value: Answer): unknown {
  return Array.isArray(value)
    ? value.map(({ startsAt, ...more }) => ({ startsAt: Date.parse(startsAt), ...more }))
    : value
}
