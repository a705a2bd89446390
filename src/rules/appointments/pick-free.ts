/**
 * Picks the resources for a time that a member chooses. Hours, steps and notice are the member's decision, but no
 * resource is booked twice. Pure. Spec: Appointments › Members.
 */
import { MINUTE_MS } from '../../core/limits/units.ts'
import { accept, refuse, type Result } from '../result.ts'
import { wallDayAt } from '../time/zone.ts'
import { isWithinHours, type SlotInputs, type SlotResource } from './slots.ts'

/** The resources that `pickFree` picked, one for each role; `isOutsideHours` is true if one is off at that time. */
export type PickedResources = { resourceIds: string[]; isOutsideHours: boolean }

/**
 * Picks one free resource for each role of a service, at a start that a member chose. Resources whose hours include the
 * time come first, then those with the fewest appointments that day, then the lowest id. Refuses with `slot_taken` when
 * a role has no free resource.
 */
export function pickFree(
  { service, resources, changes, page }: Omit<SlotInputs, 'now'>,
  startsAt: Date,
): Result<PickedResources, 'slot_taken'> {
  const start = startsAt.getTime()
  const from = start - service.beforeMin * MINUTE_MS
  const to = start + (service.minutes + service.afterMin) * MINUTE_MS
  const isFree = ({ busy }: SlotResource) =>
    busy.every((taken) => taken.to.getTime() <= from || taken.from.getTime() >= to)
  const day = wallDayAt(page.zone, start)
  const rank = (resource: SlotResource) => ({
    id: resource.id,
    isOutside: !isWithinHours(resource, changes, { startsAt, minutes: service.minutes }),
    taken: resource.busy.filter((one) => wallDayAt(page.zone, one.from.getTime()) === day).length,
  })
  const picked = [...Map.groupBy(resources, ({ role }) => role).values()].map((ofRole) => {
    const [best] = ofRole
      .filter(isFree)
      .map(rank)
      .toSorted(
        (a, b) =>
          Number(a.isOutside) - Number(b.isOutside) || a.taken - b.taken || (a.id < b.id ? -1 : 1),
      )
    return best
  })
  if (picked.length === 0 || picked.includes(undefined)) return refuse('slot_taken')
  return accept({
    resourceIds: picked.map((one) => one!.id),
    isOutsideHours: picked.some((one) => one!.isOutside),
  })
}
