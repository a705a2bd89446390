/** The line that says that nothing was changed, below a reply to a customer who asked for a change. */
import { expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { startAssisted } from '../support/assistant.ts'
import { say } from '../support/model-turns.ts'
import { json } from '../support/shop-api.ts'
import { lookUp, openTooledShop, POST_ORDER } from './tooled-shop.ts'

const { assisted, shop, api, make } = await openTooledShop()
const LINE = 'Nothing has been changed or booked so far.'
const LINE_AR = 'لم يتغيّر ولم يُحجز شيء حتى الآن.'

test('is below the answer, in its language, once in ten minutes, unless the answer says so itself', async () => {
  const sara = await shop.asked('Cancel my order 7', say('Which one do you mean?'))
  await sara.asks('Number 7 I said, cancel it', say('One moment, please.'))
  await assisted.pass(10 * MINUTE_MS)
  await sara.asks('Cancel my order 7', say('I cannot cancel it any more.'))
  await sara.asks('ألغوا الطلب ٧', say('أي طلب تقصد؟'))
  expect(await sara.got()).toEqual([
    `Which one do you mean?\n\n${LINE}`,
    'One moment, please.',
    'I cannot cancel it any more.',
    `أي طلب تقصد؟\n\n${LINE_AR}`,
  ])
})

test('is left out for a customer who asks for nothing, or who refused what they asked for', async () => {
  const sara = await shop.asked('Is it there in blue?', say('Yes, in blue and red.'))
  await sara.asks('Cancel my order 7', say('Which one?'))
  await assisted.pass(10 * MINUTE_MS)
  await sara.asks('No', say('As you like.'))
  const [first, , last] = await sara.got()
  expect([first, last]).toEqual(['Yes, in blue and red.', 'As you like.'])
})

test('is left out when a system of the shop did it, whatever the action is called', async () => {
  await make({ toolName: 'look_up', request: POST_ORDER, does: ['cancels'] })
  api.reply(json(200, { ok: true }))
  const sara = await shop.asked('Cancel my order 7', lookUp(), say('Your order is cancelled.'))
  expect(await sara.got()).toEqual(['Your order is cancelled.'])
})

test('an action without effects supports no claim of a change, and the model is asked once more', async () => {
  await make({ toolName: 'look_up', request: POST_ORDER, does: [] })
  const turns = [lookUp(), say('Sorted ✅'), say('It is not cancelled yet.')]
  const sara = await shop.asked('Cancel my order 7', ...turns)
  expect(await sara.got()).toEqual(['It is not cancelled yet.'])
})

test('an action on one order supports no claim about another, in no later reply either', async () => {
  await make({ toolName: 'look_up', request: POST_ORDER, does: ['cancels'] })
  api.reply(json(200, { ok: true }))
  const first = 'Order 1043 is cancelled.'
  const sara = await shop.asked('Cancel my order 1043', lookUp({ order: '1043' }), say(first))
  const turns = [say('Order 1042 is cancelled.'), say('No, that one is not cancelled.')]
  await sara.asks('And 1042?', ...turns)
  await sara.asks('And 1043?', say(first))
  expect(await sara.got()).toEqual([first, 'No, that one is not cancelled.', first])
})

test('the verdict of each text is counted, and a fault that is only observed does not stop the text', async () => {
  const TOKEN = 'a-token-of-the-operator-1'
  const watched = await startAssisted(undefined, { metricsToken: TOKEN, guardObserve: 'not_done' })
  try {
    const { url } = watched.world
    const other = await watched.openShop()
    const sara = await other.asked('Is it there?', say('Your order is cancelled.'))
    await sara.asks('Hello?', say('A colleague will call you.'), say('Yes, it is there.'))
    expect(await sara.got()).toEqual(['Your order is cancelled.', 'Yes, it is there.'])
    const headers = { authorization: `Bearer ${TOKEN}` }
    const metrics = await (await fetch(`${url}/metrics`, { headers })).text()
    for (const line of [
      'wasla_guard_total{verdict="sent",fault="none"} 2',
      'wasla_guard_total{verdict="observed",fault="not_done"} 1',
      'wasla_guard_total{verdict="repaired",fault="promised_person"} 1',
    ]) {
      expect(metrics).toContain(line)
    }
  } finally {
    await watched.close()
  }
})
