/** What members who watch are told of a broadcast, and what a customer sets off who answers it. */
import { beforeEach, expect, test } from 'vitest'
import { liveBroadcast } from '../../src/broadcasts/live-broadcast.ts'
import type { BroadcastView } from '../../src/contract/dashboard/broadcast.ts'
import type { FlowDetail } from '../../src/contract/dashboard/flow.ts'
import { tellIn } from '../../src/http/told-in.ts'
import { createLiveChanges } from '../../src/live/watch-changes.ts'
import { broadcastOf } from '../support/records/broadcasts.ts'
import { runsOf } from '../support/records/runs.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { openBroadcasts, type Broadcasts } from '../support/broadcasts.ts'
import { lookUntil } from '../support/live.ts'
import { systemTest } from '../support/system-tests.ts'

let news: Broadcasts
const tag = 'vip'
const { world, whatsApp } = await openWhatsApp()
beforeEach(async () => {
  news = await openBroadcasts(world, whatsApp)
})

test('Owners who watch see it change, as they would read it; agents and other companies nothing', async () => {
  const { context } = world.service
  const { accountId, companyId } = news.shop
  const other = await openBroadcasts(world, whatsApp)
  const live = createLiveChanges(context, {
    broadcast: liveBroadcast({ clock: context.clock, tell: tellIn('en') }),
  })
  const watch = (watcher: { accountId: string; companyId: string; role: 'owner' | 'agent' }) => {
    const told: BroadcastView[] = []
    const kinds: string[] = []
    const stop = live.watch({
      ...watcher,
      position: null,
      tell(message) {
        kinds.push(message.kind)
        if (message.kind !== 'changed') return
        told.push(...message.things.map(({ thing }) => thing as BroadcastView))
      },
    })
    return { told, kinds, stop }
  }
  const watchers = [
    watch({ accountId, companyId, role: 'owner' }),
    watch({ accountId, companyId, role: 'agent' }),
    watch({
      accountId: other.shop.accountId,
      companyId: other.shop.companyId,
      role: 'owner',
    }),
  ] as const
  const [owner, agent, stranger] = watchers
  await lookUntil('all are ready', live, () => watchers.every(({ kinds }) => kinds.length === 1))
  await news.contacts(2, tag)
  const id = await news.start(tag)
  await lookUntil('the draft is told', live, () => owner.told.length > 0)
  await news.finish(id)
  await lookUntil('the end is told', live, () => owner.told.some(({ state }) => state === 'done'))
  for (const { stop } of watchers) stop()
  expect(owner.told.every((view) => view.id === id && view.name === 'News')).toBe(true)
  expect(owner.told.at(-1)).toMatchObject({ state: 'done', total: 2 })
  expect([agent.told, stranger.told]).toEqual([[], []])
})

systemTest('it ends later where another one shares its number, and says so', async () => {
  await news.contacts(60, tag)
  const first = await news.start(tag, { perSecond: 10 })
  const second = await news.start(tag, { perSecond: 10 })
  await whatsApp.settle()
  await news.pass(2)
  const place = async (id: string) => (await broadcastOf(world, id)).place
  for (const id of [first, second]) {
    const { endsAt } = await news.show(id)
    const leftMs = new Date(endsAt!).getTime() - world.clock.now().getTime()
    expect(leftMs).toBe((60 - (await place(id))) * 200)
  }
})

systemTest(
  'a button of its template that a customer presses starts the flow with that trigger',
  async () => {
    const { phone } = await news.contact({ tags: [tag] })
    const flows = `${news.at}/flows`
    const made = await news.owner.ask<FlowDetail>('POST', flows, { name: 'More' })
    const draft = {
      channelId: news.shop.channelId,
      trigger: { kind: 'template_button', template: 'sale', button: 'Tell me more' },
      start: 'hello',
      steps: { hello: { kind: 'send_message', text: 'Half the price until Friday', next: null } },
    }
    await news.owner.ask('PUT', `${flows}/${made.body.id}/draft`, draft)
    const published = await news.owner.ask('POST', `${flows}/${made.body.id}/publish`)
    expect(published.status).toBe(200)
    await news.finish(await news.start(tag, { template: { name: 'sale', language: 'en' } }))
    world.clock.advance(1_000)
    whatsApp.simulator.tapButton({ from: phone!, buttonIndex: 1 })
    await whatsApp.settle()
    const runs = await runsOf(world, { companyId: news.shop.companyId })
    expect(runs).toMatchObject([
      { flowId: made.body.id, triggerKind: 'template_button', status: 'completed' },
    ])
    expect(news.sent().at(-1)).toEqual({ to: phone, text: 'Half the price until Friday' })
  },
)
