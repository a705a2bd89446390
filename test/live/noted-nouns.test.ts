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
/** Nouns with their things, as they were told, by role. */
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
          told[role]!.push(`${noun} ${JSON.stringify(thing)}`)
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

const ALL = ['owner', 'agent']
const DESIGNERS = ['owner']

/** Waits until this is told, anew and by its id alone. Gives the roles that are. */
async function toldOf(noun: string, id: string): Promise<string[]> {
  const line = `${noun} ${JSON.stringify({ id })}`
  await lookUntil(`${noun} is told of`, live, () => told.owner!.includes(line))
  const roles = Object.keys(told).filter((role) => told[role]!.includes(line))
  for (const role of Object.keys(told)) told[role] = []
  return roles
}

async function ask<Body = { id: string }>(method: string, path: string, json?: unknown) {
  const answer = await owner.ask<Body>(method, at(path), json)
  expect(answer.status).toBeLessThan(300)
  return answer.body
}

test('a service, a person and the booking page: made, changed and deleted', async () => {
  const { id: resourceId } = await ask('POST', '/resources', { name: 'Mona', kind: 'person' })
  expect(await toldOf('resource', resourceId)).toEqual(ALL)
  await ask('PATCH', `/resources/${resourceId}`, {
    hours: { [WEEKDAYS[0]]: [{ from: '09:00', to: '17:00' }] },
  })
  expect(await toldOf('resource', resourceId)).toEqual(ALL)
  const { id: serviceId } = await ask('POST', '/services', {
    name: 'Haircut',
    minutes: 30,
    needs: [{ resourceId }],
  })
  expect(await toldOf('service', serviceId)).toEqual(ALL)
  await ask('PATCH', `/services/${serviceId}`, { isOn: false })
  expect(await toldOf('service', serviceId)).toEqual(ALL)
  for (const maxDays of [10, 20]) {
    await ask('PATCH', '/booking-page', { maxDays })
    expect(await toldOf('booking_page', shop.companyId)).toEqual(ALL)
  }
  await ask('DELETE', `/services/${serviceId}`)
  expect(await toldOf('service', serviceId)).toEqual(ALL)
  await ask('DELETE', `/resources/${resourceId}`)
  expect(await toldOf('resource', resourceId)).toEqual(ALL)
})

test('a flow: made, drawn, published and deleted, for those who may design', async () => {
  const draft = {
    channelId: shop.channelId,
    trigger: { kind: 'manual' },
    start: 'finish',
    steps: { finish: { kind: 'end' } },
  }
  const { id } = await ask<FlowDetail>('POST', '/flows', { name: 'Live' })
  expect(await toldOf('flow', id)).toEqual(DESIGNERS)
  world.clock.advance(1_000)
  await ask('PUT', `/flows/${id}/draft`, draft)
  expect(await toldOf('flow', id)).toEqual(DESIGNERS)
  await ask('POST', `/flows/${id}/publish`)
  expect(await toldOf('flow', id)).toEqual(DESIGNERS)
  await ask('DELETE', `/flows/${id}`)
  expect(await toldOf('flow', id)).toEqual(DESIGNERS)
})

test('a hook URL: its requests too, and that it is gone', async () => {
  const { id: flowId } = await ask<FlowDetail>('POST', '/flows', { name: 'Hooked' })
  const made = await ask<NewHookUrl>('POST', '/hook-urls', { flowId })
  const { id } = made.hookUrl
  expect(await toldOf('hook_url', id)).toEqual(DESIGNERS)
  for (const phone of ['nobody', '']) {
    await askHook(made.url, { customer: { phone } })
    expect(await toldOf('hook_url', id)).toEqual(DESIGNERS)
  }
  await ask('POST', `/hook-urls/${id}/replace`)
  expect(await toldOf('hook_url', id)).toEqual(DESIGNERS)
  await ask('DELETE', `/hook-urls/${id}`)
  expect(await toldOf('hook_url', id)).toEqual(DESIGNERS)
})

test('an import of contacts, as it comes along', async () => {
  const { body } = await uploadContacts(world, owner, shop, 'phone,name\n+966500000001,Sara\n')
  const upload = body.id
  expect(await toldOf('contact_import', upload)).toEqual(DESIGNERS)
  await ask('POST', `/contact-imports/${upload}/cancel`)
  expect(await toldOf('contact_import', upload)).toEqual(DESIGNERS)
})
