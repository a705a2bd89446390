/** A branch asks whether a message may be sent now that is no template. Flows › Steps; Concepts › Service window. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MINUTE_MS } from '../../../src/limits/units.ts'
import { createWorld, type World } from '../../support/service.ts'
import { simulateWhatsApp, type SimulatedWhatsApp } from '../../support/simulator.ts'
import { tellStory } from '../triggers/trigger-stories.ts'

const DAY_MINUTES = 24 * 60

let world: World
let whatsApp: SimulatedWhatsApp
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

const tagged = (name: string) => ({ kind: 'tag', add: [name], remove: [], next: null })

/** The tag that the customer gets so many minutes after they wrote, in a conversation of the channel's type. */
async function tagAfter(minutes: number, channelType = 'whatsapp') {
  const story = await tellStory(world, whatsApp)
  await story.publish({
    trigger: { kind: 'keyword', words: ['order'] },
    steps: {
      hello: { kind: 'wait', until: { kind: 'minutes', minutes }, next: 'which' },
      which: {
        kind: 'branch',
        branches: [
          { match: 'all', conditions: [{ of: 'window', isOpen: true }], next: 'open' },
          { match: 'all', conditions: [{ of: 'window', isOpen: false }], next: 'closed' },
        ],
        otherwise: null,
      },
      open: tagged('open'),
      closed: tagged('closed'),
    },
  })
  await story.write({ text: 'order' })
  await whatsApp.settle()
  await world.database.db.kysely
    .updateTable('conversation')
    .set({ channelType, ...(channelType === 'telegram' && { serviceWindowEndsAt: null }) })
    .where('companyId', '=', story.shop.companyId)
    .execute()
  world.clock.advance(minutes * MINUTE_MS)
  await whatsApp.settle()
  const { tags } = await world.database.db.kysely
    .selectFrom('contact')
    .select('tags')
    .where('companyId', '=', story.shop.companyId)
    .executeTakeFirstOrThrow()
  return tags
}

test.each([
  ['whatsapp', DAY_MINUTES - 1, 'open'],
  ['whatsapp', DAY_MINUTES, 'closed'],
  ['whatsapp', 2 * DAY_MINUTES - 1, 'closed'],
  ['whatsapp_qr', 3 * DAY_MINUTES - 1, 'open'],
  ['whatsapp_qr', 3 * DAY_MINUTES, 'closed'],
  ['telegram', 10 * DAY_MINUTES, 'open'],
])('On %s %d minutes after the customer wrote it is %s', async (channelType, minutes, tag) => {
  expect(await tagAfter(minutes, channelType)).toEqual([tag])
})
