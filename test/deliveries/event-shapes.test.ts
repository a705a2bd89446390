import { expect, test } from 'vitest'
import { raiseEvents, type EventToRaise } from '../../src/modules/events/raise-event.ts'
import { sampleData } from '../../src/modules/events/sample-events.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { EVENT_TYPES } from '../../src/core/vocabulary/events.ts'
import { openWorld } from '../support/open-world.ts'
import { eventsWithBodies } from '../support/records/events.ts'
import { createOwnShop } from '../support/shop.ts'

const world = await openWorld()
const { companyId } = await createOwnShop(world)

/** Columns of a row that no endpoint may receive. */
const SECRETS = { accountId: 'secret', plan: 'secret', openingHours: 'secret', notes: ['secret'] }

/** Returns the value with more fields in each of its objects, except for those with the merchant's own names. */
function withMore(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => withMore(one))
  if (typeof value !== 'object' || value === null) return value
  if (['fields', 'variables'].includes(name)) return value
  const fields = Object.entries(value).map(([key, one]) => [key, withMore(one, key)])
  return { ...SECRETS, ...Object.fromEntries(fields) } as unknown
}

test.each(EVENT_TYPES)('a body of %s has no other column of a row', async (type) => {
  const now = world.clock.now()
  const { db, ids } = world.service.context
  const data = sampleData(type, now)
  const company = { id: companyId, name: 'Shop', ...SECRETS }
  const event = { type, company, data: withMore(data), occurredAt: now } as EventToRaise
  await transaction(db, (tx) => raiseEvents(tx, { ids, now }, [event]))
  const raised = (await eventsWithBodies(world, { companyId })).findLast((one) => one.type === type)
  expect(raised!.envelope.company).toEqual({ id: companyId, name: 'Shop' })
  expect(raised!.envelope.data).toEqual(data)
  expect(JSON.stringify(raised!.envelope)).not.toContain('secret')
})
