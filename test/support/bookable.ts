/** A shop that can be booked, by its rows: what a test of bookings begins with. */
import { bookAppointment } from '../../src/appointments/book-appointment.ts'
import type { BookingOutcome, BookingRequest } from '../../src/appointments/booking.ts'
import { transaction } from '../../src/database/transaction.ts'
import type { World } from './service.ts'

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

/** Of a company: what is made is open every day from 09:00 to 17:00 in Riyadh unless told. */
export async function bookableShop(world: Pick<World, 'service'>, companyId: string) {
  const { db, ids, clock } = world.service.context
  const at = { createdAt: clock.now(), updatedAt: clock.now() }
  await db.kysely
    .insertInto('bookingPage')
    .values({
      companyId,
      slug: `shop-${companyId}`,
      isOn: true,
      zone: 'Asia/Riyadh',
      minNoticeMin: 0,
      maxDays: 60,
      cancelUntilMin: 120,
      updatedAt: clock.now(),
    })
    .execute()
  return {
    async resource(kind: 'person' | 'room' = 'person', hours = { fromMin: 540, toMin: 1_020 }) {
      const id = ids.uuid()
      serial += 1
      await transaction(db, async (tx) => {
        await tx
          .insertInto('resource')
          .values({ id, companyId, name: `${kind} ${serial}`, kind, ...at })
          .execute()
        const days = [0, 1, 2, 3, 4, 5, 6]
        await tx
          .insertInto('opening')
          .values(
            days.map((weekday) => ({
              id: ids.uuid(),
              companyId,
              resourceId: id,
              weekday,
              ...hours,
            })),
          )
          .execute()
      })
      return id
    },
    async service(needs: readonly Kept[], shape: ServiceShape = {}) {
      const id = ids.uuid()
      await transaction(db, async (tx) => {
        await tx
          .insertInto('service')
          .values({
            id,
            companyId,
            name: 'Haircut',
            nameAr: 'قص شعر',
            minutes: 30,
            stepMin: 30,
            ...shape,
            ...at,
          })
          .execute()
        await tx
          .insertInto('serviceNeed')
          .values(
            needs.map(({ id: resourceId, role = '' }) => ({
              serviceId: id,
              resourceId,
              role,
              companyId,
            })),
          )
          .execute()
      })
      return id
    },
    book(request: Partial<BookingRequest> & { serviceId: string; startsAt: Date }) {
      return bookAppointment(world.service.context, { ...requestOf(companyId), ...request })
    },
  }
}

export type BookableShop = Awaited<ReturnType<typeof bookableShop>>

/** A request of somebody who is nobody's contact yet, under a key of its own. */
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

/** What was booked. Throws where it was not. */
export function booked(outcome: BookingOutcome) {
  if (outcome.outcome !== 'booked') throw new Error(`not booked: ${outcome.outcome}`)
  return outcome.appointment
}
