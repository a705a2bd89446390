/**
 * The service is killed again and again while many customers book the same hours and cancel. A request without an
 * answer is repeated with its key. At any moment of a kill, one key makes one appointment, no resource is booked
 * twice, and each cancellation and each new contact raises one event.
 *
 * Spec: Appointments › Booking; Appointments › Cancelling; reading A29.
 */
import { expect, test } from 'vitest'
import { insistentMember, openKillableWorld } from '../support/killable-world.ts'
import { appointmentsOf } from '../support/records/appointments.ts'
import type { AppointmentView } from '../../src/contract/dashboard/appointment.ts'
import { DAY_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { bookableShop } from '../support/bookable.ts'
import { signedIn } from '../support/dashboard.ts'
import { howManyKills, killsTakeMs } from '../support/kills.ts'
import { createShop } from '../support/shop.ts'
import { repeatDuring, waitUntil } from '../support/wait.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'

const KILLS = howManyKills({ max: 5 })
/** Answers between two kills. */
const BOOKINGS = 12
const BOOKERS = 6
const PATIENTLY = { withinMs: 60_000, everyMs: 20 }

const { world, serve } = await openKillableWorld()
world.clock.moveTo(new Date().toISOString())
const shop = await createShop(world, { eventTypes: ['ping'] })
const owner = await signedIn(world, { accountId: shop.accountId })
const bookable = await bookableShop(world, shop.companyId)
const [one, two] = [await bookable.resource(), await bookable.resource()]
const room = { id: await bookable.resource('room'), role: 'room' }
const services = [
  await bookable.service([{ id: one }, { id: two }]),
  await bookable.service([{ id: two, role: 'who' }, room]),
  await bookable.service([{ id: one, role: 'who' }, room]),
]
const service = await serve()

const member = insistentMember(service, owner)
const appointments = `/companies/${shop.companyId}/appointments`

test(
  `killed ${KILLS} times while many book and cancel: no double booking, no event raised twice`,
  async () => {
    await service.start()
    const noon = Math.floor(Date.now() / DAY_MS) * DAY_MS + 2 * DAY_MS + 9 * 60 * MINUTE_MS
    let asked = 0
    /** Each key, and the appointment of its answer. */
    const answered = new Map<string, string>()
    const cancelled = new Set<string>()
    let refused = 0
    async function bookOnce() {
      const nth = (asked += 1)
      const key = `a booking with the number ${nth}`
      // Every sixteen bookings share a new day: all of them want its first hours.
      const quarter = (nth % 8) * 15 * MINUTE_MS
      const startsAt = new Date(noon + Math.floor(nth / 16) * DAY_MS + quarter).toISOString()
      const phone = `+9665${String(30_000_000 + nth)}`
      const said = { key, serviceId: services[nth % 3], startsAt, name: `Customer ${nth}`, phone }
      type Booked = AppointmentView & { code?: string }
      const { status, body } = await member.ask<Booked>('POST', appointments, said)
      if (status === 409) {
        expect(body.code).toBe('slot_taken')
        refused += 1
        return
      }
      expect(status).toBe(201)
      answered.set(key, body.id)
      if (nth % 2 === 0) return
      const end = await member.ask('POST', `${appointments}/${body.id}/cancel`, { reason: key })
      expect(end.status).toBe(200)
      cancelled.add(body.id)
    }
    const killAndStart = async () => {
      for (let kill = 0; kill < KILLS; kill += 1) {
        const enough = answered.size + BOOKINGS
        await waitUntil('bookings', () => answered.size >= enough, PATIENTLY)
        await service.kill()
        await service.start()
      }
    }
    const patience = { withinMs: killsTakeMs(KILLS), everyMs: 5, workers: BOOKERS }
    await repeatDuring('bookings', bookOnce, killAndStart, patience)

    const rows = await appointmentsOf(world, { companyId: shop.companyId })
    const byKey = new Map(rows.map((row) => [row.requestKey.replace('member ', ''), row]))
    expect(byKey.size).toBe(rows.length)
    for (const [key, id] of answered) expect(byKey.get(key)!.id).toBe(id)
    expect(answered.size).toBe(rows.length)
    const isSo = ({ id, status }: (typeof rows)[number]) =>
      (status === 'cancelled') === cancelled.has(id)
    expect(rows.filter((row) => !isSo(row))).toEqual([])
    const { rows: counts } = await world.database.db.pool.query<Record<string, number>>(
      `select
        (select count(*)::int from event where type = 'appointment.booked') as booked,
        (select count(*)::int from event where type = 'appointment.cancelled') as cancelled,
        (select count(*)::int from appointment_entry where kind = 'booked') as lines,
        (select count(*)::int from contact) as contacts,
        (select count(*)::int from event where type = 'contact.created') as told,
        (select count(*)::int from appointment_busy a join appointment_busy b using (resource_id)
          where a.appointment_id < b.appointment_id and a.busy && b.busy
            and not a.is_free and not b.is_free) as doubled`,
    )
    const all = rows.length
    const once = { lines: all, contacts: all, told: all }
    expect(counts[0]).toEqual({ booked: 0, cancelled: cancelled.size, ...once, doubled: 0 })
    console.log(
      `${KILLS} kills: ${all} booked, ${cancelled.size} cancelled, ${refused} told that it was taken`,
    )
  },
  killsTakeMs(KILLS) * TIMEOUT_FACTOR,
)
