import { NOTHING_KNOWN, reply, surroundings } from '../../../test/support/engine.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FlowDefinition, FlowDraft } from '../../contract/flow-definition.ts'
import { fact } from '../../facts/fact.ts'
import { PLAN_LIMITS } from '../../limits/accounts.ts'
import { advance, type RunInput, type RunState } from '../runs/advance.ts'
import { tellFact } from '../../words/tell-fact.ts'
import { canBePublished, checkForPublishing, type PublishSurroundings } from './publish-check.ts'
import { systemDescribe } from '../../../test/support/system-tests.ts'

const template = (name: string, components: object[], more: object = {}) => ({
  name,
  language: 'ar',
  status: 'APPROVED',
  components: components as PublishSurroundings['templates'][number]['components'],
  ...more,
})

const around: PublishSurroundings = {
  ...NOTHING_KNOWN,
  plan: 'business',
  channel: { type: 'whatsapp', isConnected: true },
  otherFlowsOn: 0,
  connections: [],
  otherTriggers: [],
  templates: [
    template('ready', [{ type: 'BODY', text: 'Order {{1}} is ready' }]),
    template('ready', [{ type: 'BODY', text: 'Order {{1}} for {{2}}' }], { language: 'en_US' }),
    template('paused', [{ type: 'BODY', text: 'x' }], { status: 'PAUSED' }),
    template('photo', [{ type: 'HEADER', format: 'IMAGE' }]),
    template('rich', [
      { type: 'HEADER', format: 'TEXT', text: 'For {{name}}' },
      { type: 'BODY', text: '{{order}}' },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'See', url: 'https://x.test/{{1}}' }] },
    ]),
  ],
}

const send = (next: string | null, more: object = {}) => ({
  kind: 'send_template',
  template: 'ready',
  language: 'ar',
  header: null,
  body: [
    { name: '1', text: '{{vars.order}}' },
    { name: '2', text: '{{contact.name}}' },
  ],
  next,
  ...more,
})
const say = (next: string | null, text = 'Hi') => ({ kind: 'send_message', text, next })
const wait = (next: string | null, onTimeout: string | null = null) => ({
  kind: 'wait_for_reply',
  saveAs: 'answer',
  timeoutMinutes: 60,
  next,
  onTimeout,
})
const choose = (next: string | null, otherwise: string | null, variable = 'order') => ({
  kind: 'condition',
  variable,
  is: 'equal',
  value: '1',
  next,
  otherwise,
})
const set = (name: string, next: string | null, text = 'x') => ({
  kind: 'set_variable',
  name,
  text,
  next,
})

function draft(steps: Record<string, object>, more: object = {}): FlowDraft {
  return FlowDraft.parse({
    channelId: 'c',
    trigger: {
      kind: 'webhook',
      phonePath: 'phone',
      namePath: null,
      languagePath: null,
      keep: [{ name: 'order', path: 'order.id' }],
    },
    start: Object.keys(steps)[0] ?? 'none',
    steps,
    ...more,
  })
}

/** `step: rule` of each problem, warnings in round brackets. */
function found(flow: FlowDraft, change: Partial<PublishSurroundings> = {}): string[] {
  return checkForPublishing(flow, { ...around, ...change }).map(({ stepId, rule, isWarning }) => {
    const name = `${stepId ?? '-'}: ${rule}`
    return isWarning ? `(${name})` : name
  })
}

describe('The check before a flow is published finds', () => {
  test.each<[string, FlowDraft, string[]]>([
    ['nothing in a template and its end', draft({ a: send(null) }), []],
    [
      'nothing in a template, a reply and an answer to it',
      draft({ a: send('b'), b: wait('c'), c: say(null, 'Thanks: {{vars.answer}}') }),
      [],
    ],
    [
      'nothing where a condition and a variable come before the template',
      draft({ a: choose('b', null), b: set('x', 'c'), c: send(null) }),
      [],
    ],
    [
      'nothing in a loop that waits',
      draft({ a: send('b'), b: wait('c', 'a'), c: choose('b', null, 'answer') }),
      [],
    ],
    [
      'that the start is not there',
      draft({ a: send(null) }, { start: 'b' }),
      ['-: start_exists', '-: template_first'],
    ],
    ['that a step is not there', draft({ a: send('gone') }), ['a: next_exists']],
    [
      'that a wait leads to no step',
      draft({ a: send('b'), b: wait(null, 'gone') }),
      ['b: next_exists'],
    ],
    ['a step that no way leads to', draft({ a: send(null), b: say(null) }), ['(b: reachable)']],
    ['a message before the template', draft({ a: say('b'), b: send(null) }), ['a: template_first']],
    ['a wait before the template', draft({ a: wait('b'), b: send(null) }), ['a: template_first']],
    [
      'a message before the template on one branch only',
      draft({ a: choose('b', 'c'), b: send(null), c: say('b') }),
      ['c: template_first'],
    ],
    [
      'a comparison of numbers with none, and one with an empty list',
      draft({
        a: send('b'),
        b: { ...choose('c', 'c'), is: 'at_least', value: 'ten' },
        c: { ...choose(null, null), is: 'one_of', value: ' , ' },
      }),
      ['b: number_to_compare', 'c: list_to_compare'],
    ],
    ['that no template is ever sent', draft({ a: { kind: 'end' } }), ['-: template_first']],
    [
      'a message after the template that no reply comes before',
      draft({ a: send('b'), b: say(null) }),
      ['(b: reply_window)'],
    ],
    [
      'a message that only a time-out comes before',
      draft({ a: send('b'), b: wait(null, 'c'), c: say(null) }),
      ['(c: reply_window)'],
    ],
    [
      'a template that is not there',
      draft({ a: send(null, { template: 'none' }) }),
      ['a: template_exists'],
    ],
    [
      'a template that is not approved',
      draft({ a: send(null, { template: 'paused' }) }),
      ['a: template_approved'],
    ],
    [
      'a language that the template does not have',
      draft({ a: send(null, { language: 'fr' }) }),
      ['a: template_approved'],
    ],
    [
      'a template that a flow cannot fill',
      draft({ a: send(null, { template: 'photo' }) }),
      ['a: template_can_be_filled'],
    ],
    [
      'values that are missing or blank',
      draft({ a: send(null, { body: [{ name: '1', text: ' ' }] }) }),
      ['a: value_given', '(a: value_given)', '(a: value_given)'],
    ],
    [
      'a value that only another language version needs',
      draft({ a: send(null, { body: [{ name: '1', text: 'x' }] }) }),
      ['(a: value_given)'],
    ],
    [
      'a header, a named value and a link without values',
      draft({ a: send(null, { template: 'rich', body: [] }) }),
      ['a: value_given', 'a: value_given', 'a: value_given'],
    ],
    [
      'nothing in a header, a named value and a link that are given',
      draft({
        a: send(null, {
          template: 'rich',
          header: '{{contact.name}}',
          body: [{ name: 'order', text: '{{vars.order}}' }],
          urlSuffixes: [{ index: 0, text: '{{vars.order}}' }],
        }),
      }),
      [],
    ],
    [
      'a variable that nothing sets on the way',
      draft({ a: send('b'), b: wait('c'), c: say(null, '{{vars.city}} {{vars.order}}') }),
      ['(c: variable_set)'],
    ],
    [
      'a variable that only the reply sets, where the time-out leads',
      draft({ a: send('b'), b: wait(null, 'c'), c: choose(null, null, 'answer') }),
      ['(c: variable_set)'],
    ],
    [
      'a loop that never waits',
      draft({ a: send('b'), b: set('x', 'c'), c: choose('b', null) }),
      ['b: loop_waits'],
    ],
    ['a template sent round and round', draft({ a: send('a') }), ['a: loop_waits']],
    [
      'that no channel is chosen',
      draft({ a: send(null) }, { channelId: '' }),
      ['-: channel_exists'],
    ],
  ])('%s', (_, flow, problems) => {
    expect(found(flow)).toEqual(problems)
  })

  test.each<[string, Partial<PublishSurroundings>, string[]]>([
    ['that the channel is gone', { channel: null }, ['-: channel_exists']],
    [
      'that the channel is not connected',
      { channel: { type: 'whatsapp', isConnected: false } },
      ['-: channel_connected'],
    ],
    [
      'that a `telegram` channel may begin no conversation',
      { channel: { type: 'telegram', isConnected: true } },
      ['-: channel_type', 'a: channel_type'],
    ],
    [
      'that a `whatsapp_qr` number may not either',
      { channel: { type: 'whatsapp_qr', isConnected: true } },
      ['-: channel_type', 'a: channel_type'],
    ],
    ['a plan without automations', { plan: 'starter' }, ['-: in_plan']],
    ['a plan whose hooks answer not_in_plan', { plan: 'pro' }, ['(-: in_plan)']],
    [
      'that the plan has no flow left',
      { otherFlowsOn: PLAN_LIMITS.business.flows },
      ['-: flows_of_plan'],
    ],
    ['nothing in the last flow of the plan', { otherFlowsOn: PLAN_LIMITS.business.flows - 1 }, []],
    ['nothing about their number in a flow that stays off', { otherFlowsOn: null }, []],
  ])('%s', (_, change, problems) => {
    expect(found(draft({ a: send(null) }), change)).toEqual(problems)
  })

  test('a path that cannot be read', () => {
    const trigger = {
      kind: 'webhook',
      phonePath: '$',
      namePath: 'a..b',
      languagePath: null,
      keep: [],
    }
    expect(
      found(
        draft(
          { a: send(null, { body: [1, 2].map((n) => ({ name: `${n}`, text: 'x' })) }) },
          { trigger },
        ),
      ),
    ).toEqual(['-: path_readable', '-: path_readable'])
  })

  test('and each problem names its step in words', () => {
    const [problem] = checkForPublishing(draft({ hello: say('b'), b: send(null) }), around)
    expect(problem).toEqual({
      stepId: 'hello',
      field: 'steps.hello',
      rule: 'template_first',
      ...fact('template_first', { step: 'hello' }),
      isWarning: false,
    })
    expect(tellFact(problem!, 'en')).toContain('"hello"')
    expect(tellFact(problem!, 'ar')).toContain('«\u2068hello\u2069»')
  })
})

const ids = ['a', 'b', 'c', 'd', 'e', 'constructor', 'toString'] as const
const target = fc.option(fc.constantFrom(...ids, 'gone'), { freq: 4 })
const variable = fc.constantFrom('v', 'w')
const step = fc.oneof(
  fc.record({
    kind: fc.constant('send_message'),
    text: fc.constant('Hi {{vars.v}}'),
    next: target,
  }),
  target.map((next) => send(next)),
  fc.tuple(target, target).map(([next, late]) => wait(next, late)),
  fc.record({
    kind: fc.constant('condition'),
    variable,
    is: fc.constantFrom('equal', 'not_equal', 'containing', 'empty', 'not_empty'),
    value: fc.constantFrom('', '1', 'yes'),
    next: target,
    otherwise: target,
  }),
  fc.record({
    kind: fc.constant('set_variable'),
    name: variable,
    text: fc.constantFrom('', '1', '{{vars.w}}'),
    next: target,
  }),
  fc.constant({ kind: 'end' }),
)
const anyDraft = fc
  .record({
    start: fc.constantFrom(...ids),
    steps: fc.dictionary(fc.constantFrom(...ids), step, { maxKeys: 7 }),
  })
  .map(({ start, steps }) => draft(steps, { start }))
const contact = { name: 'Sara', phone: '+966501234567' }

systemDescribe('For any flow at all', () => {
  test('the check does not throw, and what it passes is a whole flow', () => {
    let passed = 0
    fc.assert(
      fc.property(anyDraft, (flow) => {
        if (!canBePublished(checkForPublishing(flow, around))) return
        passed += 1
        expect(FlowDefinition.safeParse(flow).success).toBe(true)
      }),
      { numRuns: 5_000 },
    )
    expect(passed).toBeGreaterThan(20)
  })

  test('one that passes never sends or waits before its template, whatever the variables are', () => {
    let passed = 0
    const values = [null, '', '1', 'yes']
    fc.assert(
      fc.property(anyDraft, (flow) => {
        if (!canBePublished(checkForPublishing(flow, around))) return
        passed += 1
        for (const v of values) {
          for (const w of values) {
            const state = {
              stepId: null,
              variables: { v, w },
              stepsSinceWait: 0,
              waits: 0,
              callsInGo: 0,
              callsInGoMs: 0,
              wrongAnswers: 0,
              offered: null,
              language: null,
            }
            const { next } = advance(flow, state, { kind: 'start' }, surroundings(contact))
            if (next.kind === 'send') expect(next.content.kind).toBe('template')
            else expect(next).toMatchObject({ kind: 'end', status: 'completed' })
          }
        }
      }),
      { numRuns: 5_000 },
    )
    expect(passed).toBeGreaterThan(20)
  })

  test('one that passes walks to its end or to a wait, whatever the customer says', () => {
    const input = fc.constantFrom<RunInput>(reply('yes'), reply(null), { kind: 'timeout' })
    fc.assert(
      fc.property(anyDraft, fc.array(input, { maxLength: 8 }), (flow, inputs) => {
        if (!canBePublished(checkForPublishing(flow, around))) return
        const left = [...inputs]
        let state: RunState = {
          stepId: null,
          variables: {},
          stepsSinceWait: 0,
          waits: 0,
          callsInGo: 0,
          callsInGoMs: 0,
          wrongAnswers: 0,
          offered: null,
          language: null,
        }
        let moved = advance(flow, state, { kind: 'start' }, surroundings(contact))
        while (moved.next.kind !== 'end') {
          state = moved.state
          const answer: RunInput | undefined =
            moved.next.kind === 'send' ? { kind: 'sent' } : left.shift()
          if (!answer) return
          moved = advance(flow, state, answer, surroundings(contact))
        }
        expect(moved.next).toMatchObject({ status: 'completed', endReason: 'completed' })
      }),
      { numRuns: 5_000 },
    )
  })
})
