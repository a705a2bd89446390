/** A shop with a booking page: two services, two people, open Sunday to Thursday from 10:00 to 19:00 in Riyadh. */
import { add, insert } from './records/records.ts'
import type { World } from './test-service.ts'

const SHOP = {
  name: 'Dar Al Bun',
  nameAr: 'دار البُن',
  intro: 'Coffee is easier in company.',
  introAr: 'القهوة أجمل بصحبة.',
  address: 'Olaya, Riyadh',
  addressAr: 'العليا، الرياض',
  phone: '+966 11 234 5678',
}

export type BookingPage = Awaited<ReturnType<typeof addBookingPage>>

export async function addBookingPage(
  world: Pick<World, 'service' | 'url'>,
  { companyId, slug = 'dar-al-bun' }: { companyId: string; slug?: string },
) {
  const now = world.service.context.clock.now()
  const times = { companyId, createdAt: now, updatedAt: now }
  const limits = { zone: 'Asia/Riyadh', minNoticeMin: 60, maxDays: 60, cancelUntilMin: 180 }
  const page = { companyId, slug, isOn: true, ...limits, ...SHOP, updatedAt: now }
  await insert(world, 'bookingPage', page)
  const addService = (name: string, nameAr: string | null, minutes: number) =>
    add(world, 'service', { name, nameAr, minutes, stepMin: 90, ...times })
  const addPerson = async (name: string, nameAr: string) => {
    const resourceId = await add(world, 'resource', { name, nameAr, kind: 'person', ...times })
    for (const weekday of [0, 1, 2, 3, 4]) {
      const hours = { weekday, fromMin: 10 * 60, toMin: 19 * 60 }
      await add(world, 'opening', { companyId, resourceId, ...hours })
    }
    return resourceId
  }
  /** Both people offer this service. */
  const workshopId = await addService('Espresso workshop', 'ورشة الإسبريسو', 90)
  /** Only one of them offers this service. */
  const tastingId = await addService('Tasting', null, 60)
  const saraId = await addPerson('Sara', 'سارة')
  const omarId = await addPerson('Omar', 'عمر')
  await insert(
    world,
    'serviceNeed',
    { serviceId: workshopId, resourceId: saraId, companyId },
    { serviceId: workshopId, resourceId: omarId, companyId },
    { serviceId: tastingId, resourceId: saraId, companyId },
  )
  return { workshopId, tastingId, saraId, omarId, slug, url: `${world.url}/b/${slug}` }
}
