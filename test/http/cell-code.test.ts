/** An installation puts the code of its cell into the tokens and addresses that name its accounts. */
import { expect, test } from 'vitest'
import type { ChannelView } from '../../src/contract/dashboard/channel.ts'
import type { FlowDetail } from '../../src/contract/dashboard/flow.ts'
import type { NewHookUrl } from '../../src/contract/dashboard/hook-url.ts'
import { readConfig } from '../../src/app/config.ts'
import { makeOptOutToken, readOptOutToken } from '../../src/modules/broadcasts/opt-out-link.ts'
import { postHook } from '../support/post-hook.ts'
import { itemsOf } from '../support/dashboard.ts'
import { openWorld } from '../support/open-world.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { createWebsite, openWidget } from '../support/visitors.ts'

const world = await openWorld({ cellCode: 'q7' })
const { shop, owner } = await ownedShop(world)
const company = `/companies/${shop.companyId}`

test('a hook URL has the code of the cell after its prefix, and starts the flow', async () => {
  const flow = await owner.ask<FlowDetail>('POST', `${company}/flows`, { name: 'Flow' })
  const made = await owner.ask<NewHookUrl>('POST', `${company}/hook-urls`, { flowId: flow.body.id })
  expect(made.body.url).toMatch(/\/hooks\/hook_q7[A-Za-z0-9_-]{41}$/)
  // Not published yet, but the token is known.
  expect((await postHook(made.body.url)).status).toBe('flow_off')
})

test('the callback of a provider has the code of the cell, and is answered with and without it', async () => {
  const [channel] = await itemsOf<ChannelView>(owner, `${company}/channels`)
  expect(channel!.webhookUrl).toBe(`${world.url}/webhooks/whatsapp/q7`)
  for (const path of ['/webhooks/whatsapp/q7', '/webhooks/whatsapp', '/webhooks/whatsapp/x1']) {
    expect((await fetch(world.url + path, { method: 'POST', body: '{}' })).status).toBe(401)
  }
  expect((await fetch(`${world.url}/webhooks/whatsapp/Q7`, { method: 'POST' })).status).toBe(404)
})

test('links to a calendar and out of broadcasts begin with the code of the cell', async () => {
  const link = await owner.ask<{ url: string }>('POST', `${company}/calendar-links`, {
    resourceId: null,
  })
  expect(link.body.url).toMatch(/\/calendar\/cal_q7[A-Za-z0-9_-]{41}\.ics$/)
  const { keyRing, context } = world.service
  const said = { contactId: context.ids.uuid(), broadcastId: context.ids.uuid() }
  const token = makeOptOutToken(keyRing, said, context.ids.cell)
  expect(token).toMatch(/^q7[A-Za-z0-9_-]{59}$/)
  expect(readOptOutToken(keyRing, token)).toEqual(said)
  expect(readOptOutToken(keyRing, token.slice(2))).toBe(null)
})

test('the key of a website’s chat begins with the code of the cell, so that visitors are known by it', async () => {
  const { key } = await createWebsite(world, 'web_widget', { shop, owner })
  expect(key).toMatch(/^q7/)
  const visitor = await openWidget(world.url, key)
  expect(visitor.token).toMatch(/^q7/)
  await visitor.say('Hello')
  const { body } = await visitor.ask<{ ticket: string }>('POST', '/tickets', {})
  expect(body.ticket).toMatch(/^q7/)
})

test('a session begins with the code of the cell', () => {
  expect(owner.token).toMatch(/^q7[A-Za-z0-9_-]{41}$/)
})

test('a code that is not two lower-case letters or digits ends the start', () => {
  expect(readConfig({ CELL_CODE: '' }, [], '/tmp').cell).toBe('00')
  for (const code of ['A1', 'a', 'abc', '-1']) {
    expect(() => readConfig({ CELL_CODE: code }, [], '/tmp')).toThrow(/CELL_CODE/)
  }
})
