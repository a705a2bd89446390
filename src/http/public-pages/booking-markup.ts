/** The steps of the booking page, as a customer sees them. */
import { html } from 'hono/html'
import type { OfferedService, ShopRow } from '../../modules/appointments/load-shop.ts'
import { MINUTE_MS } from '../../core/limits/units.ts'
import { wallDayAt } from '../../rules/time/zone.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import { groupDigits } from '../../rules/messaging/phone-reading.ts'
import { bookingWords } from '../../i18n/pages/booking-words.ts'
import { sayIn } from '../../i18n/write-text.ts'
import type { Say } from '../../core/words/define-words.ts'
import { spanOf } from '../../i18n/span-of.ts'
import { hrefOf, toLaterDays, toEarlierDays, type Offer } from './booking-choice.ts'
import { writeCountryOptions } from './country-options.ts'
import { dayInWords, monthOf, dayOfMonth, timeOf, weekdayOf, zoneInWords } from './page-dates.ts'
import type { PageContext } from './page-env.ts'
import type { Markup } from './page-frame.ts'
import type { BookingForm } from './read-booking-form.ts'
import { writeCall } from './shop-markup.ts'
import { textIn } from '../../rules/text/text-in.ts'

/** Returns the markup of the booking page's first step: the choice of a service. */
export function writeServices(
  c: PageContext,
  shop: ShopRow,
  services: readonly OfferedService[],
): Markup {
  const { language } = c.var
  const t = sayIn(bookingWords, language)
  const cards = services.map(
    (service) =>
      html`<li>
        <a class="card" href="${hrefOf(c, null, { serviceId: service.id })}"
          ><b><bdi>${textIn(language, service.name, service.nameAr)}</bdi></b>
          <span>${t('minutes', spanOf(service.minutes))}</span></a
        >
      </li>`,
  )
  return html`<h1>${t('title')}</h1>
    ${c.req.query('service') ? writeAlert(t('lost')) : ''} ${writeIntro(language, shop)}
    <h2>${t('services')}</h2>
    <ul class="services">
      ${cards}
    </ul>`
}

/** Returns the markup of a booking page that is switched off or has nothing to book. */
export function writeClosed(language: Language, shop: ShopRow): Markup {
  const t = sayIn(bookingWords, language)
  return html`<h1>${t('closed')}</h1>
    <p class="lead">${t('closedText')}</p>
    ${writeCall(language, shop)}`
}

type Shown = {
  shop: ShopRow
  offer: Offer
  /** An error other than a taken time. */
  notice: string | null
  isOneOfMany: boolean
  /** The values of the form. */
  typed: BookingForm
}

/** Returns the markup of the days and free times of a service, with the booking form once a time is chosen. */
export function writeOffer(c: PageContext, shown: Shown): Markup {
  const { language } = c.var
  const { shop, offer, isOneOfMany } = shown
  const { service } = offer
  const t = sayIn(bookingWords, language)
  const others = html`<p><a href="${hrefOf(c, null, {})}">${t('otherServices')}</a></p>`
  return html`<h1><bdi>${textIn(language, service.name, service.nameAr)}</bdi></h1>
    <p class="lead">${t('minutes', spanOf(service.minutes))}</p>
    ${writeNotice(language, shown)} ${isOneOfMany ? others : writeIntro(language, shop)}
    ${writePeople(c, offer)} ${writeDays(c, offer)} ${writeTimes(c, shop, offer)}
    ${offer.at === null ? '' : writeForm(c, shown, offer.at)}`
}

function writeIntro(language: Language, { intro, introAr }: ShopRow): Markup | '' {
  const text = textIn(language, intro, introAr)
  return text === null ? '' : html`<p class="own"><bdi>${text}</bdi></p>`
}

/** Returns the markup of an alert above the form; empty without one. A taken time takes precedence over `notice`. */
export function writeNotice(
  language: Language,
  { shop, offer, notice }: Pick<Shown, 'shop' | 'offer' | 'notice'>,
): Markup | '' {
  const text = offer.isGone ? writeSlotTaken(language, shop, offer) : notice
  return text === null ? '' : writeAlert(text)
}

const writeAlert = (text: string): Markup =>
  html`<div class="notice bad" role="alert"><p>${text}</p></div>`

function writeSlotTaken(language: Language, { zone }: ShopRow, { days }: Offer): string {
  const t = sayIn(bookingWords, language)
  const [first] = [...days.values()][0] ?? []
  if (!first) return t('slotTaken')
  const day = dayInWords(language, wallDayAt(zone, first.getTime()))
  return t('slotTakenUntil', { next: t('dayAndTime', { day, time: timeOf(zone, first) }) })
}

/** Returns the markup of the choice of a person; empty unless the service has several. */
function writePeople(c: PageContext, offer: Offer): Markup | '' {
  const { language } = c.var
  const t = sayIn(bookingWords, language)
  const { people } = offer.service
  if (people.length < 2) return ''
  const anyone = { id: null, label: t('anyone') }
  const choices = people.map(({ id, name, nameAr }) => ({
    id,
    label: textIn(language, name, nameAr),
  }))
  const cards = [anyone, ...choices].map(({ id, label }) =>
    writeCard({
      href: hrefOf(c, offer, { personId: id, at: null }),
      isChosen: id === offer.personId,
      label: html`<bdi>${label}</bdi>`,
    }),
  )
  return writeCards('people', t('with'), 'with', cards)
}

/** Returns the markup of the days to choose from. */
export function writeDays(c: PageContext, offer: Offer): Markup {
  const { language } = c.var
  const t = sayIn(bookingWords, language)
  const months = Map.groupBy(offer.days.keys(), (day) => monthOf(language, day))
  const shown = [...months].map(([month, days], place) =>
    writeCards(
      'days',
      month,
      `days${place}`,
      days.map((day) =>
        writeCard({
          href: hrefOf(c, offer, { day, at: null }, '#times'),
          isChosen: day === offer.day,
          label: html`<span>${weekdayOf(language, day, 'short')}</span> <b>${dayOfMonth(day)}</b>`,
        }),
      ),
    ),
  )
  const [first, last] = [dayInWords(language, offer.from), dayInWords(language, offer.until)]
  const none = html`<h2>${t('days')}</h2>
    <p>${t('noTimes', { first, last })}</p>`
  const earlier = html`<a href="${hrefOf(c, offer, toEarlierDays(offer))}">${t('earlier')}</a>`
  const later = html`<a href="${hrefOf(c, offer, toLaterDays(offer))}">${t('later')}</a>`
  return html`${shown.length === 0 ? none : shown}
    <div class="turn">
      <span>${offer.hasEarlier ? earlier : ''}</span> <span>${offer.hasLater ? later : ''}</span>
    </div>`
}

/** Returns the markup of the free times of the chosen day. */
export function writeTimes(c: PageContext, { zone }: ShopRow, offer: Offer): Markup | '' {
  const { language } = c.var
  if (offer.day === null) return ''
  const times = offer.days.get(offer.day)!
  const t = sayIn(bookingWords, language)
  const cards = times.map((at) =>
    writeCard({
      href: hrefOf(c, offer, { at }, '#you'),
      isChosen: at.getTime() === offer.at?.getTime(),
      label: html`<time datetime="${at.toISOString()}">${timeOf(zone, at)}</time>`,
    }),
  )
  const title = t('times', {
    day: dayInWords(language, offer.day),
    zone: zoneInWords(language, zone, times[0]!),
  })
  return writeCards('times', title, 'times', cards)
}

function writeForm(c: PageContext, { shop, offer, typed }: Shown, at: Date): Markup {
  const { language, context } = c.var
  const t = sayIn(bookingWords, language)
  const { zone, cancelUntilMin } = shop
  const day = weekdayOf(language, wallDayAt(zone, at.getTime()), 'long')
  const isToBeCancelled = at.getTime() - context.clock.now().getTime() > cancelUntilMin * MINUTE_MS
  return html`<form method="post" action="${hrefOf(c, offer, {})}" novalidate>
    <h2 id="you">${t('you')}</h2>
    <input type="hidden" name="key" value="${typed.requestKey}" />
    ${writeField(t, typed, 'name')} ${writeCountry(language, typed)}
    ${writeField(t, typed, 'phone')} ${context.sendMail ? writeField(t, typed, 'email') : ''}
    ${writeQuestion(language, typed)}
    <div class="stays">
      <button>
        ${t(needsConfirmation(typed) ? 'confirm' : 'act', { day, time: timeOf(zone, at) })}
      </button>
      <p class="small">
        ${isToBeCancelled ? t('cancelUntil', spanOf(cancelUntilMin)) : t('notToBeCancelled')}
      </p>
    </div>
  </form>`
}

/** Returns whether the form lacks only the confirmation of its number. */
const needsConfirmation = ({ number, isConfirmed, wrong }: BookingForm): boolean =>
  number !== null && !isConfirmed && Object.keys(wrong).length === 0

/** Returns the question whether a number without country code was read as the customer meant it. */
function writeQuestion(language: Language, typed: BookingForm): Markup | '' {
  const { number, isConfirmed } = typed
  if (number === null || !(isConfirmed || needsConfirmation(typed))) return ''
  const field = html`<input type="hidden" name="confirmed" value="${number}" />`
  if (isConfirmed) return field
  const t = sayIn(bookingWords, language)
  return html`${field}
    <div class="notice after" role="group" aria-labelledby="question" tabindex="-1" autofocus>
      <p id="question"><b>${t('isIt', { number: groupDigits(number) })}</b></p>
      <p>${t('isItWhy')}</p>
    </div>`
}

function writeCountry(language: Language, { country, wrong }: BookingForm): Markup {
  const t = sayIn(bookingWords, language)
  const isFirst = wrong.name === undefined
  return html`<div class="field">
    <label for="country">${t('country')}</label>
    <select
      id="country"
      name="country"
      autocomplete="country"
      ${wrong.country ? html`aria-invalid="true" aria-describedby="country-said"` : ''}
      ${wrong.country && isFirst ? html`autofocus` : ''}
    >
      ${writeCountryOptions(language, country, t('countryUnchosen'))}
    </select>
    ${wrong.country ? html`<p id="country-said" class="wrong">${wrong.country}</p>` : ''}
  </div>`
}

/** The input attributes of each field. */
const FIELDS = {
  name: { type: 'text', autocomplete: 'name', dir: 'auto', max: 200, help: null },
  phone: { type: 'tel', autocomplete: 'tel', dir: 'ltr', max: 40, help: 'phoneHelp' },
  email: { type: 'email', autocomplete: 'email', dir: 'ltr', max: 254, help: 'emailHelp' },
} as const
const IN_ORDER = ['name', 'country', 'phone', 'email'] as const

/** Returns the markup of a field. The first wrong one has the focus. */
function writeField(
  t: Say<typeof bookingWords.en>,
  typed: BookingForm,
  name: keyof typeof FIELDS,
): Markup {
  const { type, autocomplete, dir, max, help } = FIELDS[name]
  const wrong = typed.wrong[name]
  const hasCursor = IN_ORDER.find((one) => typed.wrong[one] !== undefined) === name
  const said = wrong ?? (help && t(help))
  return html`<div class="field">
    <label for="${name}">${t(name)}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      dir="${dir}"
      maxlength="${max}"
      value="${typed[name]}"
      ${name === 'email' ? '' : html`required`}
      ${wrong ? html`aria-invalid="true"` : ''}
      ${said ? html`aria-describedby="${name}-said"` : ''}
      ${hasCursor ? html`autofocus` : ''}
    />
    ${said ? html`<p id="${name}-said" class="${wrong ? 'wrong' : 'small'}">${said}</p>` : ''}
  </div>`
}

type Card = { href: string; isChosen: boolean; label: Markup }

const writeCard = ({ href, isChosen, label }: Card): Markup =>
  html`<li>
    <a class="card" href="${href}" ${isChosen ? html`aria-current="true"` : ''}>${label}</a>
  </li>`

const writeCards = (kind: string, title: string, id: string, cards: Markup[]): Markup =>
  html`<h2 id="${id}">${title}</h2>
    <ul class="${kind}" aria-labelledby="${id}">
      ${cards}
    </ul>`
