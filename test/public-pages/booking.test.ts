/** A customer books, and sees and cancels what they booked. Spec: Public pages › Booking; Public pages › One appointment. */
import { expect, test } from 'vitest'
import { putBookingPage, putServices, putResources } from '../support/records/appointments.ts'
import { eventTypesOf } from '../support/records/events.ts'
import { HOUR_MS } from '../../src/core/limits/units.ts'
import { writeCall } from '../../src/http/public-pages/shop-markup.ts'
import { addBookingPage } from '../support/booking-page.ts'
import { bookingForm, keyOf, newAddress, newPhone, type Typed } from './booking-form.ts'
import { signedIn } from '../support/dashboard.ts'
import { getPage, linkTo, readText, type PageAnswer } from '../support/pages.ts'
import { createShop } from '../support/shop.ts'
import { openWorld } from '../support/open-world.ts'
import { systemTest } from '../support/system-tests.ts'

const world = await openWorld({ trustedProxies: '127.0.0.0/8', databasePool: '8' })
const shop = await createShop(world)
const owner = await signedIn(world, shop)
const page = await addBookingPage(world, shop)

const { formUrl, book, appointments } = bookingForm(world, page, shop.companyId)

const pageOf = ({ headers }: PageAnswer) => new URL(headers.location!, world.url).href
async function tokenBooked(at: string, typed = {}): Promise<string> {
  const booked = await book(at, typed)
  expect([booked.status, readText(booked.text)]).toEqual([303, ''])
  return pageOf(booked)
}

const eventTypes = () => eventTypesOf(world, { companyId: shop.companyId })
systemTest('step by step: service, person, day, time, name and number, booked', async () => {
  const headers = newAddress()
  const ask = (url: string) => getPage(url, { headers })
  const start = await ask(page.url)
  expect(readText(start.text)).toContain('Coffee is easier in company.')
  expect(readText(start.text)).toMatch(/Espresso workshop 90 minutes .*Tasting 1 hour/)

  const service = await ask(linkTo(page.url, start, 'Espresso workshop'))
  expect(readText(service.text)).toMatch(/With Anyone Sara Omar November 2026 Sun 22 Mon 23/)
  // On Friday and Saturday no person is available.
  expect(readText(service.text)).not.toMatch(/Fri 27|Sat 28/)

  const sara = await ask(linkTo(page.url, service, 'Sara'))
  const day = await ask(linkTo(page.url, sara, 'Tue 24'))
  expect(readText(day.text)).toContain(
    'Tuesday 24 November, Riyadh time 10:00 11:30 13:00 14:30 16:00 17:30',
  )
  expect(day.text).not.toContain('<form')
  const url = linkTo(page.url, day, '17:30')
  const last = await ask(url)
  expect(readText(last.text)).toMatch(
    /Your name Country of your mobile number .* Mobile number As dialled in that country, .*Book Tuesday at 17:30 You can cancel up to 3 hours before\./,
  )
  const form = { key: keyOf(last), name: 'Maha Rashid', phone: '+966 50 123 4567' }
  const sent = await getPage(url, { form, headers })
  expect(sent.status).toBe(303)
  const done = await ask(pageOf(sent))
  expect(readText(done.text)).toMatch(
    /You’re booked Service Espresso workshop When Tuesday 24 November, 17:30 to 19:00, Riyadh time With Sara Where Olaya, Riyadh Reference \S+ Add to calendar Reschedule Cancel appointment You can reschedule or cancel here until Tuesday 24 November, 14:30\./,
  )
  expect(await eventTypes()).toEqual(['contact.created', 'appointment.booked'])
  const [row] = await appointments()
  expect(row).toMatchObject({
    source: 'booking_page',
    status: 'confirmed',
    customerName: 'Maha Rashid',
    phone: '+966501234567',
    language: 'en',
    localStart: '2026-11-24T17:30',
  })
})

systemTest(
  'days and times without an available person are not offered; later days are a link away',
  async () => {
    const week = await getPage(`${page.url}?service=${page.tastingId}&from=2026-11-22&lang=en`)
    const text = readText(week.text)
    expect(text).toMatch(/November 2026 Sun 22 .*December 2026 Tue 1 .*Earlier dates Later dates/)
    // Sara has the workshop at that time.
    const tuesday = await getPage(linkTo(page.url, week, 'Tue 24'))
    expect(readText(tuesday.text)).toContain('10:00 11:30 13:00 14:30 16:00')
    const later = await getPage(linkTo(page.url, week, 'Later dates'))
    expect(readText(later.text)).toContain('Sun 6')
    const end = await getPage(`${page.url}?service=${page.tastingId}&from=2027-06-01&lang=en`)
    expect(readText(end.text)).toMatch(/Wed 20 .*Earlier dates/)
    expect(readText(end.text)).not.toContain('Later dates')
  },
)

test('one form sent twice books once and shows the same appointment, also when sent concurrently', async () => {
  const at = '2026-11-25T07:00:00.000Z'
  const headers = newAddress()
  const key = keyOf(await getPage(formUrl(at), { headers }))
  const typed = { key, phone: newPhone() }
  const before = (await appointments()).length
  const sent = await Promise.all([book(at, typed, headers), book(at, typed, headers)])
  sent.push(await book(at, typed, headers))
  const shown = await Promise.all(sent.map((one) => getPage(pageOf(one))))
  const references = shown.map(({ text }) => /Reference (\S+)/.exec(readText(text))![1])
  expect(new Set(references).size).toBe(1)
  expect(await appointments()).toHaveLength(before + 1)
})

systemTest('each error is shown next to its field, and the typed values stay', async () => {
  const cases: [typed: Typed, said: string[]][] = [
    [
      { name: '', phone: '' },
      ['2 problems to fix', 'Enter your name.', 'Enter your mobile number.'],
    ],
    [{ phone: '+966 50 123 45' }, ['1 problem to fix', 'a digit is missing or wrong.']],
    [{ phone: '0505550001' }, ['Choose the country of your number, or enter the country code']],
    [{ phone: '0505550001', country: 'XX' }, ['Choose the country of your number']],
    [{ phone: '0505550001', country: 'KW' }, ['This isn’t a valid number in Kuwait.']],
    [{ phone: '12345' }, ['a digit is missing or wrong.']],
    [{ phone: 'call me' }, ['a digit is missing or wrong.']],
    [{ name: 'ا'.repeat(201) }, ['Your name can have at most 200 characters.']],
  ]
  const before = (await appointments()).length
  for (const [typed, said] of cases) {
    const answer = await book('2026-11-26T07:00:00.000Z', typed)
    expect(answer.status).toBe(422)
    for (const one of said) expect(readText(answer.text)).toContain(one)
    expect(answer.text).toContain(`value="${typed.name ?? 'Maha Rashid'}"`)
    expect(answer.text).toMatch(/aria-invalid="true"/)
    expect(answer.text.match(/autofocus/g)).toHaveLength(1)
  }
  expect(await appointments()).toHaveLength(before)
})

systemTest(
  'a known number belongs to its contact, of which nothing is changed or shown',
  async () => {
    const path = `/companies/${shop.companyId}/contacts`
    const known = await owner.ask<{ id: string }>('POST', path, {
      name: 'Known by another name',
      phone: '+966505550001',
    })
    const link = await tokenBooked('2026-11-26T07:00:00.000Z', {
      phone: '+966505550001',
      name: 'Typed',
    })
    expect((await appointments()).at(-1)!.contactId).toBe(known.body.id)
    expect((await getPage(link)).text).not.toContain('Known by another name')
    const after = await owner.ask<{ name: string }>('GET', `${path}/${known.body.id}`)
    expect(after.body.name).toBe('Known by another name')
  },
)

test('one of many customers who want a time gets it; the others are offered the next', async () => {
  const at = '2026-11-29T07:00:00.000Z'
  const url = formUrl(at, { personId: page.omarId })
  const forms = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const headers = newAddress()
      return { headers, key: keyOf(await getPage(url, { headers })) }
    }),
  )
  const answers = await Promise.all(
    forms.map(({ headers, key }) => {
      return getPage(url, { form: { name: 'Maha', phone: newPhone(), key }, headers })
    }),
  )
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
  const refused = answers.filter(({ status }) => status === 409)
  expect(refused).toHaveLength(11)
  expect(readText(refused[0]!.text)).toMatch(
    /This time has just been taken\. Next available: \w+ \d+ \w+, \d\d:\d\d/,
  )
  // A request for the form says so too, and shows no fields.
  const look = await getPage(url)
  expect(readText(look.text)).toContain('This time has just been taken.')
  expect(look.text).not.toContain('<form')
})

systemTest('one number has at most three upcoming appointments, and the page says so', async () => {
  const phone = newPhone()
  for (const time of ['07:00', '08:30', '10:00'])
    await tokenBooked(`2026-12-01T${time}:00.000Z`, { phone })
  const fourth = await book('2026-12-01T11:30:00.000Z', { phone })
  expect(fourth.status).toBe(409)
  expect(readText(fourth.text)).toContain('This number already has 3 upcoming appointments')
})

systemTest('an address books ten times an hour; refused requests do not count', async () => {
  const headers = newAddress()
  const days = ['02', '03', '06', '07', '08']
  const free = days.flatMap((day) =>
    ['07:00', '08:30', '10:00'].map((time) => `2026-12-${day}T${time}:00.000Z`),
  )
  const unanswered = await book('2026-12-04T07:00:00.000Z', { key: 'x'.repeat(22) }, headers)
  expect(unanswered.status).toBe(409)
  for (const at of free.slice(0, 9)) expect((await book(at, {}, headers)).status).toBe(303)
  // The last one is sent twice: both see the appointment.
  const before = (await appointments()).length
  const last = { key: 'last'.repeat(6), phone: newPhone() }
  const twice = [await book(free[9]!, last, headers), await book(free[9]!, last, headers)]
  expect(twice.map(({ status }) => status)).toEqual([303, 303])
  expect((await getPage(pageOf(twice[1]!))).status).toBe(200)
  expect(await appointments()).toHaveLength(before + 1)
  const refused = await book(free[10]!, {}, headers)
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '3600'])
  expect(readText(refused.text)).toContain(
    'Too many appointments were booked from your connection.',
  )
  expect((await book(free[10]!, {}, newAddress())).status).toBe(303)
  world.clock.advance(HOUR_MS)
  expect((await book(free[11]!, {}, headers)).status).toBe(303)
})

test('the link asks before it cancels, cancels once, and stays cancelled when others book the time', async () => {
  const at = '2026-12-09T07:00:00.000Z'
  const link = await tokenBooked(at)
  const first = await getPage(link)
  const question = await getPage(linkTo(link, first, 'Cancel appointment'))
  expect(readText(question.text)).toMatch(
    /Cancel your appointment on Wednesday 9 December, 10:00\? .*Cancel appointment Keep appointment/,
  )
  const cancelled = (await eventTypes()).filter((type) => type === 'appointment.cancelled').length
  for (let time = 0; time < 3; time++) {
    const sent = await getPage(link, { form: '' })
    expect(sent.status).toBe(303)
    expect(readText((await getPage(new URL(sent.headers.location!, link).href)).text)).toMatch(
      /This appointment is cancelled .*Book another time/,
    )
    // Another customer has the time now.
    if (time === 0) await tokenBooked(at)
  }
  const after = (await eventTypes()).filter((type) => type === 'appointment.cancelled').length
  expect(after).toBe(cancelled + 1)
  const row = (await appointments()).find(({ status }) => status === 'cancelled')!
  expect(row.cancelledBy).toBe('link')
})

test('an appointment can be added to any calendar, and its cancellation too', async () => {
  const link = await tokenBooked('2026-12-09T10:00:00.000Z')
  const file = linkTo(link, await getPage(link), 'Add to calendar')
  const ask = async () => {
    const { headers, text } = await getPage(file)
    expect(headers['content-type']).toBe('text/calendar; charset=utf-8')
    expect(headers['cache-control']).toBe('no-store')
    return text.replaceAll('\r\n ', '')
  }
  const before = await ask()
  expect(before).toMatch(
    /DTSTART:20261209T100000Z\r\nDTEND:20261209T113000Z\r\nSUMMARY:Espresso workshop\\, Dar Al Bun\r\nDESCRIPTION:Reference: \S+\r\nLOCATION:Olaya\\, Riyadh\r\nSTATUS:CONFIRMED/,
  )
  await getPage(link, { form: '' })
  const after = await ask()
  expect(after).toContain('STATUS:CANCELLED')
  const sequence = (text: string) => Number(/SEQUENCE:(\d+)/.exec(text)![1])
  expect(sequence(after)).toBeGreaterThan(sequence(before))
  expect(/UID:.*/.exec(after)![0]).toBe(/UID:.*/.exec(before)![0])
})

test('past its time the link names the number to call, and a form that comes later changes nothing', async () => {
  const link = await tokenBooked('2026-12-10T07:00:00.000Z')
  world.clock.moveTo('2026-12-10T04:00:01.000Z')
  const late = await getPage(link)
  expect(readText(late.text)).toMatch(
    /It’s too late to reschedule or cancel online\. Call the shop\. Call \+966 11 234 5678/,
  )
  expect(late.text).toContain('href="tel:+966112345678"')
  expect(late.text).not.toContain('Cancel appointment')
  // The page that asks has no form either, and no page links to it any more.
  expect((await getPage(`${link}&cancel=1`)).text).not.toContain('<form')
  const sent = await getPage(link, { form: '' })
  expect(sent.status).toBe(409)
  expect(readText(sent.text)).toContain('It’s too late to reschedule or cancel online.')
})

test('from its start on the link and a late form say that it has begun, in both languages', async () => {
  const link = await tokenBooked('2026-12-13T07:00:00.000Z')
  world.clock.moveTo('2026-12-13T07:00:00.000Z')
  const begun = 'The appointment has started, so it can’t be cancelled online. Call the shop.'
  expect(readText((await getPage(link)).text)).toContain(begun)
  const sent = await getPage(link, { form: '' })
  expect([sent.status, readText(sent.text)]).toEqual([409, expect.stringContaining(begun)])
  const inArabic = await getPage(link.replace('lang=en', 'lang=ar'), { form: '' })
  expect(readText(inArabic.text)).toContain('بدأ الموعد ولم يعد إلغاؤه ممكنًا هنا.')
})

test('in Arabic: names, direction, days and zone in words, Latin digits', async () => {
  const url = formUrl('2026-12-14T14:30:00.000Z', { lang: 'ar' })
  const { text } = await getPage(url)
  expect(text).toContain('<html lang="ar" dir="rtl">')
  const words = readText(text)
  expect(words).toContain('دار البُن العليا، الرياض English ورشة الإسبريسو')
  expect(words).toContain('مع أي شخص متاح سارة عمر')
  expect(words).toContain('الاثنين 14 ديسمبر، توقيت المملكة العربية السعودية 10:00 11:30')
  expect(words).toContain('حجز موعد الاثنين الساعة 17:30')
  expect(words).toContain('يمكنك الإلغاء إن بقي على الموعد أكثر من 3 ساعات.')
  const headers = newAddress()
  const form = { key: keyOf({ text }), name: 'مها', phone: newPhone() }
  const sent = await getPage(url, { form, headers })
  expect(sent.headers.location).toContain('lang=ar')
  const done = readText((await getPage(pageOf(sent))).text)
  expect(done).toContain('تم حجز موعدك')
  expect(done).toContain('الاثنين 14 ديسمبر، من 17:30 إلى 19:00')
  expect((await appointments()).at(-1)!.language).toBe('ar')
})

test.each([
  ['+966 (11) 234-5678', '+966112345678'],
  ['٠١١ ٢٣٤ ٥٦٧٨', '0112345678'],
  ['+۹۸ ۲۱ ۱۲۳۴', '+98211234'],
])('the link that calls the shop dials a number that was written as %s', async (phone, dialled) => {
  const link = String(await writeCall('ar', { phone }))
  expect(link).toContain(`href="tel:${dialled}"`)
  expect(link).toContain(phone)
  expect(writeCall('ar', { phone: null })).toBe('')
})

test('invalid steps of the page count as missing, and never break it', async () => {
  const dates = ['2026-99-99', '9999-12-31', '0001-01-01'].map((day) => `from=${day}`)
  const times = ['2026-13-01T00:00:00Z', '%F0%9F', '9999-12-31T23:59:59Z', '0000-01-01T00:00:00Z']
  const others = ['service=1', 'service=%00', 'with=x', 'day=x', 'lang=de', 'lang=ar&lang=en']
  const ats = [...times, '9'.repeat(500)].map((time) => `at=${time}`)
  const rubbish = [...others, ...dates, ...ats]
  for (const query of rubbish) {
    for (const service of ['', `&service=${page.workshopId}`]) {
      const answer = await getPage(`${page.url}?${query}${service}`)
      expect([query, answer.status]).toEqual([query, 200])
    }
  }
  for (const at of ['9999-12-31T23:59:59Z', '0000-01-01T00:00:00Z']) {
    expect([at, (await book(at, { key: 'k'.repeat(16) })).status]).toEqual([at, 409])
  }
})

test('pages are not found when they are off or unknown, and say so when nothing can be booked', async () => {
  for (const slug of ['nobody', 'x', 'DAR-AL-BUN', '%00', 'a%2Fb', 'é', 'x'.repeat(400)]) {
    const answer = await getPage(`${world.url}/b/${slug}`)
    expect([slug, answer.status]).toEqual([slug, 404])
  }
  for (const link of ['apt_x', `apt_${'A'.repeat(43)}`, '%00', 'x'.repeat(400)]) {
    expect((await getPage(`${world.url}/a/${link}`)).status).toBe(404)
    expect((await getPage(`${world.url}/a/${link}`, { form: '' })).status).toBe(404)
  }
  await putServices(world, shop, { isOn: false })
  const url = formUrl('2026-12-15T07:00:00.000Z')
  expect(readText((await getPage(url)).text)).toContain('Online booking is closed')
  expect((await getPage(url, { form: { name: 'x', phone: newPhone() } })).status).toBe(409)
  await putServices(world, shop, { isOn: true })
  await putBookingPage(world, shop, { isOn: false })
  expect((await getPage(url)).status).toBe(404)
  await putBookingPage(world, shop, { isOn: true })
})

test('texts of a merchant are never read as HTML', async () => {
  const evil = '</h1><script>alert(1)</script><a href="javascript:x">\'"&amp;'
  const ofPage = { name: evil, intro: evil, address: evil, phone: '"><script>1' }
  await putBookingPage(world, shop, ofPage)
  await putServices(world, shop, { name: evil })
  await putResources(world, shop, { name: evil })
  const link = await tokenBooked('2026-12-15T07:00:00.000Z', { name: evil })
  const urls = [page.url, formUrl('2026-12-15T08:30:00.000Z'), link, `${link}&cancel=1`]
  for (const url of urls) {
    const { text } = await getPage(url, { headers: { 'accept-language': 'en' } })
    expect(text).not.toMatch(/<script|<a href="javascript|<\/h1><script/)
  }
})
