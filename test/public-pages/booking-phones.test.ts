/** Numbers that customers type on the booking page. Spec: Public pages › Booking; reading P7. */
import { expect, test } from 'vitest'
import { addBookingPage } from '../support/booking-page.ts'
import { openWorld } from '../support/open-world.ts'
import { getPage, readText, type PageAnswer } from '../support/pages.ts'
import { bookingForm, keyOf, newAddress, newPhone } from './booking-form.ts'
import { createShop } from '../support/shop.ts'

const world = await openWorld({ trustedProxies: '127.0.0.0/8' })
const shop = await createShop(world)
const page = await addBookingPage(world, shop)

const { formUrl, book, appointments } = bookingForm(world, page, shop.companyId)

const confirmedOf = ({ text }: PageAnswer) =>
  /name="confirmed" value="([^"]+)"/.exec(text)?.[1] ?? ''

test('A number without its country code is asked back, and the confirmed one is booked', async () => {
  const headers = newAddress()
  const url = formUrl('2026-11-26T08:30:00.000Z')
  const first = await getPage(url, { headers })
  expect(first.text).toMatch(/<option value="SA" selected>Saudi Arabia/)
  const before = (await appointments()).length
  const local = { key: keyOf(first), name: 'Ali', phone: '٠٥٠ ٥٥٥ ٠٠٢٢' }

  const asked = await getPage(url, { form: { ...local, country: 'SA' }, headers })
  expect(asked.status).toBe(200)
  expect(readText(asked.text)).toMatch(/Is it \+966 50 555 0022\? .*Yes, book Thursday at 11:30/)
  expect(confirmedOf(asked)).toBe('+966505550022')
  expect(asked.text).toContain('value="٠٥٠ ٥٥٥ ٠٠٢٢"')
  expect(await appointments()).toHaveLength(before)

  // Another country gives another number, which is asked back again.
  const form = { ...local, country: 'AE', confirmed: '+966505550022' }
  const other = await getPage(url, { form, headers })
  expect(readText(other.text)).toContain('Is it +971 50 555 0022?')
  expect(await appointments()).toHaveLength(before)

  const said = { ...local, country: 'AE', confirmed: confirmedOf(other) }
  expect((await getPage(url, { form: said, headers })).status).toBe(303)
  expect((await appointments()).at(-1)).toMatchObject({ phone: '+971505550022', rawPhone: null })
})

test.each(['966505550033', '0505550033'])(
  'A number without + is asked back, whatever it begins with: %s',
  async (phone) => {
    const before = (await appointments()).length
    const asked = await book('2026-11-29T08:30:00.000Z', { phone, country: 'SA' })
    expect([asked.status, confirmedOf(asked)]).toEqual([200, '+966505550033'])
    expect(await appointments()).toHaveLength(before)
  },
)

test('A number that begins with 00 has its country code, and is not asked back', async () => {
  const phone = newPhone()
  const written = { phone: phone.replace('+', '00'), country: 'AE' }
  expect((await book('2026-11-29T08:30:00.000Z', written)).status).toBe(303)
  expect((await appointments()).at(-1)).toMatchObject({ phone })
})

test('A confirmed number is not asked back again when it has as many appointments as allowed', async () => {
  const typed = { phone: '0505550055', country: 'SA', confirmed: '+966505550055' }
  for (const time of ['07:00', '08:30', '10:00']) {
    expect((await book(`2026-11-30T${time}:00.000Z`, typed)).status).toBe(303)
  }
  const refused = await book('2026-11-30T11:30:00.000Z', typed)
  expect(refused.status).toBe(409)
  expect(confirmedOf(refused)).toBe('+966505550055')
  expect(readText(refused.text)).not.toMatch(/Is it|Yes, book/)
})

test('A wrong name is reported first, and the number is asked back once the name is right', async () => {
  const typed = { name: '', phone: '0505550044', country: 'SA' }
  const wrong = await book('2026-11-29T10:00:00.000Z', typed)
  expect(wrong.status).toBe(422)
  expect(readText(wrong.text)).not.toContain('Is it')
  const asked = await book('2026-11-29T10:00:00.000Z', { ...typed, name: 'Ali' })
  expect(readText(asked.text)).toContain('Is it +966 50 555 0044?')
})
