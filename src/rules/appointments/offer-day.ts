import { DAY_MS } from '../../core/limits/units.ts'
import { instantAt, wallDayAt } from '../time/zone.ts'
import { createSlotLister, type SlotInputs } from './slots.ts'

/** Free starts of one day, as a conversation offers them. */
export type DayOffer = {
  starts: Date[]
  /** The start of the rest of the day; null when the offer holds all its starts. */
  moreFrom: Date | null
  /** The beginning of the next day with free starts; null when there is none. */
  otherDayFrom: Date | null
}

/**
 * Returns the first starts of the first day that has any, from a moment on; null when nothing is free within
 * `lookDays`. Days are those of the booking page's zone.
 * Spec: Flows › Booking; reading F42.
 */
export function offerDay(
  facts: SlotInputs,
  from: Date,
  { max, lookDays }: { max: number; lookDays: number },
): DayOffer | null {
  const { zone } = facts.page
  const first = wallDayAt(zone, Math.max(from.getTime(), facts.now.getTime()))
  const end = new Date(instantAt(zone, first + lookDays * DAY_MS).at)
  const offer = createSlotLister(facts, { from, to: end })
  let found: Omit<DayOffer, 'otherDayFrom'> | null = null
  for (let days = 0; days < lookDays; days += 1) {
    const day = instantAt(zone, first + days * DAY_MS).at
    const to = new Date(instantAt(zone, first + (days + 1) * DAY_MS).at)
    const starts = offer({ from: days === 0 ? from : new Date(day), to })
    if (starts.length === 0) continue
    if (found) return { ...found, otherDayFrom: starts[0]! }
    found = { starts: starts.slice(0, max), moreFrom: starts[max] ?? null }
  }
  return found && { ...found, otherDayFrom: null }
}
