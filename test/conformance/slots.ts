import { WEEKDAYS } from '../../src/rules/flows/opening-hours.ts'
import type { HoursChange, WeeklyHours } from '../../src/rules/appointments/hours-of-day.ts'
import { takeSlot, type SlotInputs } from '../../src/rules/appointments/slots.ts'
import { offerSlots } from '../support/offer-slots.ts'
import type { ConformanceCase, Report } from './report.ts'

type SlotCase = {
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
  case: [
    'id',
    'zone',
    'now',
    'service',
    'resources',
    'changes',
    'page',
    'from',
    'to',
    'at',
    'expect',
    'also_accept',
    'why',
    'ambiguous',
    'reading',
    'group',
    'line',
  ],
  service: ['minutes', 'beforeMin', 'afterMin', 'stepMin'],
  resource: ['id', 'role', 'zone', 'openings', 'busy'],
  change: ['resourceId', 'firstDay', 'lastDay', 'isClosed', 'fromMin', 'toMin'],
  page: ['minNoticeMin', 'maxDays'],
}

export async function run(cases: ConformanceCase[], report: Report): Promise<void> {
  for (const one of cases) {
    const slots = one as unknown as SlotCase
    const unknown = [
      ...unknownIn(one, KNOWN.case),
      ...unknownIn(slots.service, KNOWN.service),
      ...slots.resources.flatMap((resource) => unknownIn(resource, KNOWN.resource)),
      ...slots.changes.flatMap((change) => unknownIn(change, KNOWN.change)),
      ...unknownIn(slots.page, KNOWN.page),
    ][0]
    if (unknown !== undefined) report.fail(one.id, `the runner has no word for "${unknown}"`)
    else {
      const accepted = [slots.expect, ...(slots.also_accept ?? [])].map(asRead)
      await report.check(one.id, () => asRead(answer(slots)), accepted)
    }
  }
}

const unknownIn = (value: object, known: readonly string[]) =>
  Object.keys(value).filter((field) => !known.includes(field))

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
        ...(isClosed
          ? { isClosed }
          : {
              isClosed: false,
              fromMin: fromMin!,
              toMin: toMin!,
            }),
      }),
    ),
    page: { ...page, zone },
    now: new Date(now),
  }
  if (at !== undefined) {
    const taken = takeSlot(facts, new Date(at))
    return taken.ok ? { resourceIds: taken.value } : { code: taken.reason }
  }
  const range = { from: new Date(slots.from), to: new Date(slots.to) }
  return offerSlots(facts, range).map((start) => ({ startsAt: start.toISOString() }))
}

/** Times compare as instants. */
function asRead(value: Answer): unknown {
  return Array.isArray(value)
    ? value.map(({ startsAt, ...more }) => ({ startsAt: Date.parse(startsAt), ...more }))
    : value
}
