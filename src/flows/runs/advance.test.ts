import { reply, surroundings } from '../../../test/support/engine.ts'
import { describe, expect, test } from 'vitest'
import { FlowDefinition } from '../../contract/flow-definition.ts'
import { RUN_LIMITS } from '../../limits/flows.ts'
import { advance, type RunInput, type RunState } from './advance.ts'
import { fact } from '../../facts/fact.ts'

const contact = { name: 'Sara', phone: '+966501234567' }
const fresh: RunState = {
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

function flow(steps: Record<string, unknown>, start = Object.keys(steps)[0]!) {
  return FlowDefinition.parse({ channelId: 'c', trigger: { kind: 'manual' }, start, steps })
}
const say = (text: string, next: string | null) => ({ kind: 'send_message', text, next })
const wait = (next: string | null, onTimeout: string | null, saveAs: string | null = 'answer') => ({
  kind: 'wait_for_reply',
  saveAs,
  timeoutMinutes: 60,
  next,
  onTimeout,
})

/** Feeds a run one input after the other; returns what each asked for. */
function play(definition: FlowDefinition, inputs: RunInput[]) {
  let state = fresh
  return inputs.map((input) => {
    const advanced = advance(definition, state, input, surroundings(contact))
    state = advanced.state
    return { ...advanced.next, variables: state.variables }
  })
}

describe('a run', () => {
  test('sends, waits, keeps the reply as a variable and completes', () => {
    const definition = flow({
      tell: say('Hi', 'ask'),
      ask: wait('bye', null),
      bye: { kind: 'end' },
    })
    const moves = play(definition, [{ kind: 'start' }, { kind: 'sent' }, reply('Yes')])
    expect(moves).toMatchObject([
      { kind: 'send', stepId: 'tell' },
      { kind: 'wait', stepId: 'ask', timeoutMs: 3_600_000 },
      { kind: 'end', status: 'completed', endReason: 'completed', variables: { answer: 'Yes' } },
    ])
  })

  test('keeps what is named as every object of the language names something', () => {
    const ask = wait('say', null, '__proto__')
    const definition = flow({ ask, say: say('{{vars.__proto__}}', null) })
    const [, said] = play(definition, [{ kind: 'start' }, reply('Yes')])
    expect(said).toMatchObject({ content: { text: 'Yes' } })
    expect(JSON.stringify(said!.variables)).toBe('{"__proto__":"Yes"}')
  })

  test('takes the time-out’s way when no reply comes', () => {
    const definition = flow({ ask: wait(null, 'late'), late: say('Too late', null) })
    expect(play(definition, [{ kind: 'start' }, { kind: 'timeout' }])[1]).toMatchObject({
      kind: 'send',
      stepId: 'late',
    })
  })

  test('fails when a send fails, with the provider’s words', () => {
    const definition = flow({ tell: say('Hi', null) })
    const detail = fact('provider_refused', { said: 'gone', providerCode: '131026' })
    expect(play(definition, [{ kind: 'start' }, { kind: 'send_failed', detail }])[1]).toMatchObject(
      {
        kind: 'end',
        status: 'failed',
        endReason: 'error',
        detail,
      },
    )
  })

  test.each([
    ['equal', ' YES ', 'yes', true],
    ['equal', 'no', 'yes', false],
    ['not_equal', 'no', 'yes', true],
    ['containing', 'oh yes please', 'YES', true],
    ['empty', '  ', '', true],
    ['not_empty', 'x', '', true],
    ['not_empty', '', '', false],
    ['one_of', ' Riyadh ', 'jeddah, riyadh', true],
    ['one_of', 'جدة', 'الرياض، جدة', true],
    ['one_of', 'jed', 'jeddah,riyadh', false],
    ['one_of', '', 'jeddah,', false],
    ['greater_than', '10', '9', true],
    ['greater_than', '9', '9', false],
    ['greater_than', '-1', '-2.5', true],
    ['at_least', '9', '9.0', true],
    ['at_least', '8.99', '9', false],
    ['less_than', '٩٫٥', '10', true],
    ['less_than', '10', '١٠', false],
    ['at_most', '۱۰', '10', true],
    ['at_most', '1,500', '1500', true],
    ['at_most', '11', '10', false],
    ['greater_than', '1e+21', '1,000,000', true],
    ['at_most', '', '10', false],
    ['less_than', 'many', '10', false],
    ['at_least', '\u200f٥٠', '50', true],
  ])('a condition %s compares %j with %j without case and spaces', (is, actual, value, holds) => {
    const definition = flow({
      set: { kind: 'set_variable', name: 'v', text: actual, next: 'if' },
      if: { kind: 'condition', variable: 'v', is, value, next: 'yes', otherwise: 'no' },
      yes: say('yes', null),
      no: say('no', null),
    })
    expect(play(definition, [{ kind: 'start' }])[0]).toMatchObject({ stepId: holds ? 'yes' : 'no' })
  })

  const ONE = { of: 'variable', name: 'v', is: 'equal', value: 'one' }
  const VIP = { of: 'tag', tag: ' VIP ', has: true }
  const OPEN = { of: 'hours', isOpen: true }
  const mail = (value: string) => ({ of: 'contact', name: 'email', is: 'containing', value })
  test.each([
    ['any', [ONE, VIP], true],
    ['all', [ONE, VIP], false],
    ['any', [ONE], false],
    ['all', [VIP, mail('@x.example')], true],
    ['all', [mail('Sara')], false],
    ['all', [{ of: 'contact', name: 'phone', is: 'containing', value: '+9665' }], true],
    // Nobody has told the hours.
    ['all', [OPEN], true],
    ['all', [{ ...OPEN, isOpen: false }], false],
  ])('a branch of %s of %j holds: %s', (match, conditions, holds) => {
    const definition = flow({
      which: {
        kind: 'branch',
        branches: [{ match, conditions, next: 'yes' }],
        otherwise: 'no',
      },
      yes: say('yes', null),
      no: say('no', null),
    })
    const customer = { ...contact, email: 'huda@x.example', tags: ['Vip'] }
    const { next } = advance(definition, fresh, { kind: 'start' }, surroundings(customer))
    expect(next).toMatchObject({ stepId: holds ? 'yes' : 'no' })
  })

  test('waits for no opening where nobody has told the hours any more', () => {
    const definition = flow({
      wait: { kind: 'wait', until: { kind: 'open' }, next: 'say' },
      say: say('Good morning', null),
    })
    expect(play(definition, [{ kind: 'start' }])).toMatchObject([{ kind: 'send', stepId: 'say' }])
  })

  test('keeps so many characters of a text in a variable', () => {
    const definition = flow({
      a: { kind: 'set_variable', name: 'a', text: '{{vars.b}}{{vars.b}}', next: null },
    })
    const long = '😀'.repeat(RUN_LIMITS.variableChars - 1)
    const state = { ...fresh, variables: { b: long } }
    const { variables } = advance(definition, state, { kind: 'start' }, surroundings(contact)).state
    expect(variables.a).toBe(`${long}😀`)
  })

  test('fills variables and the contact into a variable, and looks at no inserted text again', () => {
    const definition = flow({
      a: { kind: 'set_variable', name: 'a', text: '{{contact.name}} {{vars.b}}', next: null },
    })
    const state = { ...fresh, variables: { b: '{{contact.phone}}' } }
    expect(
      advance(definition, state, { kind: 'start' }, surroundings(contact)).state.variables.a,
    ).toBe('Sara {{contact.phone}}')
  })

  test.each(['constructor', 'toString', '__proto__'])(
    'compares a variable and a field of the name %s that are not set as empty',
    (name) => {
      const conditions = [
        { of: 'variable', name, is: 'empty', value: '' },
        ...(name === 'constructor' ? [{ of: 'field', key: name, is: 'empty', value: '' }] : []),
      ]
      const definition = flow({
        if: {
          kind: 'condition',
          variable: name,
          is: 'empty',
          value: '',
          next: 'b',
          otherwise: 'no',
        },
        b: {
          kind: 'branch',
          branches: [{ match: 'all', conditions, next: 'yes' }],
          otherwise: 'no',
        },
        yes: say('yes', null),
        no: say('no', null),
      })
      expect(play(definition, [{ kind: 'start' }])[0]).toMatchObject({
        kind: 'send',
        stepId: 'yes',
      })
    },
  )

  test('that walks 100 steps without a wait ends with limit_exceeded', () => {
    const definition = flow({
      a: { kind: 'set_variable', name: 'a', text: 'x', next: 'b' },
      b: { kind: 'set_variable', name: 'b', text: 'x', next: 'a' },
    })
    expect(play(definition, [{ kind: 'start' }])[0]).toMatchObject({
      kind: 'end',
      status: 'failed',
      endReason: 'limit_exceeded',
    })
  })

  test('that waits 500 times ends with limit_exceeded', () => {
    const definition = flow({ ask: wait('ask', null) })
    const inputs: RunInput[] = [{ kind: 'start' }]
    for (let i = 0; i < RUN_LIMITS.waits; i += 1) inputs.push(reply('again'))
    const moves = play(definition, inputs)
    expect(moves.at(-2)).toMatchObject({ kind: 'wait' })
    expect(moves.at(-1)).toMatchObject({ kind: 'end', endReason: 'limit_exceeded' })
  })

  test('whose state and input do not fit fails instead of throwing', () => {
    const definition = flow({ tell: say('Hi', null) })
    for (const state of [fresh, { ...fresh, stepId: 'gone' }, { ...fresh, stepId: '__proto__' }]) {
      const { next } = advance(definition, state, reply('x'), surroundings(contact))
      expect(next).toMatchObject({ kind: 'end', status: 'failed', endReason: 'error' })
    }
  })
})
