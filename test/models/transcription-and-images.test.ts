/** Transcription and images with models of an account, and a model that is changed while it is called. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { readCandidates } from '../../src/modules/models/candidates.sql.ts'
import { transcribe } from '../../src/modules/models/transcribe.ts'
import { startModelServer } from '../support/model-server.ts'
import { raw, refuse, say } from '../support/model-turns.ts'
import { openWorld } from '../support/open-world.ts'
import { allowTokens } from '../support/records/accounts.ts'
import { modelUseOf, putModel } from '../support/records/models.ts'
import { noticesOf } from '../support/records/notices.ts'
import { createOwnShop } from '../support/shop.ts'
import { addModel, ask, askAs, depsOf } from './models-world.ts'

let accountId: string
const world = await openWorld({
  operatorModel: () => null,
  models: { pause: () => Promise.resolve() },
})
const tls = world.receiver.authority
const first = await startModelServer({ tls })
const second = await startModelServer({ tls })
afterAll(async () => {
  await first.close()
  await second.close()
})
beforeEach(async () => {
  ;({ accountId } = await createOwnShop(world))
  await addModel(world, { accountId, position: 1, baseUrl: first.baseUrl, modelName: 'one' })
  await addModel(world, { accountId, position: 2, baseUrl: second.baseUrl, modelName: 'two' })
  for (const server of [first, second]) {
    server.asked.length = 0
    server.heard.length = 0
  }
})

const change = (position: number, set: Parameters<typeof putModel>[2]) =>
  putModel(world, { accountId, position }, set)

describe('A voice note', () => {
  const hear = (recording = { bytes: Buffer.from('OggS a voice'), mediaType: 'audio/ogg' }) =>
    transcribe(depsOf(world), {
      accountId,
      recording,
      signal: new AbortController().signal,
    })
  const used = () => modelUseOf(world, { accountId })

  test('is transcribed by the first model whose server can; when it fails, by the next', async () => {
    await change(2, { transcriptionModel: 'whisper-1' })
    expect(await hear()).toEqual({ text: 'Hello.', failure: null, model: 'two' })
    await change(1, { transcriptionModel: 'whisper-1' })
    first.scriptHeard(refuse(500))
    expect(await hear()).toEqual({ text: 'Hello.', failure: null, model: 'two' })
    expect([first.heard.length, second.heard.length]).toEqual([1, 2])
  })

  test('counts the tokens that the server reports, else a third of its bytes', async () => {
    await change(1, { transcriptionModel: 'whisper-1' })
    first.scriptHeard(raw(200, '{"text":"Hi","usage":{"input_tokens":31,"output_tokens":4}}'))
    await hear()
    const told = { purpose: 'customer', requests: 1, tokensIn: 31, tokensOut: 4, estimated: 0 }
    expect(await used()).toEqual([told])
    first.scriptHeard(say('مرحبا بك'))
    await hear()
    expect(await used()).toEqual([
      { ...told, requests: 2, tokensIn: 31 + 5, tokensOut: 4 + 5, estimated: 1 },
    ])
  })

  test('is sent nowhere once the allowance of the day is used up', async () => {
    await change(1, { transcriptionModel: 'whisper-1' })
    await allowTokens(world, { accountId }, 4)
    expect(await hear()).toMatchObject({ text: 'Hello.' })
    expect(await hear()).toEqual({ text: null, failure: 'allowance_used_up', model: null })
    expect(first.heard).toHaveLength(1)
  })

  test('exceeds the allowance of the day by only one of many concurrent ones, as in sequence', async () => {
    await change(1, { transcriptionModel: 'whisper-1' })
    await allowTokens(world, { accountId }, 1)
    const all = await Promise.all(Array.from({ length: 5 }, () => hear()))
    expect(all.map(({ failure }) => failure)).toEqual([
      null,
      ...Array.from({ length: 4 }, () => 'allowance_used_up'),
    ])
    expect(first.heard).toHaveLength(1)
  })

  test('counts with the requests of the assistant that are in flight, and they with it', async () => {
    await change(1, { transcriptionModel: 'whisper-1' })
    await allowTokens(world, { accountId }, 1)
    const [heard, asked] = await Promise.all([hear(), askAs(world, accountId)])
    expect([heard.failure, asked.answer]).toMatchObject([null, { failure: 'allowance_used_up' }])
    await allowTokens(world, { accountId }, 1_000)
    const note = { bytes: Buffer.alloc(300_000), mediaType: 'audio/ogg' }
    const [long, short] = await Promise.all([hear(note), hear()])
    expect([long.failure, short.failure]).toEqual([null, 'allowance_used_up'])
  })

  test('leaves its model usable for text when the server fails to transcribe it', async () => {
    await change(1, { transcriptionModel: 'whisper-1' })
    first.scriptHeard(...Array.from({ length: 5 }, () => refuse(500)))
    for (let each = 0; each < 5; each += 1) await hear()
    expect(await hear()).toMatchObject({ failure: 'circuit_open' })
    expect(await askAs(world, accountId)).toMatchObject({ model: 'one', tried: [] })
  })
})

test('A photo is shown to models that read images, which are called first, and to no other', async () => {
  await change(2, { readsImages: true })
  second.script(refuse(500), refuse(500))
  const image = { mediaType: 'image/png', bytes: Buffer.from('a picture'), text: 'Which colour?' }
  const message = { by: 'customer', text: '(A photo.)', image } as const
  const asked = await askAs(world, accountId, { request: ask({ messages: [message] }) })
  expect(asked).toMatchObject({ model: 'one', tried: [{ model: 'two' }, { model: 'two' }] })
  const base64 = image.bytes.toString('base64')
  expect(second.asked[0]!.wire).toContain(base64)
  expect(first.asked[0]!.wire).not.toContain(base64)
  expect(first.asked[0]!.wire).toContain('(A photo.)')
})

test('A model that was changed during a call is not marked as broken by the failure of the old key', async () => {
  const day = world.clock.now().toISOString().slice(0, 10)
  const known = await readCandidates(world.database.db.kysely, { accountId, day })
  await change(1, { revision: 2 })
  first.script(refuse(401))
  expect(await askAs(world, accountId, { known })).toMatchObject({ model: 'two' })
  expect(await askAs(world, accountId)).toMatchObject({ model: 'one' })
  expect(await noticesOf(world, { accountId })).toEqual([])
})
