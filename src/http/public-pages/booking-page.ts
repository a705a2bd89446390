import { bookAppointment, findBooked } from '../../modules/appointments/book-appointment.ts'
import { findBookingPage } from '../../modules/appointments/load-shop.ts'
import { APPOINTMENT_LIMITS } from '../../core/limits/appointments.ts'
import { HOUR_MS } from '../../core/limits/units.ts'
import { readCompanyCountry } from '../../modules/messaging/read-written-phone.ts'
import { bookingWords } from '../../i18n/pages/booking-words.ts'
import { sayIn } from '../../i18n/write-text.ts'
import { answerPage } from './answer-page.ts'
import { withFreeTimes, readChoice, type Choice } from './booking-choice.ts'
import { writeClosed, writeOffer, writeServices } from './booking-markup.ts'
import { countView } from './count-view.ts'
import { pageRoutes, type PageContext } from './page-env.ts'
import { PageRefusal, requireWorkingShop } from './page-refusal.ts'
import { readBookingForm, type BookingForm } from './read-booking-form.ts'
import { textIn } from '../../rules/text/text-in.ts'
import { shopIn } from './shown-shop.ts'

type Found = NonNullable<Awaited<ReturnType<typeof findBookingPage>>>

/** The size in bytes of the idempotency key of a form, which books once. */
const KEY_BYTES = 16

/**
 * The booking page: service, person, time, then the customer's name and number. Each step is a link, and the last is
 * a form.
 *
 * Spec: Public pages › Booking; Appointments › Booking page.
 */
export const bookingPages = pageRoutes()
  .get('/:slug', async (c) => {
    const found = await find(c)
    if (found.services.length === 0) return answerClosed(c, found, 200)
    const choice = readChoice(c, found.shop, found.services)
    if (choice === null) return answerServices(c, found, 200)
    const notice = choice.isLost ? sayIn(bookingWords, c.var.language)('lost') : null
    return answerOffer(c, found, choice, { typed: null, status: 200, notice })
  })
  .post('/:slug', async (c) => {
    const t = sayIn(bookingWords, c.var.language)
    const fields = await c.var.forms(c)
    const found = await find(c)
    const choice = readChoice(c, found.shop, found.services)
    if (choice === null) return answerLost(c, found)
    const form = readBookingForm(fields, c.var.language, () => c.var.context.ids.token(KEY_BYTES))
    if (choice.isLost) {
      return answerOffer(c, found, choice, { typed: form, status: 409, notice: t('lost') })
    }
    const count = Object.keys(form.wrong).length
    if (count > 0) {
      return answerOffer(c, found, choice, {
        typed: form,
        status: 422,
        notice: t('toFix', { n: count }),
      })
    }
    if (choice.at === null) {
      return answerOffer(c, found, choice, { typed: form, status: 409, notice: null })
    }
    if (!form.isConfirmed) {
      return answerOffer(c, found, choice, { typed: form, status: 200, notice: null })
    }
    const booked = await book(c, found, { ...choice, at: choice.at }, form)
    switch (booked.outcome) {
      case 'booked': {
        const query = new URLSearchParams({ booked: '1' })
        if (c.req.query('lang')) query.set('lang', c.var.language)
        return c.redirect(`/a/${booked.appointment.token}?${query.toString()}`, 303)
      }
      case 'not_bookable':
        return answerLost(c, await find(c))
      case 'slot_taken':
        return answerOffer(c, found, choice, { typed: form, status: 409, notice: null })
      case 'too_many': {
        const notice = t('tooMany', { max: APPOINTMENT_LIMITS.comingOfCustomer })
        return answerOffer(c, found, choice, { typed: form, status: 409, notice })
      }
    }
  })

/**
 * Books the appointment. Only a completed booking counts for the limit of the address: a customer whose time was
 * taken meanwhile may try again.
 */
async function book(
  c: PageContext,
  { shop }: Found,
  choice: Choice & { at: Date },
  form: BookingForm,
) {
  const { context, address, bookings, language } = c.var
  const now = context.clock.now()
  if (!bookings.admit(address, now)) {
    const { companyId } = shop
    const appointment = await findBooked(context, { companyId, requestKey: form.requestKey })
    if (appointment) return { outcome: 'booked' as const, appointment, isNew: false }
    throw new PageRefusal('too_many_bookings', HOUR_MS)
  }
  let isNew = false
  try {
    const booked = await bookAppointment(context, {
      companyId: shop.companyId,
      source: 'booking_page',
      serviceId: choice.service.id,
      resourceId: choice.personId,
      startsAt: choice.at,
      customer: {
        contactId: null,
        conversationId: null,
        name: form.name,
        phone: form.number,
        email: form.email || null,
      },
      language,
      requestKey: form.requestKey,
    })
    isNew = booked.outcome === 'booked' && booked.isNew
    return booked
  } finally {
    if (!isNew) bookings.takeBack(address, now)
  }
}

/**
 * Returns the booking page of the address, and counts a view of it.
 * @throws PageRefusal not_found, also while the page is off; too_many when the views of the page, or of all pages of
 * its account, exceed their limit
 */
async function find(c: PageContext): Promise<Found> {
  const slug = c.req.param('slug')!
  const found = SLUG.test(slug) ? await findBookingPage(c.var.context.db.kysely, slug) : null
  if (found === null) throw new PageRefusal('not_found')
  requireWorkingShop(found.shop)
  countView(c, found.shop)
  return found
}

const SLUG = /^[a-z0-9-]{1,100}$/

function answerServices(c: PageContext, { shop, services }: Found, status: 200 | 409) {
  const { language } = c.var
  return answerPage(c, {
    shop: shopIn(shop, language),
    title: sayIn(bookingWords, language)('title'),
    main: writeServices(c, shop, services),
    status,
  })
}

/** Answers that the service of a form is not available, and offers others. */
const answerLost = (c: PageContext, found: Found) =>
  found.services.length === 0 ? answerClosed(c, found, 409) : answerServices(c, found, 409)

function answerClosed(c: PageContext, { shop }: Found, status: 200 | 409) {
  const { language } = c.var
  return answerPage(c, {
    shop: shopIn(shop, language),
    title: sayIn(bookingWords, language)('closed'),
    main: writeClosed(language, shop),
    status,
  })
}

async function answerOffer(
  c: PageContext,
  { shop, services }: Found,
  choice: Choice,
  {
    typed: given,
    status,
    notice,
  }: { typed: BookingForm | null; status: 200 | 409 | 422; notice: string | null },
) {
  const { context, language } = c.var
  const offer = await withFreeTimes(c, shop, choice)
  const { service } = choice
  const typed = given ?? {
    name: '',
    phone: '',
    email: '',
    country: offer.at && (await readCompanyCountry(context.db.kysely, shop.companyId)),
    number: null,
    isConfirmed: false,
    requestKey: context.ids.token(KEY_BYTES),
    wrong: {},
  }
  return answerPage(c, {
    shop: shopIn(shop, language),
    title: textIn(language, service.name, service.nameAr),
    main: writeOffer(c, { shop, offer, notice, isOneOfMany: services.length > 1, typed }),
    status,
  })
}
