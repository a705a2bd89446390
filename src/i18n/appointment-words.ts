/**
 * Texts of appointment notices, for conversations and e-mail. They contain no text that an untrusted client typed:
 * booking with another person's number or address cannot inject text into their notice.
 */
import type { AppointmentNoticeKind } from '../core/vocabulary/appointments.ts'
import type { Language } from '../core/vocabulary/hooks.ts'
import { defineWords } from '../core/words/define-words.ts'
import { withoutIsolates } from './isolate.ts'
import { isolateIn, sayIn } from './write-text.ts'

type Facts = {
  kind: AppointmentNoticeKind
  language: Language
  /** The shop's name and address, in the language in which the shop wrote them. */
  shop: string | null
  address: string | null
  service: string
  /** Names of the people for the customer. */
  people: string | null
  /** `Monday 7 December` and `17:30`, by the clock of the shop. */
  date: string
  time: string
  reference: string
  link: string
}

const words = defineWords({
  en: {
    booked: 'Your appointment at {shop} is booked',
    moved: 'Your appointment at {shop} is rescheduled',
    cancelled: 'Your appointment at {shop} is cancelled',
    booked_at_shop: 'Your appointment at the shop is booked',
    moved_at_shop: 'Your appointment at the shop is rescheduled',
    cancelled_at_shop: 'Your appointment at the shop is cancelled',
    when: '{date}, {time}',
    with: 'With {people}',
    reference: 'Reference: {reference}',
    to_page_booked: 'View, reschedule or cancel it here:',
    to_page_moved: 'View, reschedule or cancel it here:',
    to_page_cancelled: 'View it or book another time here:',
  },
  ar: {
    booked: 'تم حجز موعدك في {shop}',
    moved: 'نُقل موعدك في {shop}',
    cancelled: 'أُلغي موعدك في {shop}',
    booked_at_shop: 'تم حجز موعدك في المتجر',
    moved_at_shop: 'نُقل موعدك في المتجر',
    cancelled_at_shop: 'أُلغي موعدك في المتجر',
    when: '{date, unchanged}، {time, unchanged}',
    with: 'مع {people}',
    reference: 'رقم الحجز: {reference}',
    to_page_booked: 'لعرضه أو نقله أو إلغائه:',
    to_page_moved: 'لعرضه أو نقله أو إلغائه:',
    to_page_cancelled: 'لعرضه أو حجز وقت آخر:',
  },
})

/**
 * Returns the text of a notice, its subject as an e-mail, and its parts as template values. A link has a separate
 * line.
 */
export function writeAppointmentNotice(facts: Facts): {
  subject: string
  text: string
  title: string
  when: string
} {
  const { kind, language, shop, service, people, date, time, address, reference, link } = facts
  const t = sayIn(words, language)
  const title = shop ? t(kind, { shop }) : t(`${kind}_at_shop`)
  const when = t('when', { date, time })
  const lines = [
    `${title}.`,
    '',
    isolateIn(language, service),
    when,
    ...(people ? [t('with', { people })] : []),
    ...(address ? [isolateIn(language, address)] : []),
    t('reference', { reference }),
    '',
    t(`to_page_${kind}`),
    link,
  ]
  return { subject: withoutIsolates(`${title}: ${when}`), text: lines.join('\n'), title, when }
}
