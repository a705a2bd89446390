import { html } from 'hono/html'
import { cancelAppointment } from '../../modules/appointments/cancel-appointment.ts'
import { findByToken, type CustomersAppointment } from '../../modules/appointments/find-by-token.ts'
import { loadShop, type ShopRow } from '../../modules/appointments/load-shop.ts'
import { moveByCustomer, type MoveOutcome } from '../../modules/appointments/move-by-customer.ts'
import { HOUR_MS } from '../../core/limits/units.ts'
import { writeCalendar } from '../../rules/appointments/calendar-text.ts'
import { wallDayAt } from '../../rules/time/zone.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import { appointmentWords } from '../../i18n/pages/appointment-words.ts'
import { bookingWords } from '../../i18n/pages/booking-words.ts'
import { sayIn } from '../../i18n/write-text.ts'
import { COMMA } from '../../core/words/comma.ts'
import type { Say } from '../../core/words/define-words.ts'
import { answerPage } from './answer-page.ts'
import {
  hrefOf as hrefOfChoice,
  withFreeTimes,
  readMoveChoice,
  type Offer,
} from './booking-choice.ts'
import { writeDays, writeNotice, writeTimes } from './booking-markup.ts'
import { countView } from './count-view.ts'
import { dayInWords, timeOf, weekdayOf, zoneInWords } from './page-dates.ts'
import { pageRoutes, type PageContext } from './page-env.ts'
import type { Markup } from './page-frame.ts'
import { PageRefusal, requireWorkingShop } from './page-refusal.ts'
import { writeCall } from './shop-markup.ts'
import { textIn } from '../../rules/text/text-in.ts'
import { shopIn } from './shown-shop.ts'

type Found = { appointment: CustomersAppointment; shop: ShopRow }

/**
 * The page of one appointment, by its secret link. The customer moves or cancels it there until the shop's time limit.
 *
 * Spec: Public pages › One appointment; Appointments › The customer's link.
 */
export const appointmentPages = pageRoutes()
  .get('/:token', async (c) => {
    const found = await find(c)
    const isToConfirm = c.req.query('cancel') !== undefined && found.appointment.canBeCancelled
    if (isToConfirm) return answerQuestion(c, found)
    return answerAppointment(c, found, 200)
  })
  .get('/:token/appointment.ics', async (c) => {
    const { appointment, shop } = await find(c)
    c.header('content-type', 'text/calendar; charset=utf-8')
    c.header('content-disposition', 'attachment; filename="appointment.ics"')
    c.header('content-security-policy', "sandbox; default-src 'none'")
    return c.body(writeCalendarFile(c.var.language, { appointment, shop }))
  })
  .get('/:token/move', async (c) => {
    const found = await find(c)
    if (!mayBeMoved(found)) return c.redirect(toAppointment(c, {}), 303)
    return answerMove(c, found, 200)
  })
  .post('/:token/move', async (c) => {
    await c.var.forms(c)
    const found = await find(c)
    const at = mayBeMoved(found) ? readMoveChoice(c, found.shop, found.appointment).at : null
    if (at === null) return c.redirect(toAppointment(c, {}), 303)
    const moved = await move(c, found, at)
    if (moved.outcome === 'slot_taken') return answerMove(c, found, 409)
    if (moved.outcome === 'moved') return c.redirect(toAppointment(c, { moved: '1' }), 303)
    return answerAppointment(c, await find(c), 409)
  })
  .post('/:token', async (c) => {
    await c.var.forms(c)
    const { appointment, shop } = await find(c)
    const outcome = await cancelAppointment(c.var.context, {
      companyId: appointment.companyId,
      appointmentId: appointment.id,
      by: 'link',
      reason: null,
      actorId: null,
    })
    if (outcome === 'not_found') throw new PageRefusal('not_found')
    if (outcome === 'cancelled') return c.redirect(hrefOf(c, {}), 303)
    return answerAppointment(c, { appointment, shop }, 409)
  })

/**
 * Returns the appointment of the link and its shop.
 * @throws PageRefusal not_found: the same for every token that opens nothing
 */
async function find(c: PageContext): Promise<Found> {
  const { context } = c.var
  const appointment = await findByToken(context, c.req.param('token')!)
  if (appointment === null) throw new PageRefusal('not_found')
  const shop = await loadShop(context.db.kysely, appointment)
  requireWorkingShop(shop)
  return { appointment, shop }
}

/**
 * Moves the appointment. Only a completed move counts for the limit of the address, as a booking: a customer whose
 * time was taken meanwhile may try again.
 */
async function move(c: PageContext, { appointment }: Found, startsAt: Date): Promise<MoveOutcome> {
  const { context, address, bookings } = c.var
  const now = context.clock.now()
  if (!bookings.admit(address, now)) throw new PageRefusal('too_many_moves', HOUR_MS)
  const { companyId, id: appointmentId } = appointment
  let isNew = false
  try {
    const moved = await moveByCustomer(context, { companyId, appointmentId, startsAt })
    isNew = moved.outcome === 'moved' && moved.isNew
    return moved
  } finally {
    if (!isNew) bookings.takeBack(address, now)
  }
}

/** Returns whether the customer may move the appointment: it can be cancelled, and the shop can be booked. */
const mayBeMoved = ({ appointment, shop }: Found) => appointment.canBeCancelled && shop.isOn

/**
 * Answers with the days and times to which the appointment can be moved.
 * @throws PageRefusal too_many, as on the booking page, whose limits of views count these, too
 */
async function answerMove(c: PageContext, { appointment, shop }: Found, status: 200 | 409) {
  const { language } = c.var
  countView(c, shop)
  const t = sayIn(appointmentWords, language)
  const offer = await withFreeTimes(c, shop, readMoveChoice(c, shop, appointment))
  const now = momentOf(language, appointment.zone, appointment.startsAt)
  return answerPage(c, {
    shop: shopIn(shop, language),
    title: t('move'),
    main: html`<h1>${t('move')}</h1>
      <p class="lead">${t('now', { time: now })}</p>
      ${writeNotice(language, { shop, offer, notice: null })} ${writeDays(c, offer)}
      ${writeTimes(c, shop, offer)}
      ${offer.at === null ? '' : writeMoveForm(c, shop, offer, offer.at)}
      <a class="button" href="${toAppointment(c, {})}">${t('keepTime')}</a>`,
    status,
  })
}

function writeMoveForm(c: PageContext, { zone }: ShopRow, offer: Offer, at: Date): Markup {
  const { language } = c.var
  const day = weekdayOf(language, wallDayAt(zone, at.getTime()), 'long')
  const act = sayIn(appointmentWords, language)('moveAct', { day, time: timeOf(zone, at) })
  return html`<form method="post" action="${hrefOfChoice(c, offer, {})}">
    <div class="stays" id="you"><button>${act}</button></div>
  </form>`
}

function answerAppointment(c: PageContext, found: Found, status: 200 | 409) {
  const { language } = c.var
  const t = sayIn(appointmentWords, language)
  const { appointment, shop } = found
  const titles = {
    confirmed: titleOf(c, t),
    cancelled: t('cancelled'),
    completed: t('over'),
    no_show: t('over'),
  }
  const title = titles[appointment.status]
  return answerPage(c, {
    shop: shopIn(shop, language),
    title,
    main: html`<h1>${title}</h1>
      ${appointment.status === 'cancelled' ? html`<p class="lead">${t('cancelledText')}</p>` : ''}
      ${writeFacts(language, found)} ${writeActions(c, found)}`,
    status,
  })
}

/** Returns the title, which reports the action that was just completed, if any. */
function titleOf(c: PageContext, t: Say<typeof appointmentWords.en>): string {
  if (c.req.query('booked') !== undefined) return t('booked')
  return c.req.query('moved') === undefined ? t('title') : t('moved')
}

function writeFacts(language: Language, { appointment, shop }: Found): Markup {
  const t = sayIn(appointmentWords, language)
  const people = appointment.resources.map(({ name, nameAr }) => textIn(language, name, nameAr))
  const where = textIn(language, shop.address, shop.addressAr)
  const facts: [string, string | null][] = [
    [t('what'), textIn(language, appointment.serviceName, appointment.serviceNameAr)],
    [t('when'), whenOf(language, appointment)],
    [t('with'), people.join(COMMA[language]) || null],
    [t('where'), where],
    [t('reference'), appointment.reference],
  ]
  const rows = facts
    .filter(([, value]) => value !== null)
    .map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd><bdi>${value}</bdi></dd>
        </div>`,
    )
  return html`<dl>${rows}</dl>`
}

function writeCalendarFile(language: Language, { appointment, shop }: Found): string {
  const { id, version, updatedAt, startsAt, endsAt, status, reference } = appointment
  const t = sayIn(appointmentWords, language)
  const service = textIn(language, appointment.serviceName, appointment.serviceNameAr)
  const { name, address } = shopIn(shop, language)
  return writeCalendar(name, [
    {
      id,
      version,
      changedAt: updatedAt,
      startsAt,
      endsAt,
      summary: t('ofShop', { service, shop: name }),
      location: address,
      description: [t('withReference', { reference })],
      isCancelled: status === 'cancelled',
    },
  ])
}

/** Returns the actions that are still possible, one after the other. */
function writeActions(c: PageContext, { appointment, shop }: Found): Markup {
  const { language } = c.var
  const t = sayIn(appointmentWords, language)
  const { status, canBeCancelled, startsAt } = appointment
  if (status !== 'confirmed') return html`${writeBookAgain(c, shop)} ${writeCall(language, shop)}`
  if (startsAt <= c.var.context.clock.now()) {
    return html`<p class="after">${t('begun')}</p>
      ${writeCall(language, shop)}`
  }
  const calendar = html`<a class="button" href="${calendarHref(c)}">${t('calendar')}</a>`
  if (!canBeCancelled) {
    return html`${calendar}
      <p class="after">${t('tooLate')}</p>
      ${writeCall(language, shop)}`
  }
  const until = momentOf(language, appointment.zone, appointment.cancelUntil)
  const isMovable = mayBeMoved({ appointment, shop })
  const toMove = html`<a class="button" href="${moveHref(c)}">${t('move')}</a>`
  return html`${calendar} ${isMovable ? toMove : ''}
    <a class="button" href="${hrefOf(c, { cancel: '1' })}">${t('cancel')}</a>
    <p class="small after">${t(isMovable ? 'changeUntil' : 'cancelUntil', { time: until })}</p>`
}

function writeBookAgain(c: PageContext, { slug, isOn }: ShopRow): Markup | '' {
  if (slug === null || !isOn) return ''
  const t = sayIn(appointmentWords, c.var.language)
  return html`<a class="button" href="/b/${slug}${hrefOf(c, {})}">${t('bookAgain')}</a>`
}

/** Answers with the question whether to cancel. */
function answerQuestion(c: PageContext, { appointment, shop }: Found) {
  const { language } = c.var
  const t = sayIn(appointmentWords, language)
  const when = momentOf(language, appointment.zone, appointment.startsAt)
  return answerPage(c, {
    shop: shopIn(shop, language),
    title: t('cancel'),
    main: html`<h1>${t('sure', { time: when })}</h1>
      <p class="lead">${t('sureText')}</p>
      <form method="post" action="${hrefOf(c, {})}"><button>${t('sureAct')}</button></form>
      <a class="button" href="${hrefOf(c, {})}">${t('keep')}</a>`,
  })
}

function whenOf(language: Language, { zone, startsAt, endsAt }: CustomersAppointment): string {
  return sayIn(appointmentWords, language)('span', {
    day: dayOf(language, zone, startsAt),
    from: timeOf(zone, startsAt),
    to: timeOf(zone, endsAt),
    zone: zoneInWords(language, zone, startsAt),
  })
}

const dayOf = (language: Language, zone: string, at: Date) =>
  dayInWords(language, wallDayAt(zone, at.getTime()))

const momentOf = (language: Language, zone: string, at: Date) =>
  sayIn(bookingWords, language)('dayAndTime', {
    day: dayOf(language, zone, at),
    time: timeOf(zone, at),
  })

/** Returns the address of this page. The language is part of it only when the customer chose one explicitly. */
function hrefOf(c: PageContext, query: Record<string, string>): string {
  const params = new URLSearchParams(query)
  if (c.req.query('lang')) params.set('lang', c.var.language)
  return `?${params.toString()}`
}

/** Returns the address of the appointment's page, from any page below it. */
const toAppointment = (c: PageContext, query: Record<string, string>) =>
  `/a/${c.req.param('token')}${hrefOf(c, query)}`

const moveHref = (c: PageContext) => `${c.req.param('token')}/move${hrefOf(c, {})}`
const calendarHref = (c: PageContext) => `${c.req.param('token')}/appointment.ics${hrefOf(c, {})}`
