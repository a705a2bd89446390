import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DAY_MS, MINUTE_MS } from '../../core/limits/units.ts'
import { createOffer, type SlotInputs } from '../../rules/appointments/slots.ts'
import { instantAt, wallDayAt } from '../../rules/time/zone.ts'

type Range = { from: Date; to: Date }

/** Lists of starts that were worked out last, by what they follow from; the one that was asked for last is the last. */
const remembered = new Map<string, readonly number[]>()
const MOST_REMEMBERED = 32

/**
 * Returns the starts of a service in a range, in order. They are worked out day by day, and whatever else the process has
 * to do comes in between. Who asks again while nothing has changed is given the same list, without what has passed.
 *
 * Spec: Appointments › Slots.
 */
export async function offerTimes(facts: SlotInputs, range: Range): Promise<Date[]> {
  const { now, page } = facts
  const today = instantAt(page.zone, wallDayAt(page.zone, now.getTime())).at
  // What hangs on the moment itself is left out, so that the list holds for the whole day.
  const ofDay = { ...facts, page: { ...page, minNoticeMin: 0 }, now: new Date(today) }
  const { service, resources, changes } = facts
  const { minutes, beforeMin, afterMin, stepMin } = service
  const key = createHash('sha256')
    .update(JSON.stringify([minutes, beforeMin, afterMin, stepMin, resources, changes, ofDay.page]))
    .update(JSON.stringify([today, range.from, range.to]))
    .digest('base64')
  const starts = remembered.get(key) ?? (await workOut(ofDay, range))
  remembered.delete(key)
  remembered.set(key, starts)
  if (remembered.size > MOST_REMEMBERED) remembered.delete(remembered.keys().next().value!)
  const earliest = now.getTime() + page.minNoticeMin * MINUTE_MS
  return starts.filter((start) => start >= earliest).map((start) => new Date(start))
}

async function workOut(facts: SlotInputs, { from, to }: Range): Promise<number[]> {
  const offer = createOffer(facts, { from, to })
  const starts: number[] = []
  for (let at = from.getTime(); at < to.getTime(); at += DAY_MS) {
    await nextTurn()
    const end = Math.min(at + DAY_MS, to.getTime())
    for (const start of offer({ from: new Date(at), to: new Date(end) }))
      starts.push(start.getTime())
  }
  return starts
}
