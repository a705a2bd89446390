/** A flow on a website's chat: published by what the chat can do, and run by a visitor who is no contact. */
import { expect, test } from 'vitest'
import { HOUR_MS } from '../../src/limits/units.ts'
import { runsOf } from '../support/records/runs.ts'
import { openWorld } from '../support/open-world.ts'
import { createWebsite, openWidget } from '../support/visitors.ts'

const world = await openWorld()
const website = await createWebsite(world, 'web_widget')

const FLOW = {
  trigger: { kind: 'conversation_started' },
  start: 'ask',
  steps: {
    ask: {
      kind: 'ask',
      text: 'Which size?',
      answer: 'choice',
      options: [
        { value: 's', label: 'Small' },
        { value: 'l', label: 'Large' },
      ],
      saveAs: 'size',
      timeoutMinutes: 60,
      next: 'thank',
      onTimeout: 'done',
    },
    thank: { kind: 'send_message', text: 'You chose {{vars.size}}.', next: 'person' },
    person: { kind: 'handover', reason: 'flow_handover', reasonText: null, next: 'done' },
    done: { kind: 'end' },
  },
}

test('asks a visitor, takes their answer, hands over, and tells of it without a contact', async () => {
  const flows = `/companies/${website.shop.companyId}/flows`
  const made = await website.owner.ask<{ id: string }>('POST', flows, {
    name: 'Size',
    draft: { channelId: website.channelId, ...FLOW },
  })
  const published = await website.owner.ask('POST', `${flows}/${made.body.id}/publish`)
  expect([made.status, published.status]).toEqual([201, 200])
  const visitor = await openWidget(world.url, website.key)
  await visitor.say('Hello', { name: 'Noura' })
  const stream = await visitor.listen(visitor.session.position)
  await world.service.processAll()
  // There is nothing to tap in a chat: the options stand below each other.
  await stream.hears('Which size?\n\n1. Small\n2. Large')
  await visitor.say('2')
  await world.service.processAll()
  await stream.hears('You chose l.')
  await world.service.processAll()
  expect(stream.texts()).toEqual([
    'Hello',
    'Which size?\n\n1. Small\n2. Large',
    '2',
    'You chose l.',
  ])
  const told = world.receiver.received.map(({ event }) => event)
  const of = (type: string) => told.filter((event) => event.type === type)
  expect(of('flow.completed')).toMatchObject([
    {
      data: {
        run: { endReason: 'handed_over', variables: { size: 'l' } },
        contact: { id: null, name: 'Noura', phone: null, whatsAppId: null },
      },
    },
  ])
  expect(of('conversation.handover')).toMatchObject([{ data: { reason: 'flow_handover' } }])
  expect(of('contact.created')).toEqual([])
  await stream.close()
})

test('of a visitor who is erased a run ends in silence', async () => {
  const visitor = await openWidget(world.url, website.key)
  await visitor.say('Hello')
  await world.service.processAll()
  const latest = async () => (await runsOf(world, { companyId: website.shop.companyId })).at(-1)!
  const { id, conversationId, status } = await latest()
  expect(status).toBe('waiting')
  const told = world.receiver.received.length
  const path = `/companies/${website.shop.companyId}/conversations/${conversationId}/erase-visitor`
  expect((await website.owner.ask('POST', path, { confirm: true })).status).toBe(204)
  world.clock.advance(HOUR_MS)
  await world.service.processAll()
  expect(await latest()).toMatchObject({ id, status: 'cancelled' })
  const since = world.receiver.received.slice(told).map(({ event }) => event.type)
  expect(since).not.toContain('flow.completed')
})
