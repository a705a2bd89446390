/** What a model can beside answering: nothing that it cannot do is saved with it, or switched on for customers. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AssistantView } from '../../src/contract/dashboard/assistant.ts'
import type { ModelView, TestedModel } from '../../src/contract/dashboard/model.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { call, refuse, say } from '../support/model-turns.ts'
import { startModelServer, type ModelServer } from '../support/model-server.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { createRandom } from '../support/random.ts'

const random = createRandom('model-abilities')

let world: World
let server: ModelServer
let shop: Shop
let owner: Member
beforeAll(async () => {
  world = await createWorld({ operatorModel: () => null })
  const { key, cert } = world.receiver.authority
  server = await startModelServer({ tls: { key, cert } })
})
afterAll(async () => {
  await world.close()
  await server.close()
})
beforeEach(async () => {
  const number = String(random()).slice(2, 12)
  shop = await createShop(world, { phoneNumberId: number, businessAccountId: number })
  owner = await signedIn(world, { accountId: shop.accountId })
  server.otherwise = call('read_line', { line: 7 })
  server.asked.length = 0
  server.heard.length = 0
})

const BOTH = { transcriptionModel: 'whisper-1', readsImages: true }
const create = (change: object = {}) => {
  const { baseUrl } = server
  const input = { kind: 'openai_compatible', modelName: 'small', baseUrl, key: 'k', ...change }
  return owner.ask<ModelView>('POST', '/models', input)
}
const edit = (id: string, change: object) => owner.ask<ModelView>('PATCH', `/models/${id}`, change)
const refusals = ({ body }: { body: unknown }) =>
  (body as { errors?: { field: string; code: string }[] }).errors?.map(
    ({ field, code }) => `${field}: ${code}`,
  )

test('a model that shall hear and see is sent a recording of silence and a picture of ours', async () => {
  const { status, body } = await create(BOTH)
  expect(status).toBe(201)
  expect(body).toMatchObject(BOTH)
  expect(server.heard.map(({ form }) => [form.model, form.fileName])).toEqual([
    ['whisper-1', 'voice.wav'],
  ])
  expect(server.asked).toHaveLength(2)
  expect(server.asked[1]!.wire).toContain('data:image/png;base64,')
})

test('one that does not is not saved so', async () => {
  server.scriptHeard(refuse(404))
  expect(refusals(await create(BOTH))).toEqual(['transcriptionModel: model_hears_nothing'])
  server.script(call('read_line', { line: 7 }), refuse(400))
  expect(refusals(await create(BOTH))).toEqual(['readsImages: model_sees_nothing'])
  expect(refusals(await create({ ...BOTH, kind: 'anthropic' }))).toEqual([
    'transcriptionModel: model_kind_hears_nothing',
  ])
})

test('of a model that is changed only what is new is tested', async () => {
  const { id } = (await create()).body
  server.asked.length = 0
  const hears = { transcriptionModel: 'whisper-1', revision: 1 }
  expect((await edit(id, hears)).body).toMatchObject({ transcriptionModel: 'whisper-1' })
  expect([server.asked.length, server.heard.length]).toEqual([0, 1])
  server.script(refuse(400))
  expect(refusals(await edit(id, { readsImages: true, revision: 2 }))).toEqual([
    'readsImages: model_sees_nothing',
  ])
  server.script(say('Green.'))
  expect((await edit(id, { readsImages: true, revision: 2 })).status).toBe(200)
  const deaf = await edit(id, { transcriptionModel: null, readsImages: false, revision: 3 })
  expect(deaf.body).toMatchObject({ transcriptionModel: null, readsImages: false })
})

test('a test of a model tells when it has stopped to hear', async () => {
  const { id } = (await create(BOTH)).body
  server.scriptHeard(refuse(404))
  const { body } = await owner.ask<TestedModel>('POST', `/models/${id}/test`)
  expect(body).toMatchObject({ isFit: false, why: { code: 'model_hears_nothing' } })
})

test('a company switches on what a model can, and nothing else', async () => {
  const at = `/companies/${shop.companyId}/assistant`
  const change = (json: object) => owner.ask<AssistantView>('PATCH', at, json)
  const { id } = (await create({ transcriptionModel: 'whisper-1' })).body
  const wanted = { transcribes: true, readsImages: true, revision: 0 }
  const refused = await change(wanted)
  expect([refused.status, refusals(refused)]).toEqual([422, ['readsImages: no_model_sees']])
  expect((await change({ transcribes: true, revision: 0 })).body).toMatchObject({
    transcribes: true,
    able: { transcribes: true, readsImages: false },
  })
  expect((await owner.ask('POST', `/models/${id}/switch-off`)).status).toBe(200)
  const { body } = await change({ name: 'Noor', transcribes: true, revision: 1 })
  expect(body).toMatchObject({ transcribes: true, able: { transcribes: false } })
  await change({ transcribes: false, revision: 2 })
  expect(refusals(await change({ transcribes: true, revision: 3 }))).toEqual([
    'transcribes: no_model_hears',
  ])
})
