/**
 * Texts of appointment notices, for conversations and e-mail. They contain no text that an untrusted client typed:
 * booking with another person's number or address cannot inject text into their notice.
 */
import type { AppointmentNoticeKind } from '../core/vocabulary/appointments.ts'
import type { Language } from '../core/vocabulary/hooks.ts'
import { inArabic, inEnglish, withoutIsolates } from './isolate.ts'

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

type Words = {
  name: (text: string) => string
  aShop: string
  title: Record<AppointmentNoticeKind, (shop: string) => string>
  when: (date: string, time: string) => string
  with: (people: string) => string
  reference: (reference: string) => string
  toPage: Record<AppointmentNoticeKind, string>
}

const WORDS: Record<Language, Words> = {
  en: {
    name: inEnglish,
    aShop: 'the shop',
    title: {
      booked: (shop) => `Your appointment at ${shop} is booked`,
      moved: (shop) => `Your appointment at ${shop} is rescheduled`,
      cancelled: (shop) => `Your appointment at ${shop} is cancelled`,
    },
    when: (date, time) => `${date}, ${time}`,
    with: (people) => `With ${people}`,
    reference: (reference) => `Reference: ${reference}`,
    toPage: {
      booked: 'View, reschedule or cancel it here:',
      moved: 'View, reschedule or cancel it here:',
      cancelled: 'View it or book another time here:',
    },
  },
  ar: {
    name: inArabic,
    aShop: 'المتجر',
    title: {
      booked: (shop) => `تم حجز موعدك في ${shop}`,
      moved: (shop) => `نُقل موعدك في ${shop}`,
      cancelled: (shop) => `أُلغي موعدك في ${shop}`,
    },
    when: (date, time) => `${date}، ${time}`,
    with: (people) => `مع ${people}`,
    reference: (reference) => `رقم الحجز: ${reference}`,
    toPage: {
      booked: 'لعرضه أو نقله أو إلغائه:',
      moved: 'لعرضه أو نقله أو إلغائه:',
      cancelled: 'لعرضه أو حجز وقت آخر:',
    },
  },
}

/**
 * Returns the text of a notice, its subject as an e-mail, and its parts as template values. A link has a separate
 * line.
 */
export function appointmentWords(facts: Facts): {
  subject: string
  text: string
  title: string
  when: string
} {
  const { kind, shop, service, people, date, time, address, reference, link } = facts
  const words = WORDS[facts.language]
  const title = words.title[kind](shop ? words.name(shop) : words.aShop)
  const when = words.when(date, time)
  const lines = [
    `${title}.`,
    '',
    words.name(service),
    when,
    ...(people ? [words.with(words.name(people))] : []),
    ...(address ? [words.name(address)] : []),
    words.reference(words.name(reference)),
    '',
    words.toPage[kind],
    link,
  ]
  return { subject: withoutIsolates(`${title}: ${when}`), text: lines.join('\n'), title, when }
}
