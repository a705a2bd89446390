import { sql, type Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { BOOKING_DEFAULTS } from '../../core/limits/appointments.ts'

/** A company on its public pages. Texts are the merchant's, `…Ar` for readers of Arabic. */
export type ShopRow = {
  accountId: string
  companyId: string
  name: string | null
  nameAr: string | null
  intro: string | null
  introAr: string | null
  address: string | null
  addressAr: string | null
  phone: string | null
  /** The color of buttons and marks, and of the background: `#rrggbb`. */
  colour: string | null
  background: string | null
  slug: string | null
  /** The reason for which the account does nothing; null while it works. */
  hold: string | null
  isOn: boolean
  zone: string
  minNoticeMin: number
  maxDays: number
  cancelUntilMin: number
}

/** A service on the booking page. */
export type OfferedService = {
  id: string
  name: string
  nameAr: string | null
  minutes: number
  /** The people among which a customer may choose. */
  people: { id: string; name: string; nameAr: string | null }[]
}

/** Loads what the public pages show of a company: name, zone, texts and colours. */
export async function loadShop(
  db: Kysely<DB>,
  { companyId }: { companyId: string },
): Promise<ShopRow> {
  const { rows } = await sql<ShopRow>`
    select ${SHOP} from company left join booking_page as page on page.company_id = company.id
    where company.id = ${companyId}`.execute(db)
  return rows[0]!
}

/**
 * Finds the booking page with this address and its bookable services, in one statement. Returns null when there is
 * none or it is off.
 * Spec: Appointments › Booking page.
 */
export async function findBookingPage(
  db: Kysely<DB>,
  slug: string,
): Promise<{ shop: ShopRow; services: OfferedService[] } | null> {
  const { rows } = await sql<ShopRow & { services: OfferedService[] }>`
    select ${SHOP}, coalesce((
      select json_agg(json_build_object('id', service.id, 'name', service.name,
        'nameAr', service.name_ar, 'minutes', service.minutes, 'people', need.people)
        order by service.id)
      from service cross join lateral (
        select count(*) as resources,
          coalesce(json_agg(json_build_object('id', resource.id, 'name', resource.name,
            'nameAr', resource.name_ar) order by resource.id)
            filter (where resource.kind = 'person'), '[]') as people
        from service_need join resource on resource.id = service_need.resource_id
        where service_need.service_id = service.id and resource.is_on
          and resource.deleted_at is null
      ) as need
      where service.company_id = company.id and service.is_on and service.deleted_at is null
        and need.resources > 0
    ), '[]') as services
    from booking_page as page join company on company.id = page.company_id
    where page.slug = ${slug} and page.is_on`.execute(db)
  const [row] = rows
  if (!row) return null
  const { services, ...shop } = row
  return { shop, services }
}

const SHOP = sql`company.id as company_id, company.account_id,
  (select hold from account where account.id = company.account_id) as hold, coalesce(page.name, company.name) as name, page.name_ar,
  page.intro, page.intro_ar, page.address, page.address_ar, page.phone, page.colour,
  page.background, page.slug, coalesce(page.is_on, false) as is_on,
  coalesce(page.zone, company.time_zone) as zone,
  coalesce(page.min_notice_min, ${sql.lit(BOOKING_DEFAULTS.minNoticeMin)}) as min_notice_min,
  coalesce(page.max_days, ${sql.lit(BOOKING_DEFAULTS.maxDays)}) as max_days,
  coalesce(page.cancel_until_min, ${sql.lit(BOOKING_DEFAULTS.cancelUntilMin)}) as cancel_until_min`
