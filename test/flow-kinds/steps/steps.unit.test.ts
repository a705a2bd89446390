import { describe, expect, test } from 'vitest'
import type { StepDefinition } from '../../../src/flow-kinds/steps/step-design.ts'
import { ifNotSent, nextStep } from '../../../src/flow-kinds/steps/step-design.ts'
import { designOf, exitsOf, Step } from '../../../src/flow-kinds/steps/steps.ts'

/** Every kind, by its schema. */
const kinds = Step.options.map((schema) => {
  const kind = [...schema.shape.kind.values][0]!
  const shape = schema.shape as Record<string, unknown>
  const design: StepDefinition<Step> = designOf({ kind } as Step)
  return { kind, shape, design }
})

/** The fields of a step that its exits also depend on, by kind. */
const WITH_OWN_EXITS: Record<string, object> = {
  ask: {
    options: [
      { value: 'a', label: 'A', next: 'to-options[0].next' },
      { value: 'b', label: 'B' },
    ],
  },
  branch: { branches: [{ match: 'all', conditions: [], next: 'to-branches[0].next' }] },
}

describe.each(kinds)('A step of kind $kind', ({ kind, shape, design }) => {
  const leading = Object.keys(shape).filter((field) => leadsOn(shape[field]))
  const targets = Object.fromEntries(leading.map((field) => [field, `to-${field}`]))
  const step = { kind, ...targets, ...WITH_OWN_EXITS[kind] } as unknown as Step
  const exits = exitsOf(step)

  test('has the definition of its kind, whose exits are all of its fields that name a step', () => {
    expect(design.schema.shape).toBe(shape)
    for (const { exit, to } of exits) expect(to).toBe(`to-${exit}`)
    const own = exits.map(({ exit }) => exit).filter((exit) => !exit.includes('['))
    expect(own.toSorted()).toEqual(leading.toSorted())
  })

  test('continues after what it waits for, and knows which exits follow a message of the customer', () => {
    const { waits, sends, call, runsInlineEffects, resume } = design
    expect(resume !== undefined).toBe(Boolean(waits ?? sends ?? call ?? runsInlineEffects))
    expect(waits?.isAnswer('onTimeout') ?? false).toBe(false)
  })
})

/** Tells whether a field of a schema names a step. */
function leadsOn(field: unknown): boolean {
  const inner = (field as { def: { innerType?: unknown } }).def.innerType
  return field === nextStep || field === ifNotSent || inner === nextStep
}

test('Every exit of a question except that of silence follows a message of the customer', () => {
  const step = { kind: 'ask', options: [{ next: 'a' }] } as unknown as Step
  const answered = exitsOf(step).filter(({ exit }) => designOf(step).waits!.isAnswer(exit))
  expect(answered.map(({ exit }) => exit)).toEqual(['next', 'onInvalid', 'options[0].next'])
})
