/** Formats an appointment for the messages of flows. Spec: Appointments › Reminders; Flows › Steps. */
import type { Language } from '../../core/vocabulary/hooks.ts'
import { COMMA } from '../../core/words/comma.ts'
import { textIn } from '../text/text-in.ts'
import { createFormatCache } from '../time/format-cache.ts'
import { wallTextAt } from '../time/zone.ts'

/** The variables that an appointment sets in a run. */
export const APPOINTMENT_VARIABLES = [
  'appointment_reference',
  'appointment_service',
  'appointment_with',
  'appointment_date',
  'appointment_time',
  'appointment_link',
] as const
type AppointmentVariable = (typeof APPOINTMENT_VARIABLES)[number]

/**
 * Returns the values of the variables that steps and templates can use of an appointment. `link` is the full URL of the
 * customer's page.
 */
export function appointmentValues(
  appointment: {
    reference: string
    serviceName: string
    serviceNameAr: string | null
    startsAt: Date
    zone: string
    resources: readonly { name: string; nameAr: string | null; kind: string }[]
  },
  link: string,
  language: Language,
): Record<AppointmentVariable, string | null> {
  const { reference, serviceName, serviceNameAr, startsAt, zone, resources } = appointment
  const people = resources
    .filter(({ kind }) => kind === 'person')
    .map(({ name, nameAr }) => textIn(language, name, nameAr))
  return {
    appointment_reference: reference,
    appointment_service: textIn(language, serviceName, serviceNameAr),
    appointment_with: people.length === 0 ? null : people.join(COMMA[language]),
    appointment_date: formatOf(language, zone, DATE).format(startsAt),
    appointment_time: formatOf(language, zone, TIME).format(startsAt),
    appointment_link: link,
  }
}

/** Formats the day of an appointment in a zone and a language: `Monday 7 December`. */
export function dayInWords(at: Date, zone: string, language: Language): string {
  return formatOf(language, zone, DATE).format(at)
}

/** Formats the day and time of an appointment in a zone and a language: `Monday 7 December, 17:00`. */
export function dayAndTimeInWords(at: Date, zone: string, language: Language): string {
  return [dayInWords(at, zone, language), wallTextAt(zone, at).slice(11)].join(COMMA[language])
}

const DATE = { weekday: 'long', day: 'numeric', month: 'long' } as const
const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
/** Locales with Latin digits in both languages. */
const LOCALES: Record<Language, string> = { en: 'en-GB', ar: 'ar-u-nu-latn-ca-gregory' }

const formats = createFormatCache()

/** Returns a cached format, because creating one is slower than using it. */
function formatOf(
  language: Language,
  zone: string,
  options: typeof DATE | typeof TIME,
): Intl.DateTimeFormat {
  const key = `${language} ${zone} ${options === DATE ? 'date' : 'time'}`
  return formats.get(
    key,
    () => new Intl.DateTimeFormat(LOCALES[language], { ...options, timeZone: zone }),
  )
}
