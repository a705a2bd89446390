import { reply, surroundings } from '../../../test/support/engine.ts'
import { describe, expect, test } from 'vitest'
import { FlowDefinition } from '../../contract/flow-definition.ts'
import { CALL_LIMITS } from '../../limits/calls.ts'
import { RUN_LIMITS } from '../../limits/flows.ts'
import { advance, type CallOutcome, type RunInput, type RunState } from './advance.ts'
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

function flow(steps: Record<string, unknown>) {
  const start = Object.keys(steps)[0]!
  return FlowDefinition.parse({ channelId: 'c', trigger: { kind: 'manual' }, start, steps })
}
const call = (next: string | null, onFailure: string | null, keep: string[] = []) => ({
  kind: 'http_request',
  request: {
    connectionId: '01920000-0000-7000-8000-000000000001',
    method: 'GET',
    path: '/orders',
    query: [],
    headers: [],
    body: null,
  },
  keep: keep.map((name) => ({ name, path: name })),
  next,
  onFailure,
})
const say = (text: string, next: string | null = null) => ({ kind: 'send_message', text, next })
const wait = (next: string | null, onTimeout: string | null = null) => ({
  kind: 'wait_for_reply',
  saveAs: null,
  timeoutMinutes: 60,
  next,
  onTimeout,
})
const answered = (more: Partial<CallOutcome> = {}): RunInput => ({
  kind: 'called',
  call: { isSuccess: true, httpStatus: 200, kept: {}, attempts: 1, durationMs: 100, ...more },
})
const failedWith = (more: Partial<CallOutcome> = {}) =>
  answered({ isSuccess: false, httpStatus: 500, ...more })

/** Feeds a run one input after the other; returns what each asked for. */
function play(definition: FlowDefinition, inputs: RunInput[], from: RunState = fresh) {
  let state = from
  return inputs.map((input) => {
    const { next, records, ...advanced } = advance(definition, state, input, surroundings(contact))
    state = advanced.state
    return { ...next, state, records }
  })
}

describe('A call to the merchant’s system', () => {
  const definition = flow({ ask: call('yes', 'no', ['status']), yes: say('yes'), no: say('no') })

  test('takes the Success path on a 2xx answer and sets what it keeps', () => {
    const [first, after] = play(definition, [
      { kind: 'start' },
      answered({ httpStatus: 201, kept: { status: 'shipped' } }),
    ])
    expect(first).toMatchObject({ kind: 'call', stepId: 'ask', withinMs: CALL_LIMITS.inOneGoMs })
    expect(after).toMatchObject({
      kind: 'send',
      stepId: 'yes',
      state: { variables: { http_status: '201', status: 'shipped' } },
    })
  })

  test('takes the Failed path on anything else, and http_status says what was answered', () => {
    expect(play(definition, [{ kind: 'start' }, failedWith({ httpStatus: 404 })])[1]).toMatchObject(
      {
        stepId: 'no',
        state: { variables: { http_status: '404' } },
      },
    )
  })

  test('that fails clears what an earlier call kept, also when no answer came', () => {
    const earlier = { ...fresh, variables: { status: 'shipped', http_status: '200', order: '1' } }
    const moves = play(definition, [{ kind: 'start' }, failedWith({ httpStatus: null })], earlier)
    expect(moves[1]!.state.variables).toEqual({ status: null, http_status: null, order: '1' })
  })

  test('that succeeds without a value to keep leaves none of an earlier call', () => {
    const earlier = { ...fresh, variables: { status: 'shipped' } }
    const moves = play(definition, [{ kind: 'start' }, answered()], earlier)
    expect(moves[1]!.state.variables).toEqual({ status: null, http_status: '200' })
  })

  test('sets http_status also in a run that has all the variables it may have', () => {
    const names = Array.from({ length: RUN_LIMITS.variables }, (_, nth) => [`v${nth}`, 'x'])
    const full = { ...fresh, variables: Object.fromEntries(names) as Record<string, string> }
    const moves = play(definition, [{ kind: 'start' }, answered({ kept: { status: 'new' } })], full)
    expect(moves[1]!.state.variables).toEqual({ ...full.variables, http_status: '200' })
  })

  test('finds only the values that the answer itself was read for', () => {
    const kept = Object.create({ status: 'inherited' }) as Record<string, string>
    const moves = play(definition, [{ kind: 'start' }, answered({ kept })])
    expect(moves[1]!.state.variables.status).toBe(null)
  })
})

describe('Between two messages of the customer', () => {
  const four = flow({
    a: call('b', 'b'),
    b: call('c', 'c'),
    c: call('d', 'd'),
    d: call('yes', 'no', ['status']),
    yes: say('yes'),
    no: say('no'),
  })

  test('three calls are made; a fourth takes the Failed path, http_status empty', () => {
    const moves = play(four, [{ kind: 'start' }, answered(), failedWith(), answered()])
    expect(moves.slice(0, 3).map(({ kind }) => kind)).toEqual(['call', 'call', 'call'])
    expect(moves[3]).toMatchObject({ kind: 'send', stepId: 'no' })
    expect(moves[3]!.state.variables).toEqual({ http_status: null, status: null })
    expect(moves[3]!.records).toEqual([
      {
        stepId: 'd',
        kind: 'http_request',
        status: 'failed',
        detail: fact('calls_used_up', { most: 3 }),
      },
    ])
  })

  test('a repeated GET is one call of the three, and a call that was not made is none', () => {
    const moves = play(four, [
      { kind: 'start' },
      failedWith({ attempts: 2 }),
      failedWith({ attempts: 0, httpStatus: null }),
      answered({ attempts: 2 }),
      answered(),
    ])
    expect(moves.map(({ kind }) => kind)).toEqual(['call', 'call', 'call', 'call', 'send'])
    expect(moves[4]).toMatchObject({ stepId: 'yes' })
  })

  test('calls take 30 s in all: a later one has what is left, none is made after that', () => {
    const moves = play(four, [
      { kind: 'start' },
      failedWith({ durationMs: 15_000, httpStatus: null }),
      failedWith({ durationMs: 15_000, httpStatus: null }),
    ])
    expect(moves[1]).toMatchObject({ kind: 'call', stepId: 'b', withinMs: 15_000 })
    expect(moves[2]).toMatchObject({ kind: 'send', stepId: 'no' })
    const usedUp = fact('call_time_used_up', { seconds: 30 })
    expect(moves[2]!.records.map(({ detail }) => detail)).toEqual([usedUp, usedUp])
  })

  test('a reply begins a new go, a time-out does not', () => {
    const definition = flow({
      a: call('ask', 'ask'),
      ask: wait('b', 'b'),
      b: call('done', 'done'),
      done: say('done'),
    })
    const used: RunState = { ...fresh, callsInGo: 2, callsInGoMs: 29_000 }
    const upToWait = [{ kind: 'start' }, answered({ durationMs: 500 })] satisfies RunInput[]
    const replied = play(definition, [...upToWait, reply('hi')], used)
    expect(replied[2]).toMatchObject({ kind: 'call', withinMs: CALL_LIMITS.inOneGoMs })
    expect(replied[2]!.state).toMatchObject({
      callsInGo: 0,
      callsInGoMs: 0,
      wrongAnswers: 0,
      offered: null,
      language: null,
    })
    const late = play(definition, [...upToWait, { kind: 'timeout' }], used)
    expect(late[2]).toMatchObject({ kind: 'send', stepId: 'done' })
  })

  test('a call whose Failed path leads back to it is made three times, then the run ends', () => {
    const definition = flow({ a: call('a', 'a') })
    const moves = play(definition, [{ kind: 'start' }, failedWith(), failedWith(), failedWith()])
    expect(moves.map(({ kind }) => kind)).toEqual(['call', 'call', 'call', 'end'])
    expect(moves[3]).toMatchObject({ status: 'failed', endReason: 'limit_exceeded' })
    expect(moves[3]!.state.stepsSinceWait).toBe(RUN_LIMITS.stepsBetweenWaits + 1)
  })
})

test('A run that is at no call ends instead of taking the outcome of one', () => {
  const moves = play(flow({ tell: say('Hi') }), [{ kind: 'start' }, answered()])
  expect(moves[1]).toMatchObject({ kind: 'end', status: 'failed', endReason: 'error' })
})
