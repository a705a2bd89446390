/** The set-up of a model that reasons: the request to its server, and its limit of tokens. Spec: Assistant › Models. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { ModelView, TestedModel } from '../../src/contract/dashboard/model.ts'
import { MODEL_LIMITS } from '../../src/core/limits/models.ts'
import type { Member } from '../support/dashboard.ts'
import { startModelServer, type AskedOfModel, type ModelServer } from '../support/model-server.ts'
import { call, raw, say } from '../support/model-turns.ts'
import { openWorld } from '../support/open-world.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { askAs } from '../models/models-world.ts'

const answerWith = (message: object, finish_reason: string) =>
  raw(200, JSON.stringify({ choices: [{ index: 0, message, finish_reason }] }))
/** An answer to the test question that the model reasoned about before. */
const reasoned = () =>
  answerWith(
    {
      content: '',
      reasoning_content: 'Line seven it is.',
      tool_calls: [
        { id: 'c', type: 'function', function: { name: 'read_line', arguments: '{"line":7}' } },
      ],
    },
    'tool_calls',
  )
const fullOfReasoning = () => answerWith({ content: '', reasoning_content: 'Line' }, 'length')

let server: ModelServer
let owner: Member
let accountId: string
const world = await openWorld({
  models: { pause: () => Promise.resolve() },
  operatorModel: () => null,
})

beforeEach(async () => {
  server = await startModelServer({ tls: world.receiver.authority })
  server.otherwise = call('read_line', { line: 7 })
  const owned = await ownedShop(world)
  ;({ owner } = owned)
  ;({ accountId } = owned.shop)
  return () => server.close()
})

const create = () =>
  owner.ask<ModelView>('POST', '/models', {
    kind: 'openai_compatible',
    modelName: 'small',
    baseUrl: server.baseUrl,
  })
const edit = (id: string, change: object) => owner.ask<ModelView>('PATCH', `/models/${id}`, change)
const tested = async (id: string) =>
  (await owner.ask<TestedModel>('POST', `/models/${id}/test`)).body

describe('A model is set up', () => {
  /** Returns a model that reasons unless the request has this member, which switches it off. */
  const reasonsUnless = (member: string) => (asked: AskedOfModel) =>
    asked.wire.includes(member) ? call('read_line', { line: 7 }) : reasoned()

  test.each([
    ['Ollama', '"reasoning_effort":"none"'],
    ['DeepSeek', '"thinking":{"type":"disabled"}'],
    ['vLLM, llama.cpp, SGLang', '"chat_template_kwargs":{"enable_thinking":false}'],
  ])('so that it does not reason, in the way of its server (%s)', async (_, member) => {
    server.otherwise = reasonsUnless(member)
    const { body } = await create()
    expect(body).toMatchObject({ thinking: 'off', reasonsAnyway: false })
    await askAs(world, accountId)
    expect(server.asked.at(-1)!.wire).toContain(member)
    expect(await tested(body.id)).toMatchObject({ isFit: true })
    await edit(body.id, { thinking: 'on', revision: body.revision })
    await askAs(world, accountId)
    expect(server.asked.at(-1)!.wire).not.toContain(member)
  })

  test('as one that reasons if it reasons anyway, with enough tokens for that', async () => {
    server.otherwise = reasoned()
    const { status, body } = await create()
    expect([status, body.reasonsAnyway]).toEqual([201, true])
    const asked = await askAs(world, accountId)
    expect(asked.answer).toMatchObject({ ok: true })
    const room = `"max_tokens":${MODEL_LIMITS.tokensOutReasoning}`
    expect(server.asked.at(-1)!.wire).toContain(room)
  })

  test('with more tokens for the next question after an answer that was only reasoning', async () => {
    await create()
    server.script(fullOfReasoning(), say('At nine.'))
    const { answer, tried } = await askAs(world, accountId)
    expect(answer).toMatchObject({ ok: true, text: 'At nine.' })
    expect(tried).toEqual([{ model: 'small', failure: 'answer_only_reasoned' }])
    const room = `"max_tokens":${MODEL_LIMITS.maxReasoningTokensOut}`
    expect(server.asked.at(-1)!.wire).toContain(room)
  })

  test.each([
    ['thoughts', call('read_line', { line: 7 }, '<think>Line 7.</think>'), 'model_reasons_in_text'],
    ['calls', say('I look: <tool_call>read_line(7)</tool_call>'), 'model_calls_in_text'],
  ])('unless its server returns %s as text', async (_, turn, code) => {
    server.otherwise = turn
    const { status, body } = await create()
    expect(status).toBe(422)
    expect(body).toMatchObject({ errors: [{ field: 'modelName', code }] })
  })
})
