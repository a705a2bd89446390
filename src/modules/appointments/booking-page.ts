/** The settings of bookings and of the booking page. Spec: Appointments › Booking page. */
import type { Kysely, Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { BookingPageView, EditBookingPage } from '../../contract/dashboard/booking-setup.ts'
import { isUniqueViolation } from '../../infra/database/is-unique-violation.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { BOOKING_DEFAULTS } from '../../core/limits/appointments.ts'
import { readTemplatesToSend } from '../messaging/read-templates-to-send.sql.ts'
import { wrongField } from '../../core/service-error.ts'
import { fillNotice } from './notice-template.ts'
import { canBookAny } from './services.ts'
import { changeHours } from './outside-hours.ts'

type Settings = Omit<BookingPageView, 'url'>

/** Returns the settings of a company's public booking page, or the defaults while none were saved. */
export async function showBookingPage(
  { db }: Pick<Context, 'db'>,
  { companyId, publicUrl }: { companyId: string; publicUrl: string },
): Promise<BookingPageView> {
  return view(await readSettings(db.kysely, companyId), publicUrl)
}

/**
 * Changes the given settings of the booking page. The page requires a bookable service and an address that is unique
 * among all companies.
 * @throws invalid
 */
export async function editBookingPage(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, publicUrl, ...input }: EditBookingPage & { companyId: string; publicUrl: string },
): Promise<BookingPageView> {
  try {
    return await auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
      await lockCompany(tx, actor, companyId)
      const before = await readSettings(tx, companyId)
      const changed = Object.fromEntries(
        Object.entries(input).filter(([, value]) => value !== undefined),
      ) as Partial<Settings>
      const after: Settings = { ...before, ...changed }
      if (after.isOn && after.slug === null) throw wrongField('slug', fact('page_needs_slug'))
      if (after.isOn && !before.isOn && !(await canBookAny(tx, companyId))) {
        throw wrongField('isOn', fact('page_needs_service'))
      }
      await requireNoticeTemplate(tx, companyId, after)
      const row = { ...after, updatedAt: now }
      const write = () =>
        tx
          .insertInto('bookingPage')
          .values({ companyId, ...row })
          .onConflict((on) => on.column('companyId').doUpdateSet(row))
          .execute()
      const scope = { ids, accountId: actor.accountId, companyId, now }
      await (after.zone === before.zone ? write() : changeHours(tx, scope, write))
      await audit('booking_page.edited', { id: companyId, companyId }, changed)
      return view(after, publicUrl)
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'booking_page_slug_key')) throw error
    throw wrongField('slug', fact('slug_taken'))
  }
}

/**
 * Checks the template of notices. @throws invalid when the company cannot send it, or it has more variables than
 * there are values
 */
async function requireNoticeTemplate(
  tx: Transaction<DB>,
  companyId: string,
  { noticeChannelId: channelId, noticeTemplate: name }: Settings,
): Promise<void> {
  if (name === null) return
  const channel = await tx
    .selectFrom('channel')
    .select('id')
    .where('id', '=', channelId)
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow(() => wrongField('noticeChannelId', fact('unknown_channel')))
  const versions = await readTemplatesToSend(tx, [{ channelId: channel.id, name }])
  const filled = fillNotice(name, versions, SOME_VALUES, { language: 'ar', messageId: '' })
  if (!filled.ok) throw wrongField('noticeTemplate', filled.why)
}

const SOME_VALUES = { what: '-', service: '-', time: '-', reference: '-', shop: '-', linkEnd: '-' }

async function readSettings(db: Kysely<DB>, companyId: string): Promise<Settings> {
  const row = await db
    .selectFrom('bookingPage')
    .select(['slug', 'isOn', 'zone', 'minNoticeMin', 'maxDays', 'cancelUntilMin'])
    .select(['name', 'nameAr', 'intro', 'introAr', 'address', 'addressAr', 'phone'])
    .select(['colour', 'background', 'noticeChannelId', 'noticeTemplate'])
    .where('companyId', '=', companyId)
    .executeTakeFirst()
  return row ?? DEFAULTS
}

const DEFAULTS: Settings = {
  slug: null,
  isOn: false,
  zone: null,
  ...BOOKING_DEFAULTS,
  name: null,
  nameAr: null,
  intro: null,
  introAr: null,
  address: null,
  addressAr: null,
  phone: null,
  colour: null,
  background: null,
  noticeChannelId: null,
  noticeTemplate: null,
}

function view(settings: Settings, publicUrl: string): BookingPageView {
  const url = settings.slug === null ? null : `${publicUrl}/b/${settings.slug}`
  return { ...settings, url }
}
