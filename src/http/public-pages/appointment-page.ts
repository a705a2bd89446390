import { html } from 'hono/html'
import { cancelAppointment } from '../../appointments/cancel-appointment.ts'
import { findByToken, type CustomersAppointment } from '../../appointments/find-by-token.ts'
import { loadShop, type ShopRow } from '../../appointments/load-shop.ts'
import { writeCalendar } from '../../rules/appointments/calendar-text.ts'
import { wallDayAt } from '../../rules/time/zone.ts'
import type { Language } from '../../vocabulary/hooks.ts'
import { PAGE_WORDS } from '../../words/page-words.ts'
import { answerPage } from './answer-page.ts'
import { dayInWords, timeOf, zoneInWords } from './page-dates.ts'
import { pageRoutes, type PageContext } from './page-env.ts'
import type { Markup } from './page-frame.ts'
import { PageRefusal } from './page-refusal.ts'
import { writeCall } from './shop-markup.ts'
import { named, shopIn } from './shown-shop.ts'

type Found = { appointment: CustomersAppointment; shop: ShopRow }

/**
 * A customer sees their appointment by its secret link, and cancels it there until the shop's time for that.
 * It is never moved there.
 *
 * Spec: Public pages › One appointment; Appointments › The customer's link.
 */
export const appointmentPages = pageRoutes()
  .get('/:token', async (c) => {
    const found = await find(c)
    const isAsked = c.req.query('cancel') !== undefined && found.appointment.canBeCancelled
    if (isAsked) return answerQuestion(c, found)
    return answerAppointment(c, found, 200)
  })
  .get('/:token/appointment.ics', async (c) => {
    const { appointment, shop } = await find(c)
    c.header('content-type', 'text/calendar; charset=utf-8')
    c.header('content-disposition', 'attachment; filename="appointment.ics"')
    c.header('content-security-policy', "sandbox; default-src 'none'")
    return c.body(writeCalendarFile(c.var.language, { appointment, shop }))
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

/** @throws PageRefusal not_found: the same for every token that opens nothing */
async function find(c: PageContext): Promise<Found> {
  const { context } = c.var
  const appointment = await findByToken(context, c.req.param('token')!)
  if (appointment === null) throw new PageRefusal('not_found')
  return { appointment, shop: await loadShop(context.db.kysely, appointment) }
}

function answerAppointment(c: PageContext, found: Found, status: 200 | 409) {
  const { language } = c.var
  const words = PAGE_WORDS[language].appointment
  const { appointment, shop } = found
  const isNew = c.req.query('booked') !== undefined && appointment.status === 'confirmed'
  const titles = {
    confirmed: isNew ? words.booked : words.title,
    cancelled: words.cancelled,
    completed: words.over,
    no_show: words.over,
  }
  const title = titles[appointment.status]
  return answerPage(c, {
    shop: shopIn(shop, language),
    title,
    main: html`<h1>${title}</h1>
      ${appointment.status === 'cancelled' ? html`<p class="lead">${words.cancelledText}</p>` : ''}
      ${writeFacts(language, found)} ${writeActs(c, found)}`,
    status,
  })
}

function writeFacts(language: Language, { appointment, shop }: Found): Markup {
  const words = PAGE_WORDS[language].appointment
  const people = appointment.resources.map(({ name, nameAr }) => named(language, name, nameAr))
  const where = named(language, shop.address, shop.addressAr)
  const facts: [string, string | null][] = [
    [words.what, named(language, appointment.serviceName, appointment.serviceNameAr)],
    [words.when, whenOf(language, appointment)],
    [words.with, people.join(language === 'ar' ? '، ' : ', ') || null],
    [words.where, where],
    [words.reference, appointment.reference],
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
  const { appointment: words } = PAGE_WORDS[language]
  const service = named(language, appointment.serviceName, appointment.serviceNameAr)
  const { name, address } = shopIn(shop, language)
  return writeCalendar(name, [
    {
      id,
      version,
      changedAt: updatedAt,
      startsAt,
      endsAt,
      summary: words.ofShop(service, name),
      location: address,
      description: [words.withReference(reference)],
      isCancelled: status === 'cancelled',
    },
  ])
}

/** What can still be done, one thing after the other. */
function writeActs(c: PageContext, { appointment, shop }: Found): Markup {
  const { language } = c.var
  const words = PAGE_WORDS[language].appointment
  const { status, canBeCancelled, startsAt } = appointment
  if (status !== 'confirmed') return html`${writeBookAnew(c, shop)} ${writeCall(language, shop)}`
  if (startsAt <= c.var.context.clock.now()) {
    return html`<p class="after">${words.begun}</p>
      ${writeCall(language, shop)}`
  }
  const calendar = html`<a class="button" href="${calendarHref(c)}">${words.calendar}</a>`
  if (!canBeCancelled) {
    return html`${calendar}
      <p class="after">${words.tooLate}</p>
      ${writeCall(language, shop)}`
  }
  return html`${calendar}
    <a class="button" href="${hrefOf(c, { cancel: '1' })}">${words.cancel}</a>
    <p class="small after">
      ${words.cancelUntil(momentOf(language, appointment.zone, appointment.cancelUntil))}
    </p>`
}

function writeBookAnew(c: PageContext, { slug, isOn }: ShopRow): Markup | '' {
  if (slug === null || !isOn) return ''
  const { bookAnew } = PAGE_WORDS[c.var.language].appointment
  return html`<a class="button" href="/b/${slug}${hrefOf(c, {})}">${bookAnew}</a>`
}

function answerQuestion(c: PageContext, { appointment, shop }: Found) {
  const { language } = c.var
  const words = PAGE_WORDS[language].appointment
  const when = momentOf(language, appointment.zone, appointment.startsAt)
  return answerPage(c, {
    shop: shopIn(shop, language),
    title: words.cancel,
    main: html`<h1>${words.sure(when)}</h1>
      <p class="lead">${words.sureText}</p>
      <form method="post" action="${hrefOf(c, {})}"><button>${words.sureAct}</button></form>
      <a class="button" href="${hrefOf(c, {})}">${words.keep}</a>`,
  })
}

function whenOf(language: Language, { zone, startsAt, endsAt }: CustomersAppointment): string {
  return PAGE_WORDS[language].appointment.span(
    dayOf(language, zone, startsAt),
    timeOf(zone, startsAt),
    timeOf(zone, endsAt),
    zoneInWords(language, zone, startsAt),
  )
}

const dayOf = (language: Language, zone: string, at: Date) =>
  dayInWords(language, wallDayAt(zone, at.getTime()))

const momentOf = (language: Language, zone: string, at: Date) =>
  PAGE_WORDS[language].booking.dayAndTime(dayOf(language, zone, at), timeOf(zone, at))

/** This page again; only who chose a language by hand has it in the address. */
function hrefOf(c: PageContext, query: Record<string, string>): string {
  const asked = new URLSearchParams(query)
  if (c.req.query('lang')) asked.set('lang', c.var.language)
  return `?${asked.toString()}`
}

const calendarHref = (c: PageContext) => `${c.req.param('token')}/appointment.ics${hrefOf(c, {})}`
