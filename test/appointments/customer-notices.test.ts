/**
 * Customers get one notice of each booking, move and cancellation that they did not make in a conversation.
 * Spec: Appointments › Messages to the customer.
 */
import { beforeEach, expect, test } from 'vitest'
import type {
  AppointmentDetail,
  ArrangedAppointment,
} from '../../src/contract/dashboard/appointment.ts'
import { cancelAppointment } from '../../src/modules/appointments/cancel-appointment.ts'
import { APPOINTMENT_NOTICE_QUEUE } from '../../src/modules/appointments/due-notices.sql.ts'
import { skipRestoredNotices } from '../../src/modules/appointments/plan-notices.sql.ts'
import { sendClaimedNotice } from '../../src/modules/appointments/send-notices.ts'
import { fact } from '../../src/core/facts/fact.ts'
import { serializeFact } from '../../src/core/facts/stored-fact.ts'
import { MAIL_LIMITS } from '../../src/core/limits/accounts.ts'
import { APPOINTMENT_NOTICE_LIMITS } from '../../src/core/limits/appointments.ts'
import { DAY_MS, HOUR_MS } from '../../src/core/limits/units.ts'
import { MailFailed, type Mail } from '../../src/infra/mail/mailer.ts'
import { writeAppointmentNotice } from '../../src/i18n/appointment-words.ts'
import { bookableShop, booked, customerOf, later } from '../support/bookable.ts'
import { signedIn } from '../support/dashboard.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { claimFrom } from '../support/queues.ts'
import { noticesOf } from '../support/records/appointments.ts'
import { putMessage } from '../support/records/messages.ts'
import { newPhone } from '../support/simulator.ts'

const mails: Mail[] = []
let mailFault: Error | null = null
const { world, whatsApp } = await openWhatsApp({
  mailer: {
    send(mail) {
      if (mailFault) return Promise.reject(mailFault)
      mails.push(mail)
      return Promise.resolve([])
    },
  },
})
const shop = await whatsApp.openShop({})
const theirs = await whatsApp.openShop({})
const bookable = await bookableShop(world, shop.companyId)
const { context } = world.service
const { companyId, accountId } = shop

beforeEach(() => {
  mails.length = 0
  mailFault = null
  world.clock.advance(25 * HOUR_MS)
})

const soon = (hours = 30) => {
  const at = later(world.clock.now(), hours * HOUR_MS)
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS + DAY_MS + 7 * HOUR_MS)
}
type Given = Parameters<typeof customerOf>[0]
const book = async (given: Given, more: object = {}) => {
  const serviceId = await bookable.ownService()
  const customer = customerOf({ name: 'Sara http://evil.example', ...given })
  return booked(await bookable.book({ serviceId, startsAt: soon(), customer, ...more }))
}
const DEPS = { formatNotice: writeAppointmentNotice, publicUrl: () => world.url, canMail: true }
/** Claims the notices that are due, and sends them as a worker does. Returns the e-mails that the worker would send. */
async function sendDue() {
  const notices = await claimFrom(world, APPOINTMENT_NOTICE_QUEUE, { limit: 10 })
  return Promise.all(notices.map((notice) => sendClaimedNotice(context, DEPS, notice)))
}
/** Returns the number of a customer who has just written to the shop. */
async function writer(text = 'Hi'): Promise<string> {
  const phone = newPhone()
  whatsApp.simulator.sendText({ from: phone.slice(1), text })
  await whatsApp.settle()
  return phone
}
const textsTo = (phone: string) =>
  whatsApp
    .sentTo(phone)
    .map((message) => JSON.stringify(message))
    .filter((text) => text.includes('/a/apt_'))
const pathOf = (id: string) => `/companies/${companyId}/appointments/${id}`
async function act<Answer = ArrangedAppointment>(path: string, json: object = {}) {
  const agent = await signedIn(world, { accountId, role: 'agent' })
  const { status, body } = await agent.ask<Answer>('POST', path, json)
  expect(status).toBeLessThan(300)
  return body
}
async function noticesTold(id: string) {
  const agent = await signedIn(world, { accountId, role: 'agent' })
  return (await agent.ask<AppointmentDetail>('GET', pathOf(id))).body.notices
}

test("a booking on the page sends one notice with a link and no typed text to the customer's conversation", async () => {
  const phone = await writer()
  const made = await book({ phone, email: 'sara@x.example' }, { language: 'en' })
  await whatsApp.settle()
  const [told, ...more] = textsTo(phone)
  expect(more).toEqual([])
  expect(told).toContain('is booked')
  expect(told).toContain(made.reference)
  expect(told).not.toContain('evil.example')
  expect(mails).toEqual([])
  expect(await noticesTold(made.id)).toMatchObject([
    { kind: 'booked', state: 'queued', by: 'message', why: null },
  ])
  // A notice that the provider refuses in the end has not reached the customer.
  const { messageId } = (await noticesOf(world, made.id))[0]!
  const errorDetail = serializeFact(
    fact('reply_window_closed', { hours: 24, templateMaySend: true }),
  )
  await putMessage(world, messageId!, { status: 'failed', dueAt: null, errorDetail })
  expect(await noticesTold(made.id)).toMatchObject([
    { state: 'skipped', why: { code: 'reply_window_closed' } },
  ])
})

test('concurrent workers send one notice to the customer', async () => {
  const phone = await writer()
  await book({ phone })
  await Promise.all([1, 2, 3].map(sendDue))
  await whatsApp.settle()
  expect(textsTo(phone)).toHaveLength(1)
})

test('a process whose claim has ended sends no notice', async () => {
  const phone = await writer()
  await book({ phone })
  await book({ phone: newPhone(), email: 'late@x.example' })
  const claimed = await claimFrom(world, APPOINTMENT_NOTICE_QUEUE, { limit: 10 })
  expect(claimed).toHaveLength(2)
  world.clock.advance(MAIL_LIMITS.leaseMs)
  await whatsApp.settle()
  for (const notice of claimed) {
    expect(await sendClaimedNotice(context, DEPS, notice)).toBeNull()
  }
  await whatsApp.settle()
  expect(textsTo(phone)).toHaveLength(1)
  expect(mails).toMatchObject([{ to: ['late@x.example'] }])
})

test('a customer without a conversation gets the notice by e-mail, and staff sees when none could be sent', async () => {
  const made = await book({ phone: newPhone(), email: 'maha@x.example' })
  const untold = await book({ phone: newPhone() })
  await whatsApp.settle()
  expect(mails).toMatchObject([{ to: ['maha@x.example'] }])
  expect(mails[0]!.text).toContain('/a/apt_')
  expect(mails[0]!.text).not.toContain('evil')
  expect(await noticesTold(made.id)).toMatchObject([{ state: 'mailed', by: 'email' }])
  expect(await noticesTold(untold.id)).toMatchObject([
    { state: 'skipped', by: null, why: { code: 'notice_no_way' } },
  ])
})

test("a typed number gets a notice only if the provider has shown that it is the customer's", async () => {
  const owner = await writer()
  const agent = await signedIn(world, { accountId })
  const { body: found } = await agent.ask<{ items: { id: string }[] }>(
    'GET',
    `/companies/${companyId}/contacts?search=${encodeURIComponent(owner)}`,
  )
  // The shop stored another number on the same contact, which no provider has confirmed.
  const other = newPhone()
  await agent.ask('PATCH', `/companies/${companyId}/contacts/${found.items[0]!.id}`, {
    phone: other,
  })
  const made = await book({ phone: other })
  await whatsApp.settle()
  expect(textsTo(owner)).toEqual([])
  expect(await noticesTold(made.id)).toMatchObject([{ why: { code: 'notice_no_way' } }])
})

test("a customer without an open conversation gets the shop's template, a limited number of times a day", async () => {
  const boss = await signedIn(world, { accountId, role: 'admin' })
  const choose = (noticeTemplate: string | null, noticeChannelId = shop.channelId) =>
    boss.ask('PATCH', `/companies/${companyId}/booking-page`, { noticeChannelId, noticeTemplate })
  expect((await choose('no_such_template')).status).toBe(422)
  expect((await choose('order_ready', theirs.channelId)).status).toBe(422)
  expect((await choose('order_ready')).status).toBe(200)
  const phone = newPhone()
  const out = await writer('STOP')
  for (let nth = 0; nth <= APPOINTMENT_NOTICE_LIMITS.toRecipientPerDay; nth += 1) {
    const { id: appointmentId } = await book({ phone, email: 'not@x.example' }, { language: 'en' })
    const by = { by: 'link', reason: null, actorId: null } as const
    await whatsApp.settle()
    await cancelAppointment(context, { companyId, appointmentId, ...by })
  }
  await book({ phone: out })
  await whatsApp.settle()
  const sent = whatsApp.sentTo(phone)
  expect(sent).toHaveLength(APPOINTMENT_NOTICE_LIMITS.toRecipientPerDay)
  expect(sent[0]).toMatchObject({ type: 'template', template: 'order_ready', language: 'en' })
  expect(JSON.stringify(sent)).toContain('Your appointment at')
  expect(JSON.stringify(sent)).not.toContain('evil')
  expect([whatsApp.sentTo(out), mails]).toEqual([[], []])
  expect((await choose(null)).status).toBe(200)
})

test('a customer who opted out gets no notice, and no e-mail', async () => {
  const phone = await writer('STOP')
  const made = await book({ phone, email: 'out@x.example' })
  await whatsApp.settle()
  expect([textsTo(phone), mails]).toEqual([[], []])
  expect(await noticesTold(made.id)).toMatchObject([
    { state: 'skipped', why: { code: 'opted_out' } },
  ])
})

test("a member's booking, move and cancellation send a notice, and a booking in a conversation sends none", async () => {
  const phone = await writer()
  const serviceId = await bookable.ownService()
  const startsAt = soon()
  const json = { key: 'a-key-of-sixteen-or-more', serviceId, startsAt, phone, language: 'ar' }
  const { id } = await act(`/companies/${companyId}/appointments`, json)
  await whatsApp.settle()
  await act(`${pathOf(id)}/move`, { startsAt: later(startsAt, HOUR_MS) })
  await whatsApp.settle()
  await act(`${pathOf(id)}/cancel`)
  await whatsApp.settle()
  const told = textsTo(phone)
  expect(told.map((text) => /تم حجز|نُقل|أُلغي/.exec(text)?.[0])).toEqual(['تم حجز', 'نُقل', 'أُلغي'])

  const { id: talked } = await book({ phone }, { source: 'flow' })
  await whatsApp.settle()
  expect(await noticesTold(talked)).toEqual([])
})

test('quick changes send a notice of the last one alone', async () => {
  const phone = await writer()
  const made = await book({ phone })
  await act(`${pathOf(made.id)}/move`, { startsAt: later(made.startsAt, HOUR_MS) })
  await whatsApp.settle()
  expect(textsTo(phone)).toHaveLength(1)
  expect(await noticesTold(made.id)).toMatchObject([
    { why: { code: 'notice_superseded' } },
    { kind: 'moved', state: 'queued' },
  ])
})

test('an address gets a limited number of notices a day about bookings on the page', async () => {
  const email = 'often@x.example'
  const { toRecipientPerDay: max } = APPOINTMENT_NOTICE_LIMITS
  const again = async (nth: number) => {
    const made = await book({ phone: newPhone(), email: nth % 2 ? email : email.toUpperCase() })
    await whatsApp.settle()
    const by = { by: 'link', reason: null, actorId: null } as const
    await cancelAppointment(context, { companyId, appointmentId: made.id, ...by })
    return made
  }
  for (let nth = 0; nth < max; nth += 1) await again(nth)
  const oneMore = await again(max)
  expect(mails).toHaveLength(max)
  expect(await noticesTold(oneMore.id)).toMatchObject([{ why: { code: 'notice_too_many' } }])
  world.clock.advance(DAY_MS)
  await again(max + 1)
  expect(mails).toHaveLength(max + 1)
})

test('an e-mail refused for now is sent later, and one that was interrupted is not sent again', async () => {
  mailFault = new MailFailed('later', false)
  const made = await book({ phone: newPhone(), email: 'later@x.example' })
  await whatsApp.settle()
  expect(mails).toEqual([])
  mailFault = null
  world.clock.advance(MAIL_LIMITS.retryDelaysMs[0]!)
  await whatsApp.settle()
  expect(mails).toHaveLength(1)
  expect(await noticesOf(world, made.id)).toMatchObject([{ state: 'mailed', mailAttempts: 2 }])

  // The process ends while it sends the e-mail.
  const cut = await book({ phone: newPhone(), email: 'cut@x.example' })
  expect(await sendDue()).toMatchObject([{ to: 'cut@x.example' }])
  world.clock.advance(MAIL_LIMITS.leaseMs)
  await whatsApp.settle()
  expect(mails).toHaveLength(1)
  expect(await noticesTold(cut.id)).toMatchObject([{ state: 'unknown', by: 'email' }])
})

test('after a restore, notices that were due before it are skipped', async () => {
  const phone = await writer()
  const made = await book({ phone })
  expect(await noticesOf(world, made.id)).toMatchObject([{ state: 'pending' }])
  await skipRestoredNotices(context.db.kysely, world.clock.now())
  await whatsApp.settle()
  expect(textsTo(phone)).toEqual([])
  expect(await noticesTold(made.id)).toMatchObject([{ why: { code: 'notice_restored' } }])
})
