/** Misbehaving model servers: every failure becomes a code, in bounded time and memory. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { MODEL_LIMITS } from '../../src/core/limits/models.ts'
import type { ModelRequest, Model } from '../../src/modules/models/model.ts'
import { createModelHttpClient } from '../../src/modules/models/model-http-client.ts'
import { openModel } from '../../src/modules/models/open-model.ts'
import type { ModelKind } from '../../src/core/vocabulary/models.ts'
import {
  call,
  callAll,
  contextTooLong,
  cutAtLength,
  drip,
  empty,
  filtered,
  halfStream,
  hang,
  html,
  large,
  raw,
  redirect,
  refuse,
  reset,
  say,
  withoutChoices,
  withoutUsage,
  type Turn,
} from '../support/model-turns.ts'
import { holdTimers } from '../support/held-timers.ts'
import { startModelServer } from '../support/model-server.ts'
import { ask, KEY, PROMPT, SEARCH } from './models-world.ts'
import { systemTest } from '../support/system-tests.ts'

const never = new AbortController().signal

const server = await startModelServer()
const elsewhere = await startModelServer()
const guard = { resolve: () => Promise.resolve([]), isAllowedAddress: () => false }
const client = createModelHttpClient({ kind: 'operator', guard, extraCa: [] })
const timers = holdTimers(MODEL_LIMITS.requestMs)
afterAll(async () => {
  timers.release()
  await client.close()
  await server.close()
  await elsewhere.close()
})
beforeEach(() => {
  server.asked.length = 0
  // A request that hangs has used up its time.
  server.whenHanging = timers.elapse
})

const modelOf = (kind: ModelKind, key: string | null = KEY): Model =>
  openModel({ kind, modelName: 'scripted', baseUrl: server.baseUrl, key }, client)
/** Calls a model of a kind, which answers with this turn. */
const answerOf = (
  turn: Turn,
  kind: ModelKind = 'openai_compatible',
  change: Partial<ModelRequest> = {},
) => {
  server.script(turn)
  return modelOf(kind).call(ask(change), never)
}

const recording = { bytes: Buffer.from('OggS a voice'), mediaType: 'audio/ogg' }
const earOf = (transcriptionModel: string | null, kind: ModelKind = 'openai') => {
  const { baseUrl } = server
  return openModel({ kind, modelName: 'x', baseUrl, key: KEY, transcriptionModel }, client).hear
}

describe('A recording', () => {
  test('is sent to the server of the model, and its transcript is returned', async () => {
    const usage = '{"input_tokens":31,"output_tokens":4}'
    server.scriptHeard(raw(200, `{"text":" Hello. ","usage":${usage}}`))
    const heard = await earOf('whisper-1')!(recording, never)
    expect(heard).toEqual({ ok: true, text: 'Hello.', tokensIn: 31, tokensOut: 4 })
    const { form, headers } = server.heard.at(-1)!
    expect(form).toEqual({
      model: 'whisper-1',
      response_format: 'json',
      file: 'OggS a voice',
      fileName: 'voice.ogg',
    })
    expect(headers.authorization).toBe(`Bearer ${KEY}`)
  })

  test('cannot end its part of the form by its own bytes', async () => {
    const bytes = Buffer.from('OggS\r\n--wasla-0-voice\r\nname="model"\r\n\r\nother')
    await earOf('whisper-1')!({ ...recording, bytes }, never)
    expect(server.heard.at(-1)!.form).toMatchObject({ model: 'whisper-1', file: bytes.toString() })
  })

  test.each([
    ['401', () => refuse(401), 'unauthorized'],
    ['a redirect', () => redirect('http://127.0.0.1:1/'), 'redirect_refused'],
    ['silence', hang, 'timeout'],
    ['60 MB', () => large(60), 'answer_too_large'],
    ['a page of HTML', html, 'answer_unreadable'],
    ['no words', () => say('  '), 'answer_empty'],
  ])('with the response %s becomes a code, and nothing else', async (_name, turn, failure) => {
    server.scriptHeard(turn())
    const heard = await earOf('whisper-1')!(recording, never)
    expect(heard).toMatchObject({ ok: false, failure })
    expect(JSON.stringify(heard)).not.toContain(KEY)
  })

  test('is sent to no server without a transcription model, or of a kind that has none', () => {
    expect(earOf(null)).toBeNull()
    expect(earOf('whisper-1', 'anthropic')).toBeNull()
  })
})

const KINDS = ['openai', 'openai_compatible', 'anthropic'] as const

describe.each(KINDS)('A model of the kind %s', (kind) => {
  test('is called with its name, the key, the instructions and the tools', async () => {
    const answer = await answerOf(say('At nine.'), kind)
    expect(answer).toEqual({
      ok: true,
      text: 'At nine.',
      calls: [],
      finish: 'stop',
      usage: { tokensIn: 100, tokensOut: 20, isEstimated: false },
      thought: null,
      carried: null,
    })
    const [asked] = server.asked
    expect(asked!.path).toBe(kind === 'anthropic' ? '/v1/messages' : '/v1/chat/completions')
    expect(asked!.body.model).toBe('scripted')
    const { authorization, 'x-api-key': apiKey } = asked!.headers
    expect(kind === 'anthropic' ? apiKey : authorization).toBe(
      kind === 'anthropic' ? KEY : `Bearer ${KEY}`,
    )
    expect(asked!.headers['user-agent']).toBe('Wasla')
    expect(asked!.wire).toContain(`${PROMPT}\\n\\nBe short.`)
    expect(JSON.stringify(asked!.body.tools)).toContain(SEARCH.name)
    expect(asked!.body.stream ?? false).toBe(false)
  })

  test('calls tools, and gets their results under the service’s own id', async () => {
    const called = { name: SEARCH.name, input: { wording: 'hours' }, id: 'odd id/1' }
    const first = await answerOf(callAll(called), kind)
    expect(first).toMatchObject({ finish: 'tools', calls: [{ name: SEARCH.name }] })
    const calls = first.ok ? first.calls : []
    expect(JSON.parse(calls[0]!.input)).toEqual({ wording: 'hours' })
    const told = { callId: calls[0]!.id, name: SEARCH.name, text: 'Opens at nine.' }
    await answerOf(say('At nine.'), kind, {
      messages: [
        { by: 'customer', text: 'When do you open?' },
        { by: 'assistant', text: '', calls },
        { by: 'tool', ...told },
      ],
    })
    const { wire } = server.asked[1]!
    expect(wire).toContain('Opens at nine.')
    expect(wire).toContain('call00001')
    expect(wire).not.toContain('odd id/1')
  })

  test('gets a photo in the format of its protocol', async () => {
    const image = { mediaType: 'image/png', bytes: Buffer.from('a picture'), text: 'Which colour?' }
    const message = { by: 'customer', text: '(A photo.)', image } as const
    await answerOf(say('Blue.'), kind, { messages: [message] })
    const { body, wire } = server.asked[0]!
    const base64 = image.bytes.toString('base64')
    expect(JSON.stringify(body.messages)).toContain('Which colour?')
    expect(wire).toContain(
      kind === 'anthropic'
        ? `"media_type":"image/png","data":"${base64}"`
        : `"url":"data:image/png;base64,${base64}"`,
    )
    expect(wire).not.toContain('(A photo.)')
  })

  test('gets no choice of tools when only text is wanted; a call is reported apart from silence', async () => {
    const forWords = { toolChoice: 'none' } as const
    const words = await answerOf(call(SEARCH.name, { wording: 'x' }, 'Well.'), kind, forWords)
    expect(words).toMatchObject({ ok: true, text: 'Well.', calls: [], finish: 'stop' })
    expect(JSON.stringify(server.asked[0]!.body.tool_choice)).toContain('none')
    const silence = await answerOf(call(SEARCH.name, { wording: 'x' }), kind, forWords)
    expect(silence).toMatchObject({ ok: false, failure: 'called_unasked' })
  })

  test('has its tokens estimated when its answer counts none', async () => {
    const answer = await answerOf(withoutUsage('At nine.'), kind)
    expect(answer).toMatchObject({ usage: { isEstimated: true } })
    expect(answer.ok && answer.usage.tokensIn).toBeGreaterThan(80)
    expect(answer.ok && answer.usage.tokensOut).toBeGreaterThan(5)
  })

  const FAILURES: [string, () => Turn, string][] = [
    ['nothing', empty, 'answer_empty'],
    ['a filter’s refusal', filtered, 'filtered'],
    ['a page of HTML', html, 'answer_unreadable'],
    ['half a stream of events', halfStream, 'answer_unreadable'],
    ['no choices', withoutChoices, 'answer_unreadable'],
    ['JSON that is no answer', () => raw(200, '[1,2]'), 'answer_unreadable'],
    ['JSON that is cut off', () => raw(200, '{"choices":[{"message"'), 'answer_unreadable'],
    ['401', () => refuse(401), 'unauthorized'],
    ['403', () => refuse(403), 'unauthorized'],
    ['404', () => refuse(404), 'not_found'],
    ['400', () => refuse(400), 'bad_request'],
    ['429', () => refuse(429), 'rate_limited'],
    ['500', () => refuse(500), 'server_error'],
    ['529', () => refuse(529), 'server_error'],
    ['that the context is too long', contextTooLong, 'context_too_long'],
    ['a reset', reset, 'unreachable'],
    ['silence', hang, 'timeout'],
    ['a byte now and then', drip, 'timeout'],
    ['60 MB that are announced', () => large(60, true), 'answer_too_large'],
  ]
  test.each(FAILURES)('answers with %s: a code, and nothing else', async (_name, turn, failure) => {
    const answer = await answerOf(turn(), kind)
    expect(answer).toMatchObject({ ok: false, failure })
    const told = JSON.stringify(answer)
    for (const secret of [KEY, PROMPT, 'refused']) expect(told).not.toContain(secret)
  })

  test('is not followed when it redirects, so its key goes nowhere else', async () => {
    const answer = await answerOf(redirect(`${elsewhere.baseUrl}/chat/completions`), kind)
    const refused = { failure: 'redirect_refused', status: 302, retryAfterMs: null }
    expect(answer).toEqual({ ok: false, ...refused })
    expect(elsewhere.asked).toEqual([])
  })

  test('is read only up to the limit when it sends 60 MB', async () => {
    const before = server.bytesWritten()
    const answer = await answerOf(large(60), kind)
    expect(answer).toMatchObject({ ok: false, failure: 'answer_too_large' })
    // Bytes in the kernel's buffers were written too, but no more are.
    expect(server.bytesWritten() - before).toBeLessThan(20 * 1_048_576)
  })
})

test('Silence and slow bytes end at one deadline, and leave no socket open', async () => {
  server.script(drip(), hang())
  let hanging = 0
  server.whenHanging = () => (hanging += 1) === 2 && timers.elapse()
  const model = modelOf('openai_compatible')
  const answers = await Promise.all([model.call(ask(), never), model.call(ask(), never)])
  expect(answers).toMatchObject([{ failure: 'timeout' }, { failure: 'timeout' }])
  await expect.poll(() => server.openSockets()).toBeLessThanOrEqual(1)
})

test('The caller may end it, and the connection ends too', async () => {
  server.whenHanging = () => {}
  server.script(hang())
  const ending = new AbortController()
  const asked = modelOf('openai').call(ask(), ending.signal)
  await expect.poll(() => server.asked.length).toBe(1)
  ending.abort()
  expect(await asked).toMatchObject({ ok: false, failure: 'cancelled' })
})

systemTest('Forty concurrent answers of 60 MB are held in bounded memory', async () => {
  const model = modelOf('openai_compatible')
  server.script(...Array.from({ length: 40 }, () => large(60)))
  const before = process.memoryUsage().rss
  await Promise.all(Array.from({ length: 40 }, () => model.call(ask(), never)))
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1_048_576)
})

test('The failure says how long the server wants to be left alone', async () => {
  server.script(refuse(429, { 'retry-after': '3' }), refuse(429, { 'retry-after': 'tomorrow' }))
  const model = modelOf('openai_compatible')
  expect(await model.call(ask(), never)).toMatchObject({ retryAfterMs: 3_000 })
  expect(await model.call(ask(), never)).toMatchObject({ retryAfterMs: null })
})

test('Calls are returned as the model wrote them: bad JSON, unknown tools, equal ids', async () => {
  const calls = callAll(
    { name: SEARCH.name, input: '{"wording": ', id: 'same' },
    { name: 'no_such_tool', input: '', id: 'same' },
  )
  const answer = await answerOf(calls)
  expect(answer.ok && answer.calls).toEqual([
    { id: 'same', name: SEARCH.name, input: '{"wording": ' },
    { id: 'same+', name: 'no_such_tool', input: '' },
  ])
})

test('Only the first few of endless calls are read', async () => {
  const one = { name: SEARCH.name, input: '{}', id: 'same' }
  const calls = Array.from({ length: 2_000 }, () => one)
  const answer = await answerOf(callAll(...calls))
  expect(answer.ok && answer.calls).toHaveLength(MODEL_LIMITS.callsOfAnswer)
})

test('A server without keys is sent none', async () => {
  server.script(say('Hello.'))
  await modelOf('openai_compatible', null).call(ask(), never)
  expect(server.asked[0]!.headers.authorization).toBeUndefined()
})

test('An answer that was cut at its length limit says so; characters that no column can hold are removed', async () => {
  const cut = { text: 'We open at', finish: 'length' }
  expect(await answerOf(cutAtLength('We open at'))).toMatchObject(cut)
  const answer = await answerOf(say('a\0b\ud800c'))
  expect(answer).toMatchObject({ text: 'ab\ufffdc' })
})

test('A history that begins with the shop’s message, or lacks results of calls, is sent in a valid form', async () => {
  await answerOf(say('Yes.'), 'anthropic', {
    messages: [
      { by: 'assistant', text: 'Your order is ready.', calls: [] },
      { by: 'customer', text: 'Thanks' },
      {
        by: 'assistant',
        text: '',
        calls: [
          { id: 'a', name: SEARCH.name, input: 'not JSON' },
          { id: 'lost', name: SEARCH.name, input: '{}' },
        ],
      },
      { by: 'tool', callId: 'a', name: SEARCH.name, text: 'Found.' },
      { by: 'tool', callId: 'nobody', name: SEARCH.name, text: 'Never asked.' },
    ],
  })
  const { messages } = server.asked[0]!.body
  const roles = messages.map(({ role }) => role).join(' ')
  expect(roles).toBe('user assistant user assistant user')
  const { wire } = server.asked[0]!
  expect(wire).toContain('Found.')
  expect(wire).not.toContain('Never asked.')
  expect(wire).not.toContain('call00002')
})
