/**
 * Every way in which an event is raised. A customer, a member, a flow, the assistant or a program causes each of
 * them, and its event has exactly the shape of the contract. A call that raises events fails the last test unless a
 * way here or another test covers it. Spec: Events › Types; Events › Payloads.
 */
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { EVENT_TYPES } from '../../src/core/vocabulary/events.ts'
import { faultsOfBody } from '../support/exact-event.ts'
import { eventsOf, eventsWithBodies } from '../support/records/events.ts'
import { bookingWays } from './booking-ways.ts'
import { callsThatRaise, RAISED_ELSEWHERE, RAISES_NOTHING } from './calls-that-raise.ts'
import { contactWays } from './contact-ways.ts'
import { conversationWays } from './conversation-ways.ts'
import { openEventShop } from './event-shop.ts'

const eventShop = await openEventShop()
const { world, whatsApp, shop } = eventShop
const { companyId } = shop
const WAYS = [conversationWays, contactWays, bookingWays].flatMap((waysOf) => waysOf(eventShop))

const typesOf = (events: { type: string }[]) => events.map(({ type }) => type).toSorted()

test.each(WAYS)('$way', async ({ raises, given, does, of = () => companyId }) => {
  world.clock.advance(MINUTE_MS)
  await given?.()
  await whatsApp.settle()
  const before = new Set((await eventsOf(world, { companyId: of() })).map(({ id }) => id))
  await does()
  await whatsApp.settle()
  const rows = await eventsOf(world, { companyId: of() })
  const told = await eventsWithBodies(world, { companyId: of() })
  const raised = told.filter(({ id }) => !before.has(id))
  expect(typesOf(raised)).toEqual(raises.toSorted())
  for (const { id, envelope } of raised) {
    const { occurredAt } = rows.find((row) => row.id === id)!
    expect([envelope.type, ...faultsOfBody(envelope)]).toEqual([envelope.type])
    expect(envelope).toMatchObject({
      id: `evt_${id.replaceAll('-', '')}`,
      createdAt: occurredAt.toISOString(),
      test: false,
      company: { id: of() },
    })
  }
})

test('each type is raised in some way, and each call that raises is covered here or by a named test', () => {
  expect(new Set([...WAYS.flatMap(({ raises }) => raises), 'ping'])).toEqual(new Set(EVENT_TYPES))
  const named = [
    ...WAYS.flatMap(({ by }) => by),
    ...Object.keys(RAISED_ELSEWHERE),
    ...Object.keys(RAISES_NOTHING),
  ]
  expect([...new Set(named)].toSorted()).toEqual(callsThatRaise())
  expect(Object.values(RAISED_ELSEWHERE).filter((file) => !existsSync(file))).toEqual([])
})
