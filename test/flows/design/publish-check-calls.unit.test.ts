import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  interpret,
  type RunInput,
  type RunState,
} from '../../../src/modules/flows/runs/interpret-flow.ts'
import { formatFact } from '../../../src/i18n/format-fact.ts'
import {
  canBePublished,
  checkForPublishing,
  type PublishContext,
} from '../../../src/modules/flows/design/publish-check.ts'
import {
  call,
  choose,
  draft,
  found,
  FRESH,
  PUBLISHABLE,
  reply,
  say,
  sendTemplate,
  SHOP_API,
  surroundings,
  template,
  waitFor,
} from '../../support/engine.ts'
import { systemTest } from '../../support/system-tests.ts'

const OFF_API = '01920000-0000-7000-8000-000000000002'
const around: PublishContext = {
  ...PUBLISHABLE,
  templates: [template('ready', [{ type: 'BODY', text: 'Your order is ready' }])],
  connections: [
    { id: SHOP_API, name: 'Shop', isOn: true },
    { id: OFF_API, name: 'Off', isOn: false },
  ],
}
const send = (next: string | null) => sendTemplate(next, { body: [] })

describe('A step that calls the merchant’s system', () => {
  const foundIn = (steps: Record<string, object>, more: Partial<PublishContext> = {}) =>
    found(draft({ ...steps, send: send(null) }), { ...around, ...more }).join()

  test('may come before the template, and needs a connection that the company has', () => {
    expect(foundIn({ a: call('send', 'send') })).toBe('')
    expect(foundIn({ a: call('send', 'send') }, { connections: [] })).toBe('a: connection_exists')
  })

  test('only causes a warning if its connection is off, or the plan has no calls', () => {
    const throughOff = call('send', 'send', { connectionId: OFF_API })
    expect(foundIn({ a: throughOff })).toBe('(a: connection_on)')
    const inPro = foundIn({ a: call('send', 'send') }, { plan: 'pro' })
    expect(inPro).toBe('(-: in_plan),(-: in_plan)')
  })

  test.each([
    [{ path: '/a/{{args.x}}' }],
    [{ headers: [{ name: 'authorization', value: 'v' }] }],
    [{ method: 'POST', body: '{"a":{{vars.order}}}' }],
  ])('is refused with a request such as %j', (request) => {
    expect(foundIn({ a: call('send', 'send', request) })).toContain('a: request_valid')
  })

  test('is refused when it keeps a value by an unreadable path, or under a taken name', () => {
    const keeping = (...values: [string, string][]) => {
      const keep = values.map(([name, path]) => ({ name, path }))
      return foundIn({ a: call('send', 'send', { keep }) })
    }
    expect(keeping(['status', 'order.status'])).toBe('')
    expect(keeping(['status', 'a b'])).toBe('a: path_readable')
    expect(keeping(['http_status', 'a'])).toBe('a: request_valid')
    expect(keeping(['a', 'x'], ['a', 'y'])).toBe('a: request_valid')
  })

  test('reads variables in every part of its request, and sets http_status and what it keeps', () => {
    const request = {
      method: 'POST',
      path: '/{{vars.p}}',
      query: [{ name: 'q', value: '{{vars.q}}' }],
      headers: [{ name: 'X-H', value: '{{vars.h}}' }],
      body: '{"b":"{{vars.b}}"}',
    }
    const unset = Array.from({ length: 4 }, () => '(a: variable_set)')
    expect(foundIn({ a: call('send', 'send', request) })).toBe(unset.join())
    const keep = [{ name: 'status', path: 'status' }]
    const steps = {
      a: call('send', 'send', { keep }),
      send: send('wait'),
      wait: waitFor('say'),
      say: say(null, '{{vars.http_status}} {{vars.status}}'),
    }
    expect(found(draft(steps), around)).toEqual([])
  })

  test('is refused when a path to it has three other calls and no message of the customer', () => {
    const row = (last: string) => ({
      a: call('b', null),
      b: call('c', null),
      c: call(last, null),
      d: call('send', 'send'),
    })
    expect(foundIn(row('d'))).toBe('d: calls_in_a_row')
    expect(foundIn({ ...row('choose'), choose: choose('d', 'send') })).toBe('d: calls_in_a_row')
    // A reply resets the count of calls; a time-out does not.
    const after = (next: string, onTimeout: string | null) => ({
      first: send('a'),
      a: call('b', null),
      b: call('c', null),
      c: call('ask', null),
      ask: waitFor(next, onTimeout),
      d: call(null, null),
    })
    expect(found(draft(after('d', null)), around)).toEqual([])
    expect(found(draft(after('d', 'd')), around)).toEqual(['d: calls_in_a_row'])
    const [problem] = checkForPublishing(draft(after('d', 'd')), around)
    expect(formatFact(problem!, 'en')).toContain('"a", "b", "c", "d"')
    // Time-outs that lead back to the call again and again do not reset it either.
    const polls = { tell: send('a'), a: call('ask', 'ask'), ask: waitFor(null, 'a') }
    expect(found(draft(polls), around)).toEqual(['a: calls_in_a_row'])
  })
})

const ids = ['a', 'b', 'c', 'd', 'e', 'f'] as const
const target = fc.option(fc.constantFrom(...ids), { freq: 2 })
const two = fc.tuple(target, target)
const anyStep = fc.oneof(
  { weight: 4, arbitrary: two.map(([next, onFailure]) => call(next, onFailure)) },
  { weight: 2, arbitrary: two.map(([next, late]) => waitFor(next, late)) },
  { weight: 1, arbitrary: two.map(([next, otherwise]) => choose(next, otherwise)) },
)
const anyDraft = fc
  .array(anyStep, { minLength: ids.length, maxLength: ids.length })
  .map((steps) => Object.fromEntries(ids.map((id, place) => [id, steps[place]!])))
  .map((steps) => draft(steps, { trigger: { kind: 'manual' } }))
const anyInput = fc.oneof(
  fc.constant<RunInput>(reply('1')),
  fc.constant<RunInput>({ kind: 'timeout' }),
)
const anyOutcome = fc.boolean().map((isSuccess): RunInput => {
  const outcome = { isSuccess, httpStatus: 200, kept: {}, attempts: 1, durationMs: 0 }
  return { kind: 'called', call: outcome }
})

systemTest('An accepted flow makes every call that it reaches, for any answers', () => {
  let calls = 0
  fc.assert(
    fc.property(
      anyDraft,
      fc.array(fc.tuple(anyInput, anyOutcome), { minLength: 12, maxLength: 12 }),
      (flow, answers) => {
        if (!canBePublished(checkForPublishing(flow, around))) return
        let state: RunState = FRESH
        let input: RunInput = { kind: 'start' }
        for (const [customer, merchant] of answers) {
          const contact = { name: null, phone: null }
          const { next, records, ...advanced } = interpret(
            flow,
            state,
            input,
            surroundings(contact),
          )
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
