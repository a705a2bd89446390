/** The linter's rule that only flows/steps asks for kinds of steps, as `npm run check` runs it. */
import { afterAll, describe, expect, test } from 'vitest'
import { plantFor } from '../support/planted-lines.ts'
import { systemTest } from '../support/system-tests.ts'

const { refusedLines, remove } = plantFor('step-kinds')
afterAll(remove)

const PLANTED = [
  "export const a = step.kind === 'wait_for_reply'",
  "export const b = step?.kind !== 'end'",
  "export const c = flow.steps[id]!.kind === 'end'",
  "export const d = stepOf(flow, id).kind === 'end'",
  "export const e = Object.values(flow.steps).some(({ kind }) => kind === 'http_request')",
  "export const f = 'send_template' === one.kind",
  'export const g = SENDING.includes(next.step.kind)',
  "export const h = (stepKind) => stepKind === 'end'",
  'switch (step.kind) { default: }',
  "switch (kind) { case 'condition': break; default: }",
]

describe('A question for the kind of a step', () => {
  test('is refused wherever a room asks it', () => {
    const every = PLANTED.map((_, index) => index + 1)
    expect(refusedLines('src/flows/runs/planted.ts', PLANTED)).toEqual(every)
    expect(refusedLines('src/contract/planted.ts', PLANTED)).toEqual(every)
  })

  systemTest('is what flows/steps is for, and a test may ask', () => {
    expect(refusedLines('src/flows/steps/planted.ts', PLANTED)).toEqual([])
    expect(refusedLines('src/flows/runs/planted.test.ts', PLANTED)).toEqual([])
  })

  systemTest(
    'is none of the engine’s moves, triggers and contents, nor a kind that is written down',
    () => {
      const allowed = [
        "export const a = next.kind === 'end' || next.kind === 'wait' || next.kind === 'call'",
        "export const b = flow.trigger.kind === 'webhook'",
        "export const c = content.kind === 'template'",
        'export const d = { kind: step.kind }',
        "export const e = designOf(step).sends === 'message'",
        'switch (next.kind) { case "end": break; default: }',
      ]
      expect(refusedLines('src/flows/runs/allowed.ts', allowed)).toEqual([])
    },
  )
})
