import { expect, test } from 'vitest'
import { APPOINTMENT_LIMITS } from '../../src/core/limits/appointments.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { findComing, type ComingPart } from '../../src/modules/appointments/find-coming.ts'

const { comingPerRead } = APPOINTMENT_LIMITS
/** Upcoming appointments, one a day. */
const appointments = Array.from({ length: 2 * comingPerRead + 1 }, (_, nth) => ({
  id: `appointment ${nth}`,
  startsAt: new Date(nth * DAY_MS),
}))
const read = ({ after, limit }: ComingPart) => {
  const from = appointments.findIndex(({ id }) => id === after?.id) + 1
  return Promise.resolve(appointments.slice(from, from + limit))
}
const lastOfPart = ({ id }: { id: string }) =>
  [comingPerRead, 2 * comingPerRead].some((nth) => id === `appointment ${nth}`) ? id : null

test('all upcoming appointments are searched, however many there are', async () => {
  expect(await findComing(read, ({ id }) => id)).toHaveLength(appointments.length)
  expect(await findComing(read, lastOfPart)).toEqual([
    `appointment ${comingPerRead}`,
    `appointment ${2 * comingPerRead}`,
  ])
})

test('a page begins after its cursor and ends with its limit', async () => {
  const cursor = { by: '', id: `appointment ${comingPerRead}` }
  expect(await findComing(read, lastOfPart, { cursor })).toEqual([
    `appointment ${2 * comingPerRead}`,
  ])
  expect(await findComing(read, lastOfPart, { limit: 1 })).toEqual([`appointment ${comingPerRead}`])
})
