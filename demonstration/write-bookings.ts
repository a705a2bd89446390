/** Bookable services of the demonstration's shop, with resources, hours and the booking page. */
import type { Transaction } from 'kysely'
import type { DB } from '../src/infra/database/tables.ts'
import type { Ids } from '../src/core/ids.ts'
import { BOOKING_DEFAULTS } from '../src/core/limits/appointments.ts'

const BOOKING_SLUG = 'demonstration'

const PEOPLE = [
  { id: 'de300000-0000-4000-8000-000000000031', name: 'Huda', nameAr: 'هدى' },
  { id: 'de300000-0000-4000-8000-000000000032', name: 'Yasser', nameAr: 'ياسر' },
] as const

const SERVICES = [
  {
    id: 'de300000-0000-4000-8000-000000000033',
    name: 'Visit to the showroom',
    nameAr: 'زيارة المعرض',
    minutes: 30,
    afterMin: 0,
    stepMin: 30,
  },
  {
    id: 'de300000-0000-4000-8000-000000000034',
    name: 'Measuring at home',
    nameAr: 'أخذ المقاسات في المنزل',
    minutes: 60,
    afterMin: 60,
    stepMin: 60,
  },
] as const

/** The people who can do each service: both show the sofas, and one measures. */
const NEEDS = [
  { serviceId: SERVICES[0].id, resourceId: PEOPLE[0].id },
  { serviceId: SERVICES[0].id, resourceId: PEOPLE[1].id },
  { serviceId: SERVICES[1].id, resourceId: PEOPLE[1].id },
]

/** The opening hours of the shop: Sunday to Thursday, 9:00 to 18:00. */
const DAYS = [0, 1, 2, 3, 4]
const FROM_MIN = 9 * 60
const TO_MIN = 18 * 60

/** Writes the services, resources, opening hours and the booking page. */
export async function writeBookings(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  companyId: string,
): Promise<void> {
  const times = { createdAt: now, updatedAt: now }
  await tx
    .insertInto('resource')
    .values(PEOPLE.map((person) => ({ ...person, companyId, kind: 'person', ...times })))
    .execute()
  await tx
    .insertInto('opening')
    .values(
      PEOPLE.flatMap(({ id: resourceId }) =>
        DAYS.map((weekday) => ({
          id: ids.uuid(),
          companyId,
          resourceId,
          weekday,
          fromMin: FROM_MIN,
          toMin: TO_MIN,
        })),
      ),
    )
    .execute()
  await tx
    .insertInto('service')
    .values(SERVICES.map((service) => ({ ...service, companyId, ...times })))
    .execute()
  await tx
    .insertInto('serviceNeed')
    .values(NEEDS.map((need) => ({ ...need, companyId })))
    .execute()
  await tx
    .insertInto('bookingPage')
    .values({
      companyId,
      ...BOOKING_DEFAULTS,
      slug: await freeSlug(tx, ids),
      isOn: true,
      nameAr: 'متجر التجربة',
      intro: 'See our sofas, or let us measure at your home.',
      introAr: 'شاهد الكنب في معرضنا، أو احجز زيارة لأخذ المقاسات في منزلك.',
      address: 'Olaya Street, Riyadh',
      addressAr: 'شارع العليا، الرياض',
      colour: '#0f766e',
      updatedAt: now,
    })
    .execute()
}

/** Returns a free slug, because another company may have the usual one on a service that is in use. */
async function freeSlug(tx: Transaction<DB>, ids: Ids): Promise<string> {
  const taken = await tx
    .selectFrom('bookingPage')
    .select('slug')
    .where('slug', '=', BOOKING_SLUG)
    .executeTakeFirst()
  return taken ? `${BOOKING_SLUG}-${ids.uuid().slice(-12)}` : BOOKING_SLUG
}
