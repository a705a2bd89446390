import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { formText } from '../contract/dashboard/text.ts'
import { ruleOf } from '../contract/broken-rule.ts'
import { fact } from '../facts/fact.ts'
import { tellFact } from '../words/tell-fact.ts'
import { fieldErrors } from './field-errors.ts'

const Flow = z.strictObject({
  name: formText(1, 80),
  trigger: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('manual') }),
    z.object({ kind: z.literal('keyword'), words: z.array(z.string()).min(1).max(2) }),
  ]),
  steps: z.record(
    z.string().regex(/^[a-z]+$/, ruleOf('wrong_step_id')),
    z.object({ body: z.array(z.string().max(3)), minutes: z.number().int().min(1).max(10) }),
  ),
})

const VALID = {
  name: 'Order is ready',
  trigger: { kind: 'manual' },
  steps: { tell: { body: ['a', 'b'], minutes: 5 } },
}

function errorsOf(change: Record<string, unknown>) {
  return fieldErrors(Flow.safeParse({ ...VALID, ...change }).error?.issues ?? [])
}

describe('a field error', () => {
  test('there is none for what is as it must be', () => {
    expect(errorsOf({})).toEqual([])
  })

  test.each([
    [
      'names its place by a dot path',
      { steps: { tell: { body: ['a', 'four'], minutes: 5 } } },
      'steps.tell.body[1]',
      'too_big',
      'must have at most 3 characters',
    ],
    [
      'names the least of a number',
      { steps: { tell: { body: [], minutes: 0 } } },
      'steps.tell.minutes',
      'too_small',
      'must be at least 1',
    ],
    [
      'names the kind of a number',
      { steps: { tell: { body: [], minutes: 1.5 } } },
      'steps.tell.minutes',
      'wrong_type',
      'must be a whole number',
    ],
    [
      'counts the items of a list',
      { trigger: { kind: 'keyword', words: ['a', 'b', 'c'] } },
      'trigger.words',
      'too_big',
      'must have at most 2 items',
    ],
    [
      'lists the kinds there are',
      { trigger: { kind: 'sometimes' } },
      'trigger.kind',
      'not_a_choice',
      'must be one of manual, keyword',
    ],
    [
      'tells the rule of a key',
      { steps: { 'No!': { body: [], minutes: 5 } } },
      'steps.No!',
      'wrong_step_id',
      'must have 1 to 64 letters, digits, _ and -',
    ],
    ['tells what is missing', { name: undefined }, 'name', 'missing', 'is needed'],
    ['tells the type', { name: 5 }, 'name', 'wrong_type', 'must be a string'],
    [
      'counts characters after what is around them is dropped',
      { name: '   ' },
      'name',
      'too_short',
      'must have from 1 to 80 characters, not 0',
    ],
    [
      'tells what is not known',
      { colour: 'red' },
      'colour',
      'unknown_field',
      'is not a field of this request',
    ],
  ])('%s', (_what, change, field, code, message) => {
    const [error, ...others] = errorsOf(change)
    expect(others).toEqual([])
    expect([error!.field, error!.code, tellFact(error!, 'en')]).toEqual([field, code, message])
  })

  test('says one of a thing, not one things', () => {
    const said = tellFact(fact('too_small', { least: 1, unit: 'characters' }), 'en')
    expect(said).toBe('must have at least 1 character')
  })
})
