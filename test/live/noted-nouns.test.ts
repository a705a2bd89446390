/** What is set up in a company is told of by its id alone: whoever watches reads the lists again. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FlowDetail } from '../../src/contract/dashboard/flow.ts'
import type { NewHookUrl } from '../../src/contract/dashboard/hook-url.ts'
import { WEEKDAYS } from '../../src/rules/flows/opening-hours.ts'
import { NOTED_NOUNS } from '../../src/live/noted-nouns.ts'
import { createLiveChanges, type LiveChanges } from '../../src/live/watch-changes.ts'
import type { Role } from '../../src/vocabulary/accounts.ts'
import { askHook } from '../support/ask-hook.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { lookUntil } from '../support/live.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { uploadContacts } from '../support/upload-contacts.ts'

let world: World
let shop: Shop
let owner: Member
let live: LiveChanges
/** `noun id` of all that was told, by role. */
const told: Record<string, string[]> = { owner: [], agent: [] }
const stops: (() => void)[] = []
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
  live = createLiveChanges(world.service.context, NOTED_NOUNS)
  let ready = 0
  for (const role of ['owner', 'agent'] satisfies Role[]) {
    const stop = live.watch({
      accountId: shop.accountId,
      companyId: shop.companyId,
      role,
      position: null,
      tell(message) {
        if (message.kind === 'ready') ready += 1
        if (message.kind !== 'changed') return
        for (const { noun, thing } of message.things) {
          expect(Object.keys(thing)).toEqual(['id'])
          told[role]!.push(`${noun} ${(thing as { id: string }).id}`)
        }
      },
    })
    stops.push(stop)
  }
  await lookUntil('both are ready', live, () => ready === 2)
})
afterAll(async () => {
  for (const stop of stops) stop()
  live.stop()
  await world.close()
})

const at = (path: string) => `/companies/${shop.companyId}${path}`

/** Waits until this is told, anew. */
async function isTold(noun: string, id: string, who: Role[] = ['owner', 'agent']): Promise<void> {
  await lookUntil(`${noun} is told of`, live, () =>
    who.every((role) => told[role]!.includes(`${noun} ${id}`)),
  )
  expect(Object.keys(told).filter((role) => told[role]!.includes(`${noun} ${id}`))).toEqual(who)
  for (const role of Object.keys(told)) told[role] = []
}

async function ask<Body = { id: string }>(method: string, path: string, json?: unknown) {
  const answer = await owner.ask<Body>(method, at(path), json)
  expect(answer.status).toBeLessThan(300)
  return answer.body
}

test('a service, a person and the booking page: made, changed and deleted', async () => {
  const { id: resourceId } = await ask('POST', '/resources', { name: 'Mona', kind: 'person' })
  await isTold('resource', resourceId)
  await ask('PATCH', `/resources/${resourceId}`, {
    hours: { [WEEKDAYS[0]]: [{ from: '09:00', to: '17:00' }] },
  })
  await isTold('resource', resourceId)
  const { id: serviceId } = await ask('POST', '/services', {
    name: 'Haircut',
    minutes: 30,
    needs: [{ resourceId }],
  })
  await isTold('service', serviceId)
  await ask('PATCH', `/services/${serviceId}`, { isOn: false })
  await isTold('service', serviceId)
  for (const maxDays of [10, 20]) {
    await ask('PATCH', '/booking-page', { maxDays })
    await isTold('booking_page', shop.companyId)
  }
  await ask('DELETE', `/services/${serviceId}`)
  await isTold('service', serviceId)
  await ask('DELETE', `/resources/${resourceId}`)
  await isTold('resource', resourceId)
})

test('a flow: made, drawn, published and deleted, for those who may design', async () => {
  const draft = {
    channelId: shop.channelId,
    trigger: { kind: 'manual' },
    start: 'finish',
    steps: { finish: { kind: 'end' } },
  }
  const { id } = await ask<FlowDetail>('POST', '/flows', { name: 'Live' })
  await isTold('flow', id, ['owner'])
  world.clock.advance(1_000)
  await ask('PUT', `/flows/${id}/draft`, draft)
  await isTold('flow', id, ['owner'])
  await ask('POST', `/flows/${id}/publish`)
  await isTold('flow', id, ['owner'])
  await ask('DELETE', `/flows/${id}`)
  await isTold('flow', id, ['owner'])
})

test('a hook URL: its requests too, and that it is gone', async () => {
  const { id: flowId } = await ask<FlowDetail>('POST', '/flows', { name: 'Hooked' })
  const made = await ask<NewHookUrl>('POST', '/hook-urls', { flowId })
  const { id } = made.hookUrl
  await isTold('hook_url', id, ['owner'])
  for (const phone of ['nobody', '']) {
    await askHook(made.url, { customer: { phone } })
    await isTold('hook_url', id, ['owner'])
  }
  await ask('POST', `/hook-urls/${id}/replace`)
  await isTold('hook_url', id, ['owner'])
  await ask('DELETE', `/hook-urls/${id}`)
  await isTold('hook_url', id, ['owner'])
})

test('an import of contacts, as it comes along', async () => {
  const { body } = await uploadContacts(world, owner, shop, 'phone,name\n+966500000001,Sara\n')
  const upload = body.id
  await isTold('contact_import', upload, ['owner'])
  await ask('POST', `/contact-imports/${upload}/cancel`)
  await isTold('contact_import', upload, ['owner'])
})
