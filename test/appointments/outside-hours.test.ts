/** Hours that are changed under what is booked: it stays booked, is listed, and its Owners and Admins are told. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpeningChangeView, OutsideView } from '../../src/contract/dashboard/booking-setup.ts'
import type { NoticeView } from '../../src/contract/dashboard/notice.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { DAY_MS, HOUR_MS } from '../../src/limits/units.ts'
import { WEEKDAYS } from '../../src/rules/flows/opening-hours.ts'
import { countBlockedBy, pidOf, waitUntilBlocked } from '../support/blocked.ts'
import { booked, bookableShop, type BookableShop } from '../support/bookable.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { waitUntil } from '../support/wait.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let shop: Shop
let bookable: BookableShop
let owner: Member
let agent: Member
let sara: string
let mona: string
let serviceOf: Record<string, string>
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
  agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  bookable = await bookableShop(world, shop.companyId)
  ;[sara, mona] = [await bookable.resource(), await bookable.resource()]
  serviceOf = {
    [sara]: await bookable.service([{ id: sara }]),
    [mona]: await bookable.service([{ id: mona }]),
  }
})
afterAll(() => world.close())

/** A day of the world, by its date; hours there are of Riyadh, three ahead. */
const day = (ahead: number) =>
  new Date(world.clock.now().getTime() + ahead * DAY_MS).toISOString().slice(0, 10)
const book = async (resourceId: string, ahead: number, hour: number) =>
  booked(
    await bookable.book({
      serviceId: serviceOf[resourceId]!,
      startsAt: new Date(Date.parse(`${day(ahead)}T00:00:00Z`) + (hour - 3) * HOUR_MS),
    }),
  )
async function ask<Body>(method: string, path: string, json?: unknown): Promise<Body> {
  const answer = await owner.ask<Body>(method, `/companies/${shop.companyId}${path}`, json)
  expect(answer.status).toBeLessThan(300)
  return answer.body
}
const outside = async () =>
  (await ask<{ items: OutsideView[] }>('GET', '/appointments/outside-hours')).items
const ids = async () => (await outside()).map(({ id }) => id)
/** What nobody has been told of before, the oldest first. */
let told = 0
async function notices(): Promise<NoticeView[]> {
  const { items } = (await owner.ask<Page<NoticeView>>('GET', '/notices')).body
  const fresh = items.slice(0, items.length - told)
  told = items.length
  return fresh.toReversed()
}
const close = (ahead: number, change: object = {}) =>
  ask<OpeningChangeView>('POST', '/opening-changes', {
    firstDay: day(ahead),
    lastDay: day(ahead),
    hours: null,
    ...change,
  })
const everyDay = (from: string, to: string) => ({
  hours: Object.fromEntries(WEEKDAYS.map((name) => [name, [{ from, to }]])),
})

test('A closed day leaves what is booked, lists it and tells of it once, by its reference', async () => {
  const mine = await book(sara, 3, 10)
  const hers = await book(mona, 3, 11)
  const next = await book(sara, 4, 10)
  expect(await outside()).toEqual([])
  const closed = await close(3)
  expect(await outside()).toMatchObject([
    {
      id: mine.id,
      reference: mine.reference,
      local: `${day(3)}T10:00`,
      zone: 'Asia/Riyadh',
      missing: [expect.stringMatching(/^person /)],
    },
    { id: hers.id, local: `${day(3)}T11:00` },
  ])
  const [notice, ...more] = await notices()
  expect(more).toEqual([])
  expect(notice).toMatchObject({ kind: 'appointments_outside_hours', endpointId: null })
  const { en, ar } = notice!.words
  expect(en.title).toBe('2 appointments are outside the hours now')
  expect(ar.title).toContain('موعدان')
  for (const { text } of [en, ar]) {
    expect(text).toContain(`${mine.reference} ${day(3)} 10:00`)
    expect(text).toContain(hers.reference)
    expect(text).not.toContain(next.reference)
    expect(text).not.toContain('…')
  }
  // Whoever only works in the inbox is neither told nor shown.
  const of = `/companies/${shop.companyId}/appointments/outside-hours`
  expect((await agent.ask('GET', of)).status).toBe(403)
  expect((await agent.ask<Page<NoticeView>>('GET', '/notices')).body.items).toEqual([])

  await ask('PATCH', `/opening-changes/${closed.id}`, { lastDay: day(4) })
  expect(await ids()).toEqual([mine.id, hers.id, next.id])
  const [grown] = await notices()
  expect(grown!.words.en.title).toBe('1 appointment is outside the hours now')
  expect(grown!.words.en.text).toContain(next.reference)
  expect(grown!.words.en.text).not.toContain(mine.reference)
  await ask('DELETE', `/opening-changes/${closed.id}`)
  expect([await outside(), await notices()]).toEqual([[], []])
})

systemTest('Hours of a person concern what they keep, and nobody else’s', async () => {
  const mine = await book(sara, 6, 16)
  await book(mona, 6, 16)
  await ask('PATCH', `/resources/${sara}`, { name: 'Sara' })
  await ask('PATCH', `/resources/${sara}`, everyDay('09:00', '16:30'))
  expect(await notices()).toEqual([])
  await ask('PATCH', `/resources/${sara}`, everyDay('09:00', '16:29'))
  expect(await outside()).toMatchObject([{ id: mine.id, missing: ['Sara'] }])
  expect(await notices()).toHaveLength(1)
  // What was outside before is not told of again.
  await ask('PATCH', `/resources/${sara}`, everyDay('09:00', '16:00'))
  expect(await notices()).toEqual([])
  await ask('PATCH', `/resources/${sara}`, everyDay('09:00', '17:00'))
  expect(await ids()).toEqual([])
  await ask('PATCH', `/resources/${sara}`, { zone: 'Europe/London' })
  expect(await ids()).not.toEqual([])
  expect(await notices()).toHaveLength(1)
  await ask('PATCH', `/resources/${sara}`, { zone: null })
})

test('A day that was opened and is no more; another’s days, what is cancelled or over, are left alone', async () => {
  const opened = await close(8, { resourceId: sara, hours: { from: '18:00', to: '22:00' } })
  const late = await book(sara, 8, 20)
  const gone = await book(sara, 8, 19)
  await world.database.db.kysely
    .updateTable('appointment')
    .set({ status: 'cancelled', cancelledAt: world.clock.now(), cancelledBy: 'member' })
    .where('id', '=', gone.id)
    .execute()
  expect(await notices()).toEqual([])
  await close(8, { resourceId: mona })
  expect([await ids(), await notices()]).toEqual([[], []])
  await ask('DELETE', `/opening-changes/${opened.id}`)
  expect(await ids()).toEqual([late.id])
  expect(await notices()).toHaveLength(1)
  world.clock.advance(9 * DAY_MS)
  owner = await signedIn(world, { accountId: shop.accountId })
  expect(await ids()).toEqual([])
})

test('A day that was opened and is another one now leaves what was booked on it', async () => {
  const hours = { from: '18:00', to: '22:00' }
  const opened = await close(20, { resourceId: sara, hours })
  const late = await book(sara, 20, 20)
  const moveTo = (ahead: number) =>
    ask('PATCH', `/opening-changes/${opened.id}`, { firstDay: day(ahead), lastDay: day(ahead) })
  await moveTo(40)
  expect(await ids()).toEqual([late.id])
  expect(await notices()).toHaveLength(1)
  await moveTo(20)
  expect([await ids(), await notices()]).toEqual([[], []])
  await moveTo(10)
  expect(await ids()).toEqual([late.id])
  expect(await notices()).toHaveLength(1)
  await ask('DELETE', `/opening-changes/${opened.id}`)
})

systemTest('More than five are counted, and five of them named', async () => {
  const references: string[] = []
  for (let hour = 9; hour < 16; hour += 1) references.push((await book(mona, 3, hour)).reference)
  await close(3, { resourceId: mona })
  const [notice] = await notices()
  expect(notice!.words.en.title).toBe('7 appointments are outside the hours now')
  const named = references.filter((reference) => notice!.words.en.text.includes(reference))
  expect(named).toEqual(references.slice(0, 5))
  expect(notice!.words.en.text).toContain('…')
})

test('The zone of the booking page is that of whoever has none of their own', async () => {
  const mine = await book(sara, 5, 9)
  await ask('PATCH', '/booking-page', { zone: 'Europe/London' })
  expect(await ids()).toContain(mine.id)
  const [notice] = await notices()
  expect(notice!.words.en.text).toContain(mine.reference)
  await ask('PATCH', '/booking-page', { zone: 'Asia/Riyadh' })
  expect(await ids()).not.toContain(mine.id)
  expect(await notices()).toEqual([])
})

test('The zone of the company is that of whomever neither their own nor the page’s is told for', async () => {
  await ask('PATCH', '', { timeZone: 'Asia/Riyadh' })
  await ask('PATCH', '/booking-page', { zone: null })
  const mine = await book(sara, 7, 9)
  await notices()
  await ask('PATCH', '', { timeZone: 'Europe/London' })
  expect(await ids()).toContain(mine.id)
  const [notice] = await notices()
  expect(notice?.words.en.text).toContain(mine.reference)
  await ask('PATCH', '', { timeZone: 'Asia/Riyadh' })
  expect(await ids()).not.toContain(mine.id)
  expect(await notices()).toEqual([])
  await ask('PATCH', '/booking-page', { zone: 'Asia/Riyadh' })
})

test('What is just being booked on days that are closed is told of too', async () => {
  const { pool } = world.database.db
  const holder = await pool.connect()
  await holder.query('begin')
  await holder.query(`select pg_advisory_xact_lock(hashtextextended('reminders of ' || $1, 0))`, [
    shop.companyId,
  ])
  const booking = book(sara, 12, 10)
  await waitUntilBlocked('the booking waits', pool, holder)
  const pid = await pidOf(holder)
  let isClosed = false
  const closing = close(12).then(() => {
    isClosed = true
  })
  await waitUntil('it is closed, or waits', async () => {
    return isClosed || (await countBlockedBy(pool, pid)) === 2
  })
  await holder.query('commit')
  holder.release()
  const { reference } = await booking
  await closing
  const [notice] = await notices()
  expect(notice?.words.en.text).toContain(reference)
})

test('A change that is just being deleted cannot be edited: there is none', async () => {
  const change = await close(20)
  const { pool } = world.database.db
  const holder = await pool.connect()
  await holder.query('begin')
  await holder.query('select from opening_change where id = $1 for update', [change.id])
  const path = `/companies/${shop.companyId}/opening-changes/${change.id}`
  const deleting = owner.ask('DELETE', path)
  await waitUntilBlocked('the deleting waits', pool, holder)
  const pid = await pidOf(holder)
  const editing = owner.ask('PATCH', path, { name: 'Eid' })
  await waitUntil('both wait', async () => (await countBlockedBy(pool, pid)) === 2)
  await holder.query('commit')
  holder.release()
  expect((await deleting).status).toBe(204)
  expect((await editing).status).toBe(404)
})
