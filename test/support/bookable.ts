/** A shop that can be booked, written straight into the tables: the starting point of tests of bookings. */
import { bookAppointment } from '../../src/modules/appointments/book-appointment.ts'
import type { BookingOutcome, BookingRequest } from '../../src/modules/appointments/booking.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { DAY_MS, HOUR_MS } from '../../src/core/limits/units.ts'
import { addBookingPage, putBookingPage } from './records/appointments.ts'
import { add, insert, within } from './records/records.ts'
import type { World } from './test-service.ts'

type Kept = { id: string; role?: string }
export type ServiceShape = {
  name?: string
  nameAr?: string
  minutes?: number
  beforeMin?: number
  afterMin?: number
  stepMin?: number
  isOn?: boolean
}

let serial = 0

/**
 * Returns functions that add services and resources to a company. By default they are open every day from 09:00
 * to 17:00 in Riyadh.
 */
export async function bookableShop(world: Pick<World, 'service'>, companyId: string) {
  const { db, clock } = world.service.context
  const at = { createdAt: clock.now(), updatedAt: clock.now() }
  const midnight = Math.floor(clock.now().getTime() / DAY_MS) * DAY_MS
  let day = 0
  await addBookingPage(world, { companyId }, `shop-${companyId}`)
  await putBookingPage(world, { companyId }, { zone: 'Asia/Riyadh', minNoticeMin: 0 })
  return {
    async resource(kind: 'person' | 'room' = 'person', hours = { fromMin: 540, toMin: 1_020 }) {
      serial += 1
      return transaction(db, async (tx) => {
        const rows = within(world, tx)
        const resource = { companyId, name: `${kind} ${serial}`, kind, ...at }
        const resourceId = await add(rows, 'resource', resource)
        for (const weekday of [0, 1, 2, 3, 4, 5, 6]) {
          await add(rows, 'opening', { companyId, resourceId, weekday, ...hours })
        }
        return resourceId
      })
    },
    /** Returns 10:00 in Riyadh on a day that no earlier call returned. */
    aTime() {
      day += 1
      return new Date(midnight + day * DAY_MS + 7 * HOUR_MS)
    },
    /** Adds a service with a new resource that no other service uses. */
    async ownService(shape: ServiceShape = {}) {
      return this.service([{ id: await this.resource() }], shape)
    },
    async everyPair(count: number) {
      const several = (kind: 'person' | 'room') =>
        Promise.all(Array.from({ length: count }, () => this.resource(kind)))
      const [people, rooms] = [await several('person'), await several('room')]
      const services: string[] = []
      for (const id of people) {
        for (const room of rooms) {
          services.push(
            await this.service([
              { id, role: 'doctor' },
              { id: room, role: 'room' },
            ]),
          )
        }
      }
      return services
    },
    async service(needs: readonly Kept[], shape: ServiceShape = {}) {
      return transaction(db, async (tx) => {
        const rows = within(world, tx)
        const haircut = { name: 'Haircut', nameAr: 'قص شعر', minutes: 30, stepMin: 30 }
        const serviceId = await add(rows, 'service', { companyId, ...haircut, ...shape, ...at })
        for (const { id: resourceId, role = '' } of needs) {
          await insert(rows, 'serviceNeed', { serviceId, resourceId, role, companyId })
        }
        return serviceId
      })
    },
    book(request: Partial<BookingRequest> & { serviceId: string; startsAt: Date }) {
      return bookAppointment(world.service.context, { ...requestOf(companyId), ...request })
    },
  }
}

export type BookableShop = Awaited<ReturnType<typeof bookableShop>>

/** Returns a booking request of a customer who is no contact yet, under a new key. */
export function requestOf(companyId: string): Omit<BookingRequest, 'serviceId' | 'startsAt'> {
  serial += 1
  return {
    companyId,
    source: 'booking_page',
    resourceId: null,
    customer: customerOf({ name: 'Sara', phone: `+9665${String(10_000_000 + serial)}` }),
    language: 'ar',
    requestKey: `request-key-${serial}`,
  }
}

export function customerOf(given: Partial<BookingRequest['customer']>): BookingRequest['customer'] {
  return { contactId: null, conversationId: null, name: null, phone: null, email: null, ...given }
}

/**
 * Returns the appointment that was booked.
 * @throws Error when nothing was booked.
 */
export function booked(outcome: BookingOutcome) {
  if (outcome.outcome !== 'booked') throw new Error(`not booked: ${outcome.outcome}`)
  return outcome.appointment
}

export const later = (time: Date, ms: number): Date => new Date(time.getTime() + ms)

/** Returns tomorrow's date by the calendar of Riyadh. */
export function tomorrowOf({ clock }: Pick<World, 'clock'>): string {
  return new Date(clock.now().getTime() + DAY_MS + 3 * HOUR_MS).toISOString().slice(0, 10)
}
