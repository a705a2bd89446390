import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { formText } from '../../src/schemas/form-text.ts'
import { FlowDraft } from '../../src/contract/flow-definition.ts'
import { ruleCode } from '../../src/schemas/broken-rule.ts'
import { fact } from '../../src/core/facts/fact.ts'
import { formatFact } from '../../src/i18n/format-fact.ts'
import { fieldErrors } from '../../src/contract/field-errors.ts'

const Flow = z.strictObject({
  name: formText(1, 80),
  trigger: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('manual') }),
    z.object({ kind: z.literal('keyword'), words: z.array(z.string()).min(1).max(2) }),
  ]),
  steps: z.record(
    z.string().regex(/^[a-z]+$/, ruleCode('wrong_step_id')),
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
  const step = (body: string[], minutes: number, id = 'tell') => ({
    steps: { [id]: { body, minutes } },
  })
  const keyword = { trigger: { kind: 'keyword', words: ['a', 'b', 'c'] } }
  test.each([
    // The field is a path with dots and indexes.
    [step(['a', 'four'], 5), 'steps.tell.body[1] too_big: must have at most 3 characters'],
    [step([], 0), 'steps.tell.minutes too_small: must be at least 1'],
    [step([], 1.5), 'steps.tell.minutes wrong_type: must be a whole number'],
    [keyword, 'trigger.words too_big: must have at most 2 items'],
    [{ trigger: { kind: '?' } }, 'trigger.kind not_a_choice: must be one of manual, keyword'],
    // A key has a rule too.
    [step([], 5, 'No!'), 'steps.No! wrong_step_id: must be 1 to 64 letters, digits, _ or -'],
    [{ name: undefined }, 'name missing: is required'],
    [{ name: 5 }, 'name wrong_type: must be a string'],
    // The rule counts characters after spaces around them are removed.
    [{ name: '   ' }, 'name too_short: must be 1 to 80 characters long, not 0'],
    [{ colour: 'red' }, 'colour unknown_field: isn’t a known field'],
  ])('for %j names the field and the rule: %s', (change, told) => {
    const errors = errorsOf(change)
    expect(
      errors.map((error) => `${error.field} ${error.code}: ${formatFact(error, 'en')}`),
    ).toEqual([told])
  })

  test('is absent for a right value, and uses the singular for one', () => {
    expect(errorsOf({})).toEqual([])
    const said = formatFact(fact('too_small', { min: 1, unit: 'characters' }), 'en')
    expect(said).toBe('must have at least 1 character')
  })
})

test('a flow with too many steps is refused by one rule, and its steps are not checked', () => {
  const steps = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`step${at}`, {}]))
  const flow = { channelId: 'c', trigger: { kind: 'webhook' }, start: 'step0', steps }
  const issues = FlowDraft.safeParse(flow).error?.issues.filter(({ path }) => path[0] === 'steps')
  expect(fieldErrors(issues ?? [])).toEqual([
    { field: 'steps', code: 'too_big', params: { max: 200, unit: 'steps' } },
  ])
})

describe('at most 100 errors of a body are reported', () => {
  const given = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, 1]))
  test.each([
    ['an object', z.strictObject({}), given],
    ['a list of objects', z.array(z.strictObject({})), [given, given]],
  ])('for unknown fields of %s', (_, schema, value) => {
    const { error } = schema.safeParse(value)
    expect(fieldErrors(error!.issues)).toHaveLength(100)
  })
})
