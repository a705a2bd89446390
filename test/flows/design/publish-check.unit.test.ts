import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FlowDefinition, type FlowDraft } from '../../../src/contract/flow-definition.ts'
import { fact } from '../../../src/core/facts/fact.ts'
import { PLAN_LIMITS } from '../../../src/core/limits/accounts.ts'
import {
  interpret,
  type RunInput,
  type RunState,
} from '../../../src/modules/flows/runs/interpret-flow.ts'
import type { ChannelType } from '../../../src/core/vocabulary/channels.ts'
import { formatFact } from '../../../src/i18n/format-fact.ts'
import {
  canBePublished,
  checkForPublishing,
  type PublishContext,
} from '../../../src/modules/flows/design/publish-check.ts'
import {
  choose,
  draft,
  found as foundWith,
  FRESH,
  PUBLISHABLE,
  reply,
  say,
  sendTemplate as send,
  setTo,
  surroundings,
  template,
  waitFor as wait,
} from '../../support/engine.ts'
import { systemDescribe } from '../../support/system-tests.ts'

const around: PublishContext = {
  ...PUBLISHABLE,
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
const found = (flow: FlowDraft, change: Partial<PublishContext> = {}) =>
  foundWith(flow, { ...around, ...change })

/** Returns the steps of a flow that sends one template. */
const only = (more: object) => ({ a: send(null, more) })
const withFirstValue = (text: string) => only({ body: [{ name: '1', text }] })
const RICH = only({
  template: 'rich',
  header: '{{contact.name}}',
  body: [{ name: 'order', text: '{{vars.order}}' }],
  urlSuffixes: [{ index: 0, text: '{{vars.order}}' }],
})
const ON_ONE_BRANCH = { a: choose('b', 'c'), b: send(null), c: say('b') }
const COMPARES = {
  a: send('b'),
  b: { ...choose('c', 'c'), is: 'at_least', value: 'ten' },
  c: { ...choose('d', 'd'), is: 'one_of', value: ' , ' },
  d: { ...choose('e', 'e'), is: 'equal', value: ' ' },
  e: { ...choose(null, null), is: 'not_empty', value: '' },
}
const AFTER_TIME_OUT = { a: send('b'), b: wait(null, 'c'), c: say(null) }
const UNSET = say(null, '{{vars.city}} {{vars.order}}')
const ANSWERED = { a: send('b'), b: wait('c'), c: say(null, 'Thanks: {{vars.answer}}') }
const UNANSWERED = { a: send('b'), b: wait(null, 'c'), c: choose(null, null, 'answer') }
const TEMPLATE_LAST = { a: choose('b', null), b: setTo('x', 'c'), c: send(null) }
const LOOP = { a: send('b'), b: setTo('x', 'c'), c: choose('b', null) }
const LOOP_WITH_WAIT = { a: send('b'), b: wait('c', 'a'), c: choose('b', null, 'answer') }
const RICH_EMPTY = only({ template: 'rich', body: [] })
const GIVEN = 'a: value_given'

describe('The check before a flow is published finds', () => {
  test.each<[string, Record<string, object>, string]>([
    ['nothing in a template and its end', { a: send(null) }, ''],
    ['nothing in a template, a reply and its answer', ANSWERED, ''],
    ['nothing where a condition and a variable come before the template', TEMPLATE_LAST, ''],
    ['nothing in a loop that waits', LOOP_WITH_WAIT, ''],
    ['a missing step', { a: send('gone') }, 'a: next_exists'],
    ['a wait that leads to no step', { a: send('b'), b: wait(null, 'gone') }, 'b: next_exists'],
    ['a step that cannot be reached', { a: send(null), b: say(null) }, '(b: reachable)'],
    ['a message before the template', { a: say('b'), b: send(null) }, 'a: template_first'],
    ['a wait before the template', { a: wait('b'), b: send(null) }, 'a: template_first'],
    ['a message before it on one branch only', ON_ONE_BRANCH, 'c: template_first'],
    [
      'comparisons with no number, no list and no value',
      COMPARES,
      'b: number_to_compare,c: list_to_compare,d: value_to_compare',
    ],
    ['a flow that never sends a template', { a: { kind: 'end' } }, '-: template_first'],
    ['a message that no reply comes before', { a: send('b'), b: say(null) }, '(b: reply_window)'],
    ['a message after a time-out', AFTER_TIME_OUT, '(c: reply_window)'],
    ['a template that is not there', only({ template: 'none' }), 'a: template_exists'],
    ['a template that is not approved', only({ template: 'paused' }), 'a: template_approved'],
    [
      'a language that the template does not have',
      only({ language: 'fr' }),
      'a: template_approved',
    ],
    [
      'a template that a flow cannot fill',
      only({ template: 'photo' }),
      'a: template_can_be_filled',
    ],
    ['values that are missing or blank', withFirstValue(' '), `${GIVEN},(${GIVEN}),(${GIVEN})`],
    ['a value that only another language version needs', withFirstValue('x'), '(a: value_given)'],
    ['a header, a named value and a link without values', RICH_EMPTY, Array(3).fill(GIVEN).join()],
    ['nothing in a header, a named value and a link that are given', RICH, ''],
    ['a variable that nothing sets', { a: send('b'), b: wait('c'), c: UNSET }, '(c: variable_set)'],
    [
      'a variable that only the reply sets, where the time-out leads',
      UNANSWERED,
      '(c: variable_set)',
    ],
    ['a loop that never waits', LOOP, 'b: loop_waits'],
    ['a template sent round and round', { a: send('a') }, 'a: loop_waits'],
  ])('%s', (_, steps, problems) => expect(found(draft(steps)).join()).toBe(problems))

  test('a missing start, a missing channel, and paths that cannot be read', () => {
    const noStart = draft({ a: send(null) }, { start: 'b' })
    expect(found(noStart)).toEqual(['-: start_exists', '-: template_first'])
    expect(found(draft({ a: send(null) }, { channelId: '' }))).toEqual(['-: channel_exists'])
    const readsNothing = { phonePath: '$', namePath: 'a..b', languagePath: null, keep: [] }
    const trigger = { kind: 'webhook', ...readsNothing }
    const body = [1, 2].map((n) => ({ name: `${n}`, text: 'x' }))
    const problems = found(draft(only({ body }), { trigger }))
    expect(problems).toEqual(['-: path_readable', '-: path_readable'])
  })

  const on = (type: ChannelType, isConnected = true) => ({ channel: { type, isConnected } })
  const full = PLAN_LIMITS.business.flows
  test.each<[string, Partial<PublishContext>, string]>([
    ['a missing channel', { channel: null }, '-: channel_exists'],
    ['a disconnected channel', on('whatsapp', false), '-: channel_connected'],
    [
      'a `telegram` channel, which begins no conversation',
      on('telegram'),
      '-: channel_type,a: channel_type',
    ],
    [
      'a `whatsapp_qr` number, which does not either',
      on('whatsapp_qr'),
      '-: channel_type,a: channel_type',
    ],
    ['a plan without automations', { plan: 'starter' }, '-: in_plan'],
    ['a plan whose hooks answer not_in_plan', { plan: 'pro' }, '(-: in_plan)'],
    ['a plan without another flow', { otherFlowsOn: full }, '-: flows_of_plan'],
    ['nothing in the last flow of the plan', { otherFlowsOn: full - 1 }, ''],
    ['nothing about their number in a flow that stays off', { otherFlowsOn: null }, ''],
  ])('%s', (_, change, problems) => {
    expect(found(draft({ a: send(null) }), change).join()).toBe(problems)
  })

  test.each<[ChannelType, string, number]>([
    ['messenger', '😀', 2_000],
    ['instagram', 'ا', 500],
  ])(
    'a text that is longer than %s takes, as it counts, whatever is filled in',
    (type, letter, max) => {
      const textOf = (length: number) => ` {{vars.order}} ${letter.repeat(length)}`
      const foundOf = (length: number) =>
        found(draft({ a: say(null, textOf(length)) }, { trigger: { kind: 'manual' } }), on(type))
      expect(foundOf(max)).not.toContain('a: text_length')
      expect(foundOf(max + 1)).toContain('a: text_length')
    },
  )

  test('problems that name their step in words', () => {
    const [problem] = checkForPublishing(draft({ hello: say('b'), b: send(null) }), around)
    expect(problem).toEqual({
      stepId: 'hello',
      field: 'steps.hello',
      rule: 'template_first',
      ...fact('template_first', { step: 'hello' }),
      isWarning: false,
    })
    expect(formatFact(problem!, 'en')).toContain('"hello"')
    expect(formatFact(problem!, 'ar')).toContain('«\u2068hello\u2069»')
  })
})

const MANUAL = { kind: 'manual' }
const keyword = (...words: string[]) => ({ kind: 'keyword', words })
const button = (of: string, label: string) => {
  return { kind: 'template_button', template: of, button: label }
}

describe('The check before a flow is published finds, in its trigger,', () => {
  const SAY = { a: say(null) }
  const SAY_AND_WAIT = { a: say('b'), b: wait(null) }
  const values = ['1', '2'].map((name) => ({ name, text: 'x' }))
  const SEND_AND_WAIT = { a: send('b', { body: values }), b: wait(null) }
  const ONLY_WHO_WROTE = ['(a: template_first)', '(b: template_first)']
  test.each<[string, object, Record<string, object>, string[]]>([
    ['nothing in a keyword that is answered with a message', keyword('offer'), SAY_AND_WAIT, []],
    ['a start by hand that is limited to recent customers', MANUAL, SAY_AND_WAIT, ONLY_WHO_WROTE],
    ['nothing in a start by hand with a template', MANUAL, SEND_AND_WAIT, []],
    ['a keyword of vowel marks alone', keyword('offer', 'ـً'), SAY, ['-: keyword_readable']],
    ['one too long when written out', keyword('\ufdfa'.repeat(100)), SAY, ['-: keyword_readable']],
    ['a missing template of a button', button('gone', 'Yes'), SAY, ['-: template_exists']],
    ['a missing button of a template', button('rich', 'See'), SAY, ['-: button_exists']],
  ])('%s', (_, trigger, steps, problems) => {
    expect(found(draft(steps, { trigger }))).toEqual(problems)
  })

  test('the same trigger in another flow of the channel: refused if only one is allowed', () => {
    const other = (kind: string, phrase: string, key = '') => ({
      otherTriggers: [{ kind, key, phrase, flowName: 'Other' }],
    })
    const by = (trigger: object) => draft(SAY, { trigger })
    const offer = by(keyword('OFFER'))
    expect(found(offer, other('keyword', 'offer'))).toEqual(['(-: trigger_unique)'])
    expect(found(offer, other('template_button', 'offer'))).toEqual([])
    const first = by({ kind: 'conversation_started' })
    expect(found(first, other('conversation_started', ''))).toEqual(['-: trigger_unique'])
    expect(found(first, other('keyword', 'offer'))).toEqual([])
    const buttons = { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Yes ' }] }
    const templates = [template('ask', [buttons])]
    const yes = by(button('ask', 'yes'))
    const foundBeside = (more: object) => found(yes, { templates, ...more })
    expect(foundBeside({})).toEqual([])
    expect(foundBeside(other('template_button', 'yes', 'ask'))).toEqual(['(-: trigger_unique)'])
    expect(foundBeside(other('template_button', 'yes', 'x'))).toEqual([])
  })
})

const ids = ['a', 'b', 'c', 'd', 'e', 'constructor', 'toString'] as const
const target = fc.option(fc.constantFrom(...ids, 'gone'), { freq: 4 })
const variable = fc.constantFrom('v', 'w')
const step = fc.oneof(
  target.map((next) => say(next, 'Hi {{vars.v}}')),
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
  fc
    .tuple(variable, target, fc.constantFrom('', '1', '{{vars.w}}'))
    .map(([name, next, text]) => setTo(name, next, text)),
  fc.constant({ kind: 'end' }),
)
const anyDraft = fc
  .record({
    start: fc.constantFrom(...ids),
    steps: fc.dictionary(fc.constantFrom(...ids), step, { maxKeys: 7 }),
  })
  .map(({ start, steps }) => draft(steps, { start }))
const contact = { name: 'Sara', phone: '+966501234567' }

systemDescribe('For any flow', () => {
  test('the check does not throw, and an accepted draft is a complete flow', () => {
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

  test('an accepted flow never sends or waits before its template, for any variables', () => {
    let passed = 0
    const values = [null, '', '1', 'yes']
    fc.assert(
      fc.property(anyDraft, (flow) => {
        if (!canBePublished(checkForPublishing(flow, around))) return
        passed += 1
        for (const v of values) {
          for (const w of values) {
            const state = { ...FRESH, variables: { v, w } }
            const { next } = interpret(flow, state, { kind: 'start' }, surroundings(contact))
            if (next.kind === 'send') expect(next.content.kind).toBe('template')
            else expect(next).toMatchObject({ kind: 'end', status: 'completed' })
          }
        }
      }),
      { numRuns: 5_000 },
    )
    expect(passed).toBeGreaterThan(20)
  })

  test('an accepted flow reaches its end or a wait, for any input of the customer', () => {
    const input = fc.constantFrom<RunInput>(reply('yes'), reply(null), { kind: 'timeout' })
    fc.assert(
      fc.property(anyDraft, fc.array(input, { maxLength: 8 }), (flow, inputs) => {
        if (!canBePublished(checkForPublishing(flow, around))) return
        const left = [...inputs]
        let state: RunState = FRESH
        let moved = interpret(flow, state, { kind: 'start' }, surroundings(contact))
        while (moved.next.kind !== 'end') {
          state = moved.state
          const answer: RunInput | undefined =
            moved.next.kind === 'send' ? { kind: 'sent' } : left.shift()
          if (!answer) return
          moved = interpret(flow, state, answer, surroundings(contact))
        }
        expect(moved.next).toMatchObject({ status: 'completed', endReason: 'completed' })
      }),
      { numRuns: 5_000 },
    )
  })
})
