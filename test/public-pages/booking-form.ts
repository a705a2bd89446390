/** The steps of the booking page at which a customer types, for tests that send its form. */
import type { BookingPage } from '../support/booking-page.ts'
import { getPage, type PageAnswer } from '../support/pages.ts'
import { appointmentsOf } from '../support/records/appointments.ts'
import type { World } from '../support/world.ts'

let people = 0
/** Returns the header with a new client address for each booking; the service trusts this machine as its proxy. */
export function newAddress() {
  people += 1
  return { 'x-forwarded-for': `198.18.${people >> 8}.${people & 255}` }
}
export const newPhone = () => `+96650${6_000_000 + (people += 1)}`

export const keyOf = ({ text }: Pick<PageAnswer, 'text'>) =>
  /name="key" value="([^"]+)"/.exec(text)![1]!

export type Typed = {
  name?: string
  phone?: string
  country?: string
  key?: string
  confirmed?: string
}

export const bookingForm = (world: World, page: BookingPage, companyId: string) => {
  /** Returns the address of the step that asks for name and number. */
  const formUrl = (at: string, { lang = 'en', personId = '' } = {}) => {
    const query = new URLSearchParams({ service: page.workshopId, at, lang, with: personId })
    return `${page.url}?${query.toString()}`
  }
  return {
    formUrl,
    /** Sends the form of a time, with its own key unless one is typed. */
    async book(
      at: string,
      typed: Typed = {},
      headers: Record<string, string> = newAddress(),
    ): Promise<PageAnswer> {
      const url = formUrl(at)
      const key = typed.key ?? keyOf(await getPage(url, { headers }))
      const form = { name: 'Maha Rashid', phone: newPhone(), ...typed, key }
      return getPage(url, { form, headers })
    },
    /** Appointments in the order in which they were booked. */
    appointments: async () =>
      (await appointmentsOf(world, { companyId })).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  }
}
