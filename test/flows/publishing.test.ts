/** What a flow names must be the company's, and be there, when it is published. Flows › Publishing; reading F3. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FlowDetail } from '../../src/contract/dashboard/flow.ts'
import { createWorld, type World } from '../support/service.ts'
import { simulateWhatsApp, type SimulatedWhatsApp } from '../support/simulator.ts'
import { uploadFile } from '../support/upload-file.ts'
import { SAYING, tellStory, type Story } from './triggers/trigger-stories.ts'

let world: World
let whatsApp: SimulatedWhatsApp
let story: Story
let stranger: Story
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
  story = await tellStory(world, whatsApp)
  stranger = await tellStory(world, whatsApp)
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

const KEYWORD = { kind: 'keyword', words: ['order'] }
const kysely = () => world.database.db.kysely
/** What keeps a flow of one step from being published. */
async function faultsOf(step: object): Promise<string[]> {
  const { answer } = await story.tryToPublish({ trigger: KEYWORD, steps: { hello: step } })
  expect(answer.status).toBe(422)
  return answer.body.errors!.map(({ field, code }) => `${field} ${code}`)
}
const addField = (of: Story, key: string) =>
  of.owner.ask<{ id: string }>('POST', `/companies/${of.shop.companyId}/contact-fields`, {
    key,
    label: key,
    kind: 'text',
  })

test('a field of another company, or one that was archived, is none', async () => {
  const sets = (key: string) => ({ kind: 'set_field', key, text: 'L', next: null })
  expect((await addField(stranger, 'theirs')).status).toBe(201)
  expect(await faultsOf(sets('theirs'))).toEqual(['steps.hello.key field_exists'])
  expect((await addField(story, 'size')).status).toBe(201)
  await story.publish({ trigger: KEYWORD, steps: { hello: sets('size') } })
  const archived = kysely().updateTable('contactField').set({ archivedAt: world.clock.now() })
  await archived.where('key', '=', 'size').execute()
  expect(await faultsOf(sets('size'))).toEqual(['steps.hello.key field_exists'])
})

test('a member or a file of another company is none', async () => {
  const assigns = { kind: 'assign', personId: stranger.owner.personId, next: null }
  expect(await faultsOf(assigns)).toEqual(['steps.hello.personId member_exists'])
  const asked = { query: { purpose: 'flow', name: 'menu.png' } }
  const fileId = await uploadFile(world, stranger.owner, stranger.shop.companyId, asked)
  const shows = { kind: 'send_media', fileId, caption: null, next: null }
  expect(await faultsOf(shows)).toEqual(['steps.hello.fileId file_exists'])
})

test('opening hours must be told before a flow waits for them', async () => {
  const waits = { kind: 'wait', until: { kind: 'open' }, next: null }
  expect(await faultsOf(waits)).toEqual(['steps.hello.until opening_hours_set'])
})

test('a channel that was deleted since it was chosen is gone', async () => {
  const { owner, shop, tryToPublish } = await tellStory(world, whatsApp)
  const deleted = (deletedAt: Date | null) =>
    kysely().updateTable('channel').set({ deletedAt }).where('id', '=', shop.channelId).execute()
  const flows = `/companies/${shop.companyId}/flows`
  const draft = { channelId: shop.channelId, trigger: KEYWORD, start: 'hello', steps: SAYING }
  const { body } = await owner.ask<FlowDetail>('POST', flows, { name: 'Order', draft })
  await deleted(world.clock.now())
  const refused = await owner.ask('POST', `${flows}/${body.id}/publish`)
  expect(refused).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'channelId', code: 'channel_gone' }] },
  })
  await deleted(null)
  expect((await tryToPublish({ trigger: KEYWORD })).answer.status).toBe(200)
})

test('published again, a flow is as old as before: of equal keywords it goes first', async () => {
  const { owner, shop, publish, write, started } = await tellStory(world, whatsApp)
  const first = await publish({ trigger: KEYWORD, name: 'first' })
  await publish({ trigger: KEYWORD, name: 'second' })
  const path = `/companies/${shop.companyId}/flows/${first}`
  const draft = { channelId: shop.channelId, trigger: KEYWORD, start: 'hello', steps: SAYING }
  expect((await owner.ask('PUT', `${path}/draft`, draft)).status).toBe(200)
  world.clock.advance(1_000)
  expect((await owner.ask('POST', `${path}/publish`)).status).toBe(200)
  await write({ text: 'order' })
  expect(await started()).toEqual(['first'])
})
