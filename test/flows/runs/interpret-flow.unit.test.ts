import { describe, expect, test } from 'vitest'
import { FlowDefinition } from '../../../src/contract/flow-definition.ts'
import { CALL_LIMITS } from '../../../src/core/limits/calls.ts'
import { RUN_LIMITS } from '../../../src/core/limits/flows.ts'
import {
  interpret,
  type CallOutcome,
  type RunInput,
  type RunState,
} from '../../../src/modules/flows/runs/interpret-flow.ts'
import { fact } from '../../../src/core/facts/fact.ts'
import { call, FRESH, reply, say, setTo, surroundings, waitFor } from '../../support/engine.ts'

const contact = { name: 'Sara', phone: '+966501234567' }

function flow(steps: Record<string, unknown>, start = Object.keys(steps)[0]!) {
  return FlowDefinition.parse({ channelId: 'c', trigger: { kind: 'manual' }, start, steps })
}
const ENDS = { yes: say(null, 'yes'), no: say(null, 'no') }
const START = { kind: 'start' } as const
const IF_EMPTY = { is: 'empty', value: '' }

const STATUS = { keep: [{ name: 'status', path: 'status' }] }
const answered = (more: Partial<CallOutcome> = {}): RunInput => ({
  kind: 'called',
  call: { isSuccess: true, httpStatus: 200, kept: {}, attempts: 1, durationMs: 100, ...more },
})
const failedWith = (more: Partial<CallOutcome> = {}) =>
  answered({ isSuccess: false, httpStatus: 500, ...more })

/** Feeds a run one input after the other. Returns the next action for each, and the state of the run then. */
function play(definition: FlowDefinition, inputs: RunInput[], from: RunState = FRESH) {
  let state = from
  return inputs.map((input) => {
    const { next, records, ...advanced } = interpret(
      definition,
      state,
      input,
      surroundings(contact),
    )
    state = advanced.state
    return { ...next, state, records }
  })
}

describe('a run', () => {
  test('sends, waits, keeps the reply as a variable and completes', () => {
    const definition = flow({ tell: say('ask'), ask: waitFor('bye'), bye: { kind: 'end' } })
    const moves = play(definition, [START, { kind: 'sent' }, reply('Yes')])
    expect(moves).toMatchObject([
      { kind: 'send', stepId: 'tell' },
      { kind: 'wait', stepId: 'ask', timeoutMs: 3_600_000 },
      { kind: 'end', status: 'completed', endReason: 'completed' },
    ])
    expect(moves[2]!.state.variables).toEqual({ answer: 'Yes' })
  })

  test('keeps names that every JavaScript object has', () => {
    const ask = waitFor('say', null, '__proto__')
    const definition = flow({ ask, say: say(null, '{{vars.__proto__}}') })
    const [, said] = play(definition, [START, reply('Yes')])
    expect(said).toMatchObject({ content: { text: 'Yes' } })
    expect(JSON.stringify(said!.state.variables)).toBe('{"__proto__":"Yes"}')
  })

  test('takes the time-out’s exit when no reply comes', () => {
    const definition = flow({ ask: waitFor(null, 'late'), late: say(null, 'Too late') })
    const [, late] = play(definition, [START, { kind: 'timeout' }])
    expect(late).toMatchObject({ kind: 'send', stepId: 'late' })
  })

  test('fails when a send fails, with the provider’s words', () => {
    const definition = flow({ tell: say(null, 'Hi') })
    const detail = fact('provider_refused', { said: 'gone', providerCode: '131026' })
    const [, failed] = play(definition, [START, { kind: 'send_failed', detail }])
    expect(failed).toMatchObject({ kind: 'end', status: 'failed', endReason: 'error', detail })
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
    ['at_least', '9', '9.0', true],
    ['less_than', '٩٫٥', '10', true],
    ['at_most', '۱۰', '10', true],
    ['at_most', '1,500', '1500', true],
    ['equal', '49.90', '49.9', true],
    ['one_of', '1.0', '1, 2', true],
    ['at_most', '', '10', false],
    ['less_than', 'many', '10', false],
    ['at_least', '\u200f٥٠', '50', true],
  ])('a condition %s compares %j with %j without case and spaces', (is, actual, value, holds) => {
    const definition = flow({
      set: setTo('v', 'if', actual),
      if: { kind: 'condition', variable: 'v', is, value, next: 'yes', otherwise: 'no' },
      ...ENDS,
    })
    expect(play(definition, [START])[0]).toMatchObject({ stepId: holds ? 'yes' : 'no' })
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
    // The company has not set opening hours.
    ['all', [OPEN], true],
    ['all', [{ ...OPEN, isOpen: false }], false],
  ])('a branch of %s of %j holds: %s', (match, conditions, holds) => {
    const definition = flow({
      which: { kind: 'branch', branches: [{ match, conditions, next: 'yes' }], otherwise: 'no' },
      ...ENDS,
    })
    const customer = { ...contact, email: 'huda@x.example', tags: ['Vip'] }
    const { next } = interpret(definition, FRESH, START, surroundings(customer))
    expect(next).toMatchObject({ stepId: holds ? 'yes' : 'no' })
  })

  test('does not wait for opening if the company no longer has opening hours', () => {
    const wait = { kind: 'wait', until: { kind: 'open' }, next: 'say' }
    const definition = flow({ wait, say: say(null, 'Good morning') })
    expect(play(definition, [START])).toMatchObject([{ kind: 'send', stepId: 'say' }])
  })

  test('keeps the allowed number of characters of a text in a variable', () => {
    const definition = flow({ a: setTo('a', null, '{{vars.b}}{{vars.b}}') })
    const long = '😀'.repeat(RUN_LIMITS.variableChars - 1)
    const state = { ...FRESH, variables: { b: long } }
    const { variables } = interpret(definition, state, START, surroundings(contact)).state
    expect(variables.a).toBe(`${long}😀`)
  })

  test('fills variables and the contact into a variable, and does not expand inserted text again', () => {
    const definition = flow({ a: setTo('a', null, '{{contact.name}} {{vars.b}}') })
    const state = { ...FRESH, variables: { b: '{{contact.phone}}' } }
    const { variables } = interpret(definition, state, START, surroundings(contact)).state
    expect(variables.a).toBe('Sara {{contact.phone}}')
  })

  test.each(['constructor', 'toString', '__proto__'])(
    'compares a variable and a field of the name %s that are not set as empty',
    (name) => {
      const conditions = [
        { of: 'variable', name, ...IF_EMPTY },
        ...(name === 'constructor' ? [{ of: 'field', key: name, ...IF_EMPTY }] : []),
      ]
      const branches = [{ match: 'all', conditions, next: 'yes' }]
      const definition = flow({
        if: { kind: 'condition', variable: name, ...IF_EMPTY, next: 'b', otherwise: 'no' },
        b: { kind: 'branch', branches, otherwise: 'no' },
        ...ENDS,
      })
      expect(play(definition, [START])[0]).toMatchObject({ kind: 'send', stepId: 'yes' })
    },
  )

  test('ends with limit_exceeded after 100 steps without a wait, or after 500 waits', () => {
    const [ended] = play(flow({ a: setTo('a', 'b'), b: setTo('b', 'a') }), [START])
    const endReason = 'limit_exceeded'
    expect(ended).toMatchObject({ kind: 'end', status: 'failed', endReason })
    const definition = flow({ ask: waitFor('ask', null) })
    const inputs: RunInput[] = [START]
    for (let i = 0; i < RUN_LIMITS.waits; i += 1) inputs.push(reply('again'))
    const moves = play(definition, inputs)
    expect(moves.at(-2)).toMatchObject({ kind: 'wait' })
    expect(moves.at(-1)).toMatchObject({ kind: 'end', endReason: 'limit_exceeded' })
  })

  test('fails instead of throwing if its state and input do not fit', () => {
    const definition = flow({ tell: say(null, 'Hi') })
    for (const state of [FRESH, { ...FRESH, stepId: 'gone' }, { ...FRESH, stepId: '__proto__' }]) {
      const { next } = interpret(definition, state, reply('x'), surroundings(contact))
      expect(next).toMatchObject({ kind: 'end', status: 'failed', endReason: 'error' })
    }
  })
})

describe('A call to the merchant’s system', () => {
  const definition = flow({ ask: call('yes', 'no', STATUS), ...ENDS })

  test('takes the Success path on a 2xx answer and sets what it keeps', () => {
    const shipped = answered({ httpStatus: 201, kept: { status: 'shipped' } })
    const [first, after] = play(definition, [START, shipped])
    expect(first).toMatchObject({ kind: 'call', stepId: 'ask', withinMs: CALL_LIMITS.inOneGoMs })
    const variables = { http_status: '201', status: 'shipped' }
    expect(after).toMatchObject({ kind: 'send', stepId: 'yes', state: { variables } })
  })

  test('takes the Failed path on anything else, and http_status has the status of the answer', () => {
    const [, after] = play(definition, [START, failedWith({ httpStatus: 404 })])
    expect(after).toMatchObject({ stepId: 'no', state: { variables: { http_status: '404' } } })
  })

  test('clears what an earlier call kept, and sets http_status also when there are too many variables', () => {
    const earlier = { ...FRESH, variables: { status: 'shipped', http_status: '200', order: '1' } }
    const failed = play(definition, [START, failedWith({ httpStatus: null })], earlier)
    expect(failed[1]!.state.variables).toEqual({ status: null, http_status: null, order: '1' })
    const bare = play(definition, [START, answered()], earlier)
    expect(bare[1]!.state.variables).toEqual({ status: null, http_status: '200', order: '1' })
    const names = Array.from({ length: RUN_LIMITS.variables }, (_, nth) => [`v${nth}`, 'x'])
    const full = { ...FRESH, variables: Object.fromEntries(names) as Record<string, string> }
    const moves = play(definition, [START, answered({ kept: { status: 'new' } })], full)
    expect(moves[1]!.state.variables).toEqual({ ...full.variables, http_status: '200' })
  })

  test('finds only the values that were kept from the answer', () => {
    const kept = Object.create({ status: 'inherited' }) as Record<string, string>
    const moves = play(definition, [START, answered({ kept })])
    expect(moves[1]!.state.variables.status).toBe(null)
  })
})

describe('Between two messages of the customer', () => {
  const four = flow({
    a: call('b', 'b'),
    b: call('c', 'c'),
    c: call('d', 'd'),
    d: call('yes', 'no', STATUS),
    ...ENDS,
  })

  test('three calls are made; a fourth takes the Failed path, http_status empty', () => {
    const moves = play(four, [START, answered(), failedWith(), answered()])
    expect(moves.slice(0, 3).map(({ kind }) => kind)).toEqual(['call', 'call', 'call'])
    expect(moves[3]).toMatchObject({ kind: 'send', stepId: 'no' })
    expect(moves[3]!.state.variables).toEqual({ http_status: null, status: null })
    const detail = fact('calls_used_up', { max: 3 })
    const record = { stepId: 'd', kind: 'http_request', status: 'failed', detail }
    expect(moves[3]!.records).toEqual([record])
  })

  test('a repeated GET is one call of the three, and a call that was not made is none', () => {
    const moves = play(four, [
      START,
      failedWith({ attempts: 2 }),
      failedWith({ attempts: 0, httpStatus: null }),
      answered({ attempts: 2 }),
      answered(),
    ])
    expect(moves.map(({ kind }) => kind)).toEqual(['call', 'call', 'call', 'call', 'send'])
    expect(moves[4]).toMatchObject({ stepId: 'yes' })
  })

  test('calls take 30 s in all: a later one has the remaining time, and none follows after that', () => {
    const slow = failedWith({ durationMs: 15_000, httpStatus: null })
    const moves = play(four, [START, slow, slow])
    expect(moves[1]).toMatchObject({ kind: 'call', stepId: 'b', withinMs: 15_000 })
    expect(moves[2]).toMatchObject({ kind: 'send', stepId: 'no' })
    const usedUp = fact('call_time_used_up', { seconds: 30 })
    expect(moves[2]!.records.map(({ detail }) => detail)).toEqual([usedUp, usedUp])
  })

  test('a reply starts a new count of calls, a time-out does not', () => {
    const definition = flow({
      a: call('ask', 'ask'),
      ask: waitFor('b', 'b'),
      b: call('done', 'done'),
      done: say(null, 'done'),
    })
    const used = { ...FRESH, callsSinceReply: 2, callsSinceReplyMs: 29_000 }
    const upToWait = [START, answered({ durationMs: 500 })]
    const replied = play(definition, [...upToWait, reply('hi')], used)
    expect(replied[2]).toMatchObject({ kind: 'call', withinMs: CALL_LIMITS.inOneGoMs })
    expect(replied[2]!.state).toMatchObject({ callsSinceReply: 0, callsSinceReplyMs: 0 })
    const late = play(definition, [...upToWait, { kind: 'timeout' }], used)
    expect(late[2]).toMatchObject({ kind: 'send', stepId: 'done' })
  })

  test('a call whose Failed path leads back to it is made three times, then the run ends', () => {
    const definition = flow({ a: call('a', 'a') })
    const moves = play(definition, [START, failedWith(), failedWith(), failedWith()])
    expect(moves.map(({ kind }) => kind)).toEqual(['call', 'call', 'call', 'end'])
    expect(moves[3]).toMatchObject({ status: 'failed', endReason: 'limit_exceeded' })
    expect(moves[3]!.state.stepsSinceWait).toBe(RUN_LIMITS.stepsBetweenWaits + 1)
  })
})

test('A run that is at no call ends instead of taking the outcome of one', () => {
  const moves = play(flow({ tell: say(null) }), [START, answered()])
  expect(moves[1]).toMatchObject({ kind: 'end', status: 'failed', endReason: 'error' })
})
