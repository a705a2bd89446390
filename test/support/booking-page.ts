/** A shop with a booking page: two services, two people, open Sunday to Thursday from 10:00 to 19:00 in Riyadh. */
import type { World } from './test-service.ts'

export type BookingPage = {
  url: string
  slug: string
  /** Done by both people. */
  workshopId: string
  /** Done by one of them. */
  tastingId: string
  saraId: string
  omarId: string
}

export async function addBookingPage(
  world: Pick<World, 'service' | 'url'>,
  { companyId, slug = 'dar-al-bun' }: { companyId: string; slug?: string },
): Promise<BookingPage> {
  const { db, ids, clock } = world.service.context
  const now = clock.now()
  const page = {
    workshopId: ids.uuid(),
    tastingId: ids.uuid(),
    saraId: ids.uuid(),
    omarId: ids.uuid(),
  }
  const times = { createdAt: now, updatedAt: now }
  await db.kysely
    .insertInto('bookingPage')
    .values({
      companyId,
      slug,
      isOn: true,
      zone: 'Asia/Riyadh',
      minNoticeMin: 60,
      maxDays: 60,
      cancelUntilMin: 180,
      name: 'Dar Al Bun',
      nameAr: 'دار البُن',
      intro: 'Coffee is easier in company.',
      introAr: 'القهوة أجمل بصحبة.',
      address: 'Olaya, Riyadh',
      addressAr: 'العليا، الرياض',
      phone: '+966 11 234 5678',
      updatedAt: now,
    })
    .execute()
  const service = { companyId, stepMin: 90, ...times }
  await db.kysely
    .insertInto('service')
    .values([
      {
        id: page.workshopId,
        name: 'Espresso workshop',
        nameAr: 'ورشة الإسبريسو',
        minutes: 90,
        ...service,
      },
      { id: page.tastingId, name: 'Tasting', nameAr: null, minutes: 60, ...service },
    ])
    .execute()
  const resource = { companyId, kind: 'person', ...times }
  await db.kysely
    .insertInto('resource')
    .values([
      { id: page.saraId, name: 'Sara', nameAr: 'سارة', ...resource },
      { id: page.omarId, name: 'Omar', nameAr: 'عمر', ...resource },
    ])
    .execute()
  await db.kysely
    .insertInto('serviceNeed')
    .values([
      { serviceId: page.workshopId, resourceId: page.saraId, companyId },
      { serviceId: page.workshopId, resourceId: page.omarId, companyId },
      { serviceId: page.tastingId, resourceId: page.saraId, companyId },
    ])
    .execute()
  await db.kysely
    .insertInto('opening')
    .values(
      [page.saraId, page.omarId].flatMap((resourceId) =>
        [0, 1, 2, 3, 4].map((weekday) => ({
          id: ids.uuid(),
          companyId,
          resourceId,
          weekday,
          fromMin: 10 * 60,
          toMin: 19 * 60,
        })),
      ),
    )
    .execute()
  return { ...page, slug, url: `${world.url}/b/${slug}` }
}
