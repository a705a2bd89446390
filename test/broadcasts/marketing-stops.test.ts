/** Customers who tell the provider itself that they want no marketing from a number. Spec: reading R12. */
import { beforeEach, expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/limits/units.ts'
import { copyChannel } from '../support/records/credentials.ts'
import { moveMarketingStops } from '../support/records/broadcasts.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { openBroadcasts, type Broadcasts } from '../support/broadcasts.ts'
import { postWebhook, webhookOf } from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

const PHONE = '+966552131051'

let news: Broadcasts
const tag = 'vip'
const { world, whatsApp } = await openWhatsApp()
beforeEach(async () => {
  news = await openBroadcasts(world, whatsApp)
  await news.contact({ phone: PHONE, tags: [tag] })
})

async function tell(value: string, at: Date, about: object = {}) {
  const timestamp = at.getTime() / 1_000
  const told = { wa_id: PHONE.slice(1), category: 'marketing_messages', value, timestamp, ...about }
  const change = { field: 'user_preferences', value: { user_preferences: [told] } }
  expect(await postWebhook(world, webhookOf(news.shop, [change]))).toBe(200)
}
/** What becomes of who gets a broadcast. */
async function comesTo(template?: object) {
  const id = await news.start(tag, template ? { template } : {})
  await news.finish(id)
  const [{ state, skipReason } = {}] = await news.recipients(id)
  return skipReason ?? state
}
const SALE = { name: 'sale' }

test('are left out before anything is sent to them, and get what is no marketing', async () => {
  await tell('stop', world.clock.now())
  expect(await comesTo(SALE)).toBe('marketing_stopped')
  expect(await comesTo()).not.toBe('marketing_stopped')
  expect(news.sent()).toHaveLength(1)
})

test('are written to again once they say so, and not by what they said before', async () => {
  const stoppedAt = world.clock.now()
  await tell('stop', stoppedAt)
  await tell('resume', new Date(stoppedAt.getTime() - MINUTE_MS))
  expect(await comesTo(SALE)).toBe('marketing_stopped')
  world.clock.advance(MINUTE_MS)
  await tell('resume', world.clock.now())
  expect(await comesTo(SALE)).not.toBe('marketing_stopped')
})

systemTest('are not meant by a word that nobody knows, nor by one of something else', async () => {
  await tell('pause', world.clock.now())
  await tell('stop', world.clock.now(), { category: 'of_next_year' })
  await tell('stop', world.clock.now(), { wa_id: '966500000009' })
  expect(await comesTo(SALE)).not.toBe('marketing_stopped')
})

test('are not meant by what they said before the newest word, in whatever order it comes', async () => {
  const now = world.clock.now()
  const before = (minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS)
  await tell('stop', now)
  await tell('stop', before(2))
  await tell('resume', before(1))
  expect(await comesTo(SALE)).toBe('marketing_stopped')
})

systemTest('are written to from another number of the company', async () => {
  const other = { channelId: await copyChannel(world, news.shop) }
  await tell('stop', world.clock.now())
  await moveMarketingStops(world, news.shop, other)
  expect(await comesTo(SALE)).not.toBe('marketing_stopped')
})
