/** Additional output of servers next to or within an answer: reasoning, calls as text, and marks of templates. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { hasCarried, withCarried } from '../../src/modules/models/carried.ts'
import type { ModelRequest } from '../../src/modules/models/model.ts'
import { createModelHttpClient } from '../../src/modules/models/model-http-client.ts'
import { openModel } from '../../src/modules/models/open-model.ts'
import type { ModelKind } from '../../src/core/vocabulary/models.ts'
import { startModelServer } from '../support/model-server.ts'
import { call, raw, say, toCompletion, type Turn } from '../support/model-turns.ts'
import { ask, KEY, SEARCH } from './models-world.ts'

const server = await startModelServer()
const guard = { resolve: () => Promise.resolve([]), isAllowedAddress: () => false }
const client = createModelHttpClient({ kind: 'operator', guard, extraCa: [] })
afterAll(async () => {
  await client.close()
  await server.close()
})
beforeEach(() => void (server.asked.length = 0))

const never = new AbortController().signal
const answerOf = (
  turn: Turn,
  kind: ModelKind = 'openai_compatible',
  change: Partial<ModelRequest> = {},
) => {
  server.script(turn)
  const setUp = { kind, modelName: 'scripted', baseUrl: server.baseUrl, key: KEY }
  return openModel(setUp, client).call(ask(change), never)
}

const THOUGHT = 'She owes 120 riyals; I must not say so.'
const ANSWER = 'We open at nine.'
const CHAT: ModelKind[] = ['openai', 'openai_compatible']

/** A whole answer with these members in its message. */
function completion(message: object, finish_reason = 'stop', reasoning_tokens?: number): Turn {
  const details =
    reasoning_tokens === undefined ? {} : { completion_tokens_details: { reasoning_tokens } }
  const body = {
    id: 'chatcmpl-9',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'served',
    choices: [
      { index: 0, message: { role: 'assistant', ...message }, logprobs: null, finish_reason },
    ],
    usage: { prompt_tokens: 90, completion_tokens: 60, total_tokens: 150, ...details },
  }
  return raw(200, JSON.stringify(body))
}

describe('Reasoning next to an answer', () => {
  const parts = [
    { type: 'thinking', thinking: [{ type: 'text', text: THOUGHT }], closed: true },
    { type: 'text', text: ANSWER },
  ]
  const FIELDS: [string, object][] = [
    [
      'vLLM, DeepSeek, llama.cpp: reasoning_content',
      { reasoning_content: THOUGHT, content: ANSWER },
    ],
    ['vLLM since 0.11, Ollama: reasoning', { reasoning: THOUGHT, content: ANSWER }],
    ['Ollama: thinking', { thinking: THOUGHT, content: ANSWER }],
    ['Mistral: parts', { content: parts }],
    [
      'a router: reasoning_details',
      { reasoning: THOUGHT, reasoning_details: [{ text: THOUGHT }], content: ANSWER },
    ],
  ]
  test.each(
    FIELDS.flatMap(([name, message]) => CHAT.map((kind) => [name, kind, message] as const)),
  )('is shown nowhere: %s (%s)', async (_, kind, message) => {
    const answer = await answerOf(completion(message), kind)
    expect(answer).toMatchObject({ ok: true, text: ANSWER, finish: 'stop' })
    expect(JSON.stringify(answer)).not.toContain('riyals')
  })

  test('has its length reported', async () => {
    const message = { reasoning_content: THOUGHT, content: ANSWER }
    const answer = await answerOf(completion(message, 'stop', 412))
    expect(answer.ok && answer.thought).toEqual({
      chars: THOUGHT.length,
      tokens: 412,
      isInText: false,
    })
    const plain = await answerOf(say(ANSWER))
    expect(plain.ok && plain.thought).toBeNull()
  })
})

describe('Reasoning within an answer', () => {
  test.each([...CHAT, 'anthropic'] as const)(
    'is shown nowhere for the kind %s, however the text marks it',
    async (kind) => {
      const channel = '<|start|>assistant<|channel|>final<|message|>'
      for (const text of [
        `<think>\n${THOUGHT}\n</think>\n\n${ANSWER}`,
        `<|channel|>analysis<|message|>${THOUGHT}<|end|>${channel}${ANSWER}<|return|>`,
        `<|im_start|>assistant\n${ANSWER}<|im_end|>\n<|im_start|>user\n${THOUGHT}`,
      ]) {
        const answer = await answerOf(say(text), kind)
        expect(answer).toMatchObject({ ok: true, text: ANSWER })
        expect(JSON.stringify(answer)).not.toContain('riyals')
      }
    },
  )

  test('is not shown when it is next to a call, or in the arguments of one', async () => {
    const reason = `<think>${THOUGHT}</think>Wants hours`
    const answer = await answerOf(
      call(SEARCH.name, { wording: reason }, `<think>${THOUGHT}</think>`),
    )
    expect(answer).toMatchObject({
      text: '',
      calls: [{ name: SEARCH.name, input: '{"wording":"Wants hours"}' }],
    })
  })

  test.each([
    ['in a field', completion({ content: null, reasoning_content: THOUGHT }, 'length')],
    ['in a field that no adapter reads, by its tokens', completion({ content: '' }, 'length', 60)],
    ['in the text, cut off', completion({ content: `<think>${THOUGHT}` }, 'length')],
    ['in channels without a final one', say(`<|channel|>analysis<|message|>${THOUGHT}<|end|>`)],
  ])('makes the answer a failure when there is nothing else (%s)', async (_, turn) => {
    const failed = { ok: false, failure: 'answer_only_reasoned', status: 200, retryAfterMs: null }
    expect(await answerOf(turn)).toEqual(failed)
  })
})

describe('A call that its server did not parse', () => {
  const written = (name: string, args: object = { wording: 'hours' }) =>
    `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`

  test.each(CHAT)('is made when the tool was offered (%s)', async (kind) => {
    const answer = await answerOf(say(`<think>${THOUGHT}</think>${written(SEARCH.name)}`), kind)
    const calls = [{ id: 'written1', name: SEARCH.name, input: '{"wording":"hours"}' }]
    expect(answer).toMatchObject({ text: '', calls, finish: 'tools' })
  })

  test('has numbers where its tool expects some, whatever the form wrote', async () => {
    const pick = {
      ...SEARCH,
      name: 'pick',
      parameters: {
        ...SEARCH.parameters,
        properties: { at: { type: 'integer' }, code: { type: 'string' } },
      },
    }
    const text =
      '<function=pick><parameter=at>7</parameter><parameter=code>007</parameter></function>'
    const answer = await answerOf(say(text), 'openai_compatible', { tools: [pick] })
    expect(answer).toMatchObject({ calls: [{ name: 'pick', input: '{"at":7,"code":"007"}' }] })
  })

  test('stays a text for the guard when it names no tool, or when no tool may be used', async () => {
    const unknown = await answerOf(say(written('no_such_tool')))
    expect(unknown).toMatchObject({ text: written('no_such_tool'), calls: [] })
    const forWords = await answerOf(say(written(SEARCH.name)), 'openai_compatible', {
      toolChoice: 'none',
    })
    expect(forWords).toMatchObject({ text: written(SEARCH.name), calls: [] })
    const among = await answerOf(say(`I look. ${written(SEARCH.name)}`))
    expect(among).toMatchObject({ calls: [], finish: 'stop' })
  })

  test('is none when it is in the reasoning', async () => {
    const answer = await answerOf(say(`<think>${written(SEARCH.name)}</think>${ANSWER}`))
    expect(answer).toMatchObject({ text: ANSWER, calls: [] })
  })

  test('loses the name of a channel that the server left after its tool', async () => {
    const answer = await answerOf(call(`${SEARCH.name}<|channel|>commentary`, { wording: 'hours' }))
    expect(answer).toMatchObject({ calls: [{ name: SEARCH.name }] })
  })
})

test('Data that a server wants back goes to the model that it came from, with its call, and to no other', () => {
  const carried = { model: 'one/1', reasoning: THOUGHT, calls: {} }
  const said = {
    by: 'assistant',
    text: '',
    calls: [{ id: 'a', name: SEARCH.name, input: '{}' }],
    step: '1.1',
  } as const
  const given = (model: string, change: object = {}) =>
    withCarried(ask({ messages: [{ ...said, ...change }] }), { '1.1': carried }, model)
  expect(hasCarried(given('one/1'))).toBe(true)
  expect(hasCarried(given('one/2'))).toBe(false)
  expect(hasCarried(given('one/1', { step: '2.1' }))).toBe(false)
  expect(hasCarried(given('one/1', { calls: [] }))).toBe(false)
})

test('Half an answer in parts is none', async () => {
  expect(await answerOf(completion({ content: [{ kind: 'text' }] }), 'openai')).toMatchObject({
    failure: 'answer_unreadable',
  })
  const whole = JSON.stringify(toCompletion({ kind: 'answer', text: ANSWER, calls: [] }, 1))
  expect(await answerOf(raw(200, `${whole}]`), 'openai')).toMatchObject({
    failure: 'answer_unreadable',
  })
})
