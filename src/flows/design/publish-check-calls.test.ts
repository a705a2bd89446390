import { NOTHING_KNOWN, reply, surroundings } from '../../../test/support/engine.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FlowDraft } from '../../contract/flow-definition.ts'
import { advance, type RunInput, type RunState } from '../runs/advance.ts'
import { tellFact } from '../../words/tell-fact.ts'
import { canBePublished, checkForPublishing, type PublishSurroundings } from './publish-check.ts'
import { systemTest } from '../../../test/support/system-tests.ts'

const around: PublishSurroundings = {
  ...NOTHING_KNOWN,
  plan: 'business',
  channel: { type: 'whatsapp', isConnected: true },
  otherFlowsOn: 0,
  connections: [],
  otherTriggers: [],
  templates: [
    {
      name: 'ready',
      language: 'ar',
      status: 'APPROVED',
      components: [{ type: 'BODY', text: 'Your order is ready' }],
    },
  ],
}

const send = (next: string | null) => ({
  kind: 'send_template',
  template: 'ready',
  language: 'ar',
  header: null,
  body: [],
  next,
})
const say = (next: string | null, text = 'Hi') => ({ kind: 'send_message', text, next })
const wait = (next: string | null, onTimeout: string | null = null) => ({
  kind: 'wait_for_reply',
  saveAs: null,
  timeoutMinutes: 60,
  next,
  onTimeout,
})
const choose = (next: string | null, otherwise: string | null) => ({
  kind: 'condition',
  variable: 'order',
  is: 'equal',
  value: '1',
  next,
  otherwise,
})

function draft(steps: Record<string, object>, trigger: object = {}): FlowDraft {
  return FlowDraft.parse({
    channelId: 'c',
    trigger: {
      kind: 'webhook',
      phonePath: 'phone',
      namePath: null,
      languagePath: null,
      keep: [{ name: 'order', path: 'order.id' }],
      ...trigger,
    },
    start: Object.keys(steps)[0] ?? 'none',
    steps,
  })
}

/** `step: rule` of each problem, warnings in round brackets. */
function found(flow: FlowDraft, change: Partial<PublishSurroundings> = {}): string[] {
  return checkForPublishing(flow, { ...around, ...change }).map(({ stepId, rule, isWarning }) => {
    const name = `${stepId ?? '-'}: ${rule}`
    return isWarning ? `(${name})` : name
  })
}

const SHOP_API = '01920000-0000-7000-8000-000000000001'
const OFF_API = '01920000-0000-7000-8000-000000000002'

const call = (
  next: string | null,
  onFailure: string | null,
  request: object = {},
  keep: object[] = [],
) => ({
  kind: 'http_request',
  request: {
    connectionId: SHOP_API,
    method: 'GET',
    path: '/orders',
    query: [],
    headers: [],
    body: null,
    ...request,
  },
  keep,
  next,
  onFailure,
})

describe('A step that calls the merchant’s system', () => {
  const withApi = {
    connections: [
      { id: SHOP_API, name: 'Shop', isOn: true },
      { id: OFF_API, name: 'Off', isOn: false },
    ],
  }
  const foundIn = (steps: Record<string, unknown>, more: Partial<PublishSurroundings> = {}) =>
    found(draft({ ...steps, send: send(null) }), { ...withApi, ...more })

  test('may come before the template, on every branch', () => {
    expect(foundIn({ a: call('send', 'send') })).toEqual([])
  })

  test('needs a connection that the company has', () => {
    expect(foundIn({ a: call('send', 'send') }, { connections: [] })).toEqual([
      'a: connection_exists',
    ])
  })

  test('through a connection that is off, or on a plan without calls, is only warned of', () => {
    expect(foundIn({ a: call('send', 'send', { connectionId: OFF_API }) })).toEqual([
      '(a: connection_on)',
    ])
    expect(foundIn({ a: call('send', 'send') }, { plan: 'pro' })).toEqual([
      '(-: in_plan)',
      '(-: in_plan)',
    ])
  })

  test.each([
    [{ path: 'orders' }],
    [{ path: '/a/../b' }],
    [{ path: '/a/./b' }],
    [{ path: '/a?b=1' }],
    [{ path: '/a#b' }],
    [{ path: '/a/{{args.x}}' }],
    [{ path: '/a/{{contact.phone}}' }],
    [{ path: '/a/{{identity}}' }],
    [{ path: '/a/{{vars.x' }],
    [{ headers: [{ name: 'authorization', value: 'v' }] }],
    [{ headers: [{ name: 'X-Forwarded-For', value: 'v' }] }],
    [{ body: '{"a":1}' }],
    [{ method: 'DELETE', body: '{"a":1}' }],
    [{ method: 'POST', body: '"text"' }],
    [{ method: 'POST', body: '{"a":{{vars.order}}}' }],
  ])('is refused with a request such as %j', (request) => {
    expect(foundIn({ a: call('send', 'send', request) })).toContain('a: request_valid')
  })

  test('is refused when it keeps a value by a path that cannot be read, or under a name that is taken', () => {
    const keep = (...values: [string, string][]) =>
      foundIn({
        a: call(
          'send',
          'send',
          {},
          values.map(([name, path]) => ({ name, path })),
        ),
      })
    expect(keep(['status', 'order.status'])).toEqual([])
    expect(keep(['status', 'a b'])).toEqual(['a: path_readable'])
    expect(keep(['http_status', 'a'])).toEqual(['a: request_valid'])
    expect(keep(['a', 'x'], ['a', 'y'])).toEqual(['a: request_valid'])
  })

  test('reads variables in every part of its request, and sets http_status and what it keeps', () => {
    const request = {
      method: 'POST',
      path: '/{{vars.p}}',
      query: [{ name: 'q', value: '{{vars.q}}' }],
      headers: [{ name: 'X-H', value: '{{vars.h}}' }],
      body: '{"b":"{{vars.b}}"}',
    }
    expect(foundIn({ a: call('send', 'send', request) })).toEqual(
      Array.from({ length: 4 }, () => '(a: variable_set)'),
    )
    const reads = say(null, '{{vars.http_status}} {{vars.status}}')
    const keep = [{ name: 'status', path: 'status' }]
    expect(
      found(
        draft({
          a: call('send', 'send', {}, keep),
          send: send('wait'),
          wait: wait('say'),
          say: reads,
        }),
        withApi,
      ),
    ).toEqual([])
  })

  test('is refused when a way to it has three other calls and no message of the customer', () => {
    const row = (last: string) => ({
      a: call('b', null),
      b: call('c', null),
      c: call(last, null),
      d: call('send', 'send'),
    })
    expect(foundIn(row('d'))).toEqual(['d: calls_in_a_row'])
    expect(foundIn({ ...row('choose'), choose: choose('d', 'send') })).toEqual([
      'd: calls_in_a_row',
    ])
    // A reply begins a new go; silence does not.
    const after = (next: string, onTimeout: string | null) => ({
      first: send('a'),
      a: call('b', null),
      b: call('c', null),
      c: call('ask', null),
      ask: wait(next, onTimeout),
      d: call(null, null),
    })
    expect(found(draft(after('d', null)), withApi)).toEqual([])
    expect(found(draft(after('d', 'd')), withApi)).toEqual(['d: calls_in_a_row'])
    const [problem] = checkForPublishing(draft(after('d', 'd')), { ...around, ...withApi })
    expect(tellFact(problem!, 'en')).toContain('"a", "b", "c", "d"')
  })

  test('is refused when silence leads back to it again and again', () => {
    const polls = { tell: send('a'), a: call('ask', 'ask'), ask: wait(null, 'a') }
    expect(found(draft(polls), withApi)).toEqual(['a: calls_in_a_row'])
  })
})

const ids = ['a', 'b', 'c', 'd', 'e', 'f'] as const
const target = fc.option(fc.constantFrom(...ids), { freq: 2 })
const two = fc.tuple(target, target)
const anyStep = fc.oneof(
  { weight: 4, arbitrary: two.map(([next, onFailure]) => call(next, onFailure)) },
  { weight: 2, arbitrary: two.map(([next, late]) => wait(next, late)) },
  { weight: 1, arbitrary: two.map(([next, otherwise]) => choose(next, otherwise)) },
)
const anyDraft = fc
  .array(anyStep, { minLength: ids.length, maxLength: ids.length })
  .map((steps) => Object.fromEntries(ids.map((id, place) => [id, steps[place]!])))
  .map((steps) => draft(steps, { kind: 'manual' }))
const anyInput = fc.oneof(
  fc.constant<RunInput>(reply('1')),
  fc.constant<RunInput>({ kind: 'timeout' }),
)
const anyOutcome = fc.boolean().map((isSuccess): RunInput => {
  const outcome = { isSuccess, httpStatus: 200, kept: {}, attempts: 1, durationMs: 0 }
  return { kind: 'called', call: outcome }
})

systemTest('A flow that passes the check has every call of it made, whatever is answered', () => {
  let calls = 0
  fc.assert(
    fc.property(
      anyDraft,
      fc.array(fc.tuple(anyInput, anyOutcome), { minLength: 12, maxLength: 12 }),
      (flow, answers) => {
        const connections = [{ id: SHOP_API, name: 'Shop', isOn: true }]
        const problems = checkForPublishing(flow, { ...around, connections })
        if (!canBePublished(problems)) return
        const none = {
          variables: {},
          stepsSinceWait: 0,
          waits: 0,
          callsInGo: 0,
          callsInGoMs: 0,
          wrongAnswers: 0,
          offered: null,
          language: null,
        }
        let state: RunState = { stepId: null, ...none }
        let input: RunInput = { kind: 'start' }
        for (const [customer, merchant] of answers) {
          const contact = { name: null, phone: null }
          const { next, records, ...advanced } = advance(flow, state, input, surroundings(contact))
          expect(records.filter(({ status }) => status === 'failed')).toEqual([])
          if (next.kind === 'end') return
          if (next.kind === 'call') calls += 1
          state = advanced.state
          input = next.kind === 'call' ? merchant : customer
        }
      },
    ),
    { numRuns: 3_000 },
  )
  expect(calls).toBeGreaterThan(100)
})
