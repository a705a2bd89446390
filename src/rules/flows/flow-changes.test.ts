import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareFlows, type ComparedFlow } from './flow-changes.ts'

const FLOW: ComparedFlow = {
  channelId: 'one',
  trigger: { kind: 'keyword', words: ['offer'], match: 'exact' },
  start: 'tell',
  steps: {
    tell: { kind: 'send_message', text: 'Hello', next: 'ask', onNotSent: null },
    ask: { kind: 'wait_for_reply', saveAs: 'answer', next: 'finish' },
    finish: { kind: 'end' },
  },
}
const NOTHING = {
  channel: false,
  trigger: false,
  start: false,
  added: [],
  removed: [],
  changed: [],
}

describe('What a draft changes of the published version', () => {
  test('is nothing of the same flow, in whatever order its parts are written', () => {
    const { tell, ask, finish } = FLOW.steps
    const turned = {
      ...FLOW,
      trigger: { match: 'exact', words: ['offer'], kind: 'keyword' },
      steps: {
        finish: finish!,
        ask: ask!,
        tell: Object.fromEntries(Object.entries(tell!).toReversed()),
      },
    }
    expect(compareFlows(FLOW, turned)).toEqual(NOTHING)
  })

  test('are its steps, added, removed and changed, with the fields that differ', () => {
    const { finish, ...others } = FLOW.steps
    const steps = {
      ...others,
      tell: { ...FLOW.steps.tell!, text: 'Good day', onNotSent: 'note' },
      note: { kind: 'note', text: 'They did not get it', next: null },
    }
    expect(finish).toBeDefined()
    expect(compareFlows(FLOW, { ...FLOW, steps })).toEqual({
      ...NOTHING,
      added: ['note'],
      removed: ['finish'],
      changed: [{ stepId: 'tell', fields: ['text', 'onNotSent'] }],
    })
  })

  test('are a field that is there no more, and one that is new', () => {
    const ask = { kind: 'wait_for_reply', next: 'finish', timeoutMinutes: 5 }
    expect(compareFlows(FLOW, { ...FLOW, steps: { ...FLOW.steps, ask } }).changed).toEqual([
      { stepId: 'ask', fields: ['saveAs', 'timeoutMinutes'] },
    ])
  })

  test('is another kind of step under the same id', () => {
    const ask = { kind: 'end' }
    const { changed } = compareFlows(FLOW, { ...FLOW, steps: { ...FLOW.steps, ask } })
    expect(changed).toEqual([{ stepId: 'ask', fields: ['kind', 'saveAs', 'next'] }])
  })

  test('are trigger, channel and first step', () => {
    const trigger = { ...FLOW.trigger, words: ['offer', 'price'] }
    expect(compareFlows(FLOW, { ...FLOW, trigger })).toEqual({ ...NOTHING, trigger: true })
    expect(compareFlows(FLOW, { ...FLOW, channelId: 'two' })).toEqual({ ...NOTHING, channel: true })
    expect(compareFlows(FLOW, { ...FLOW, start: 'ask' })).toEqual({ ...NOTHING, start: true })
  })

  test('is told of steps that are called as what every object has', () => {
    const steps = { ...FLOW.steps, constructor: { kind: 'end' } }
    expect(compareFlows(FLOW, { ...FLOW, steps }).added).toEqual(['constructor'])
    expect(compareFlows({ ...FLOW, steps }, FLOW).removed).toEqual(['constructor'])
  })

  test('is the order of a list, as it counts there', () => {
    const of = (words: string[]) => ({ ...FLOW, trigger: { kind: 'keyword', words } })
    expect(compareFlows(of(['a', 'b']), of(['b', 'a'])).trigger).toBe(true)
    expect(compareFlows(of(['a']), of(['a', 'b'])).trigger).toBe(true)
  })

  test('is nothing once it was written down and read again', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.json()), (values) => {
        const step = { ...values, kind: 'end' }
        const flow = { ...FLOW, steps: { one: step } }
        const read = JSON.parse(JSON.stringify(flow)) as ComparedFlow
        expect(compareFlows(flow, read)).toEqual(NOTHING)
      }),
    )
  })
})
