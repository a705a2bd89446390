import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DAY_MS, MINUTE_MS } from '../../core/limits/units.ts'
import { createSlotLister, type SlotInputs } from '../../rules/appointments/slots.ts'
import { instantAt, wallDayAt } from '../../rules/time/zone.ts'

type Range = { from: Date; to: Date }

/** A cache of computed starts by their inputs, least recently used first. */
const cache = new Map<string, readonly number[]>()
const MAX_CACHED = 32

/**
 * Returns the starts of a service in a range, in order. They are computed day by day, with other work in between.
 * Repeated requests with the same inputs use the cached list, without past times.
 *
 * Spec: Appointments › Slots.
 */
export async function offerTimes(facts: SlotInputs, range: Range): Promise<Date[]> {
  const { now, page } = facts
  const today = instantAt(page.zone, wallDayAt(page.zone, now.getTime())).at
  // Inputs that depend on the current time are left out, so that the list is valid for the day.
  const ofDay = { ...facts, page: { ...page, minNoticeMin: 0 }, now: new Date(today) }
  const { service, resources, changes } = facts
  const { minutes, beforeMin, afterMin, stepMin } = service
  const key = createHash('sha256')
    .update(JSON.stringify([minutes, beforeMin, afterMin, stepMin, resources, changes, ofDay.page]))
    .update(JSON.stringify([today, range.from, range.to]))
    .digest('base64')
  const starts = cache.get(key) ?? (await computeStarts(ofDay, range))
  cache.delete(key)
  cache.set(key, starts)
  if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!)
  const earliest = now.getTime() + page.minNoticeMin * MINUTE_MS
  return starts.filter((start) => start >= earliest).map((start) => new Date(start))
}

async function computeStarts(facts: SlotInputs, { from, to }: Range): Promise<number[]> {
  const offer = createSlotLister(facts, { from, to })
  const starts: number[] = []
  for (let at = from.getTime(); at < to.getTime(); at += DAY_MS) {
    await nextTurn()
    const end = Math.min(at + DAY_MS, to.getTime())
    for (const start of offer({ from: new Date(at), to: new Date(end) }))
      starts.push(start.getTime())
  }
  return starts
}
