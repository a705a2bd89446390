/** Appointments stay booked when hours change. They are listed, and Owners and Admins get a notice. */
import { afterAll, expect, test } from 'vitest'
import type { OpeningChangeView, OutsideView } from '../../src/contract/dashboard/booking-setup.ts'
import type { NoticeView } from '../../src/contract/dashboard/notice.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { DAY_MS, HOUR_MS } from '../../src/core/limits/units.ts'
import { WEEKDAYS } from '../../src/rules/flows/opening-hours.ts'
import { booked, bookableShop } from '../support/bookable.ts'
import { wallTimeIn } from '../../src/i18n/date-words.ts'
import { signedIn, type Member, itemsOf, walkPages } from '../support/dashboard.ts'
import { openWorld } from '../support/open-world.ts'
import { holdLock } from '../support/records/locks.ts'
import { createShop } from '../support/shop.ts'
import { watchStatements } from '../support/statements.ts'
import { systemTest } from '../support/system-tests.ts'

let owner: Member
/** The number of statements that read appointments. */
let reads = 0
afterAll(watchStatements(({ text }) => (reads += Number(/\bfrom appointment\b/.test(text)))))
const world = await openWorld({ hasOwnDatabase: true })
const shop = await createShop(world)
const { accountId, companyId } = shop
owner = await signedIn(world, { accountId })
const bookable = await bookableShop(world, companyId)
const [sara, mona] = [await bookable.resource(), await bookable.resource()]
const serviceOf = {
  [sara]: await bookable.service([{ id: sara }]),
  [mona]: await bookable.service([{ id: mona }]),
}

/** Returns the date of a day ahead. The hours are those of Riyadh, three ahead of UTC. */
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
  const answer = await owner.ask<Body>(method, `/companies/${companyId}${path}`, json)
  expect(answer.status).toBeLessThan(300)
  return answer.body
}
const outside = () =>
  walkPages<OutsideView>(owner, `/companies/${companyId}/appointments/outside-hours`, {
    limit: '2',
  })
const ids = async () => (await outside()).map(({ id }) => id)
/** Returns the notices that are new since the last call, the oldest first. */
let told = 0
async function notices(): Promise<NoticeView[]> {
  const { items } = (await owner.ask<Page<NoticeView>>('GET', '/notices')).body
  const fresh = items.slice(0, items.length - told)
  told = items.length
  return fresh.toReversed()
}
const onDay = (ahead: number) => ({ firstDay: day(ahead), lastDay: day(ahead) })
const close = (ahead: number, change: object = {}) =>
  ask<OpeningChangeView>('POST', '/opening-changes', { ...onDay(ahead), hours: null, ...change })
const changeDays = ({ id }: { id: string }, change: object) =>
  ask('PATCH', `/opening-changes/${id}`, change)
const open = ({ id }: { id: string }) => ask('DELETE', `/opening-changes/${id}`)
/** Returns the only new notice, in English. */
async function notice() {
  const [first, ...more] = await notices()
  expect(more).toEqual([])
  return first!.words.en
}
const isQuiet = async () => expect([await outside(), await notices()]).toEqual([[], []])
const everyDay = (from: string, to: string) => ({
  hours: Object.fromEntries(WEEKDAYS.map((name) => [name, [{ from, to }]])),
})

test('Closing a day keeps its appointments, lists them and raises one notice with their references', async () => {
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
  const [first, ...more] = await notices()
  expect(more).toEqual([])
  expect(first).toMatchObject({ kind: 'appointments_outside_hours', endpointId: null })
  const { en, ar } = first!.words
  expect(en.title).toBe('2 appointments are now outside opening hours')
  expect(ar.title).toContain('موعدان')
  for (const language of ['en', 'ar'] as const) {
    const { text } = first!.words[language]
    expect(text).toContain(`${mine.reference} ${wallTimeIn(language, `${day(3)}T10:00`)}`)
    expect(text).toContain(hers.reference)
    expect(text).not.toContain(next.reference)
    expect(text).not.toContain('…')
  }
  // An Agent gets neither the notice nor the list.
  const agent = await signedIn(world, { accountId, role: 'agent' })
  const of = `/companies/${companyId}/appointments/outside-hours`
  expect((await agent.ask('GET', of)).status).toBe(403)
  expect(await itemsOf<NoticeView>(agent, '/notices')).toEqual([])

  await changeDays(closed, { lastDay: day(4) })
  expect(await ids()).toEqual([mine.id, hers.id, next.id])
  const grown = await notice()
  expect(grown.title).toBe('1 appointment is now outside opening hours')
  expect(grown.text).toContain(next.reference)
  expect(grown.text).not.toContain(mine.reference)
  await open(closed)
  await isQuiet()
})

systemTest("A person's hours affect only the appointments of that person", async () => {
  const mine = await book(sara, 6, 16)
  await book(mona, 6, 16)
  const change = (hours: object) => ask('PATCH', `/resources/${sara}`, hours)
  await change({ name: 'Sara' })
  await change(everyDay('09:00', '16:30'))
  expect(await notices()).toEqual([])
  await change(everyDay('09:00', '16:29'))
  expect(await outside()).toMatchObject([{ id: mine.id, missing: ['Sara'] }])
  expect(await notices()).toHaveLength(1)
  // An appointment that was outside before raises no second notice.
  await change(everyDay('09:00', '16:00'))
  expect(await notices()).toEqual([])
  await change(everyDay('09:00', '17:00'))
  expect(await ids()).toEqual([])
  await change({ zone: 'Europe/London' })
  expect(await ids()).not.toEqual([])
  expect(await notices()).toHaveLength(1)
  await change({ zone: null })
})

test("Closing an opened day lists its own appointments, not other days', cancelled or past ones", async () => {
  const hours = { from: '18:00', to: '22:00' }
  const opened = await close(8, { resourceId: sara, hours })
  const late = await book(sara, 8, 20)
  const gone = await book(sara, 8, 19)
  await ask('POST', `/appointments/${gone.id}/cancel`, {})
  expect(await notices()).toEqual([])
  await close(8, { resourceId: mona })
  await isQuiet()
  await open(opened)
  expect(await ids()).toEqual([late.id])
  expect(await notices()).toHaveLength(1)
  world.clock.advance(9 * DAY_MS)
  owner = await signedIn(world, { accountId })
  expect(await ids()).toEqual([])
})

test('Moving an opened day to another date lists the appointments on the old date', async () => {
  const hours = { from: '18:00', to: '22:00' }
  const opened = await close(20, { resourceId: sara, hours })
  const late = await book(sara, 20, 20)
  for (const ahead of [40, 20, 10]) {
    await changeDays(opened, onDay(ahead))
    if (ahead === 20) {
      await isQuiet()
    } else {
      expect(await ids()).toEqual([late.id])
      expect(await notices()).toHaveLength(1)
    }
  }
  await open(opened)
})

systemTest('A notice counts more than five appointments and names five of them', async () => {
  const references: string[] = []
  for (let hour = 9; hour < 16; hour += 1) references.push((await book(mona, 3, hour)).reference)
  await close(3, { resourceId: mona })
  const { title, text } = await notice()
  expect(title).toBe('7 appointments are now outside opening hours')
  expect(references.filter((reference) => text.includes(reference))).toEqual(references.slice(0, 5))
  expect(text).toContain('…')
})

systemTest.each([
  ['the booking page', 'of a person without one', '/booking-page', 'zone', 5],
  ['the company', 'while neither person nor page has one', '', 'timeZone', 7],
] as const)('Changing the zone of %s lists appointments %s', async (_, __, path, field, ahead) => {
  const setZone = (zone: string) => ask('PATCH', path, { [field]: zone })
  await setZone('Asia/Riyadh')
  if (path === '') await ask('PATCH', '/booking-page', { zone: null })
  const mine = await book(sara, ahead, 9)
  await notices()
  await setZone('Europe/London')
  expect(await ids()).toContain(mine.id)
  expect((await notice()).text).toContain(mine.reference)
  await setZone('Asia/Riyadh')
  expect(await ids()).not.toContain(mine.id)
  expect(await notices()).toEqual([])
  await ask('PATCH', '/booking-page', { zone: 'Asia/Riyadh' })
})

test('A change of hours reads each upcoming appointment once', async () => {
  for (const hour of [9, 10, 11]) await book(mona, 15, hour)
  reads = 0
  await close(15)
  expect(reads).toBe(1)
  expect((await notice()).title).toBe('3 appointments are now outside opening hours')
})

test('A booking that is in progress while its day is closed is in the notice', async () => {
  await using lock = await holdLock(world, { remindersOf: companyId })
  const booking = book(sara, 12, 10)
  await lock.blocks('the booking waits')
  const closing = close(12)
  await lock.blocks('the closing waits behind it', 2)
  await lock.release()
  const { reference } = await booking
  await closing
  expect((await notice()).text).toContain(reference)
})

test('A change of hours that is being deleted cannot be edited', async () => {
  const { id } = await close(20)
  await using lock = await holdLock(world, 'the opening changes')
  const path = `/companies/${companyId}/opening-changes/${id}`
  const deleting = owner.ask('DELETE', path)
  await lock.blocks('the deleting waits')
  const editing = owner.ask('PATCH', path, { name: 'Eid' })
  await lock.blocks('both wait', 2)
  await lock.release()
  expect((await deleting).status).toBe(204)
  expect((await editing).status).toBe(404)
})
