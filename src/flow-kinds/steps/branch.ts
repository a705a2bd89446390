import { z } from 'zod'
import { contactFieldKey, variableName } from '../../schemas/flow-names.ts'
import { fact } from '../../core/facts/fact.ts'
import { FLOW_LIMITS } from '../../core/limits/flows.ts'
import { isOpenAt } from '../../rules/flows/opening-hours.ts'
import { LANGUAGES } from '../../core/vocabulary/hooks.ts'
import { compare, Comparison, issuesOfComparison, valueNamed } from './compare.ts'
import {
  nextStep,
  stepIssue,
  type StepDefinition,
  type StepIssue,
  type Traversal,
} from './step-design.ts'

const wanted = z.string().max(FLOW_LIMITS.comparedChars)

const Condition = z.discriminatedUnion('of', [
  z.object({ of: z.literal('variable'), name: variableName, is: Comparison, value: wanted }),
  z.object({
    of: z.literal('contact'),
    name: z.enum(['name', 'phone', 'email']),
    is: Comparison,
    value: wanted,
  }),
  z.object({ of: z.literal('field'), key: contactFieldKey, is: Comparison, value: wanted }),
  z.object({ of: z.literal('tag'), tag: wanted.min(1), has: z.boolean() }),
  /** The language of the run. */
  z.object({ of: z.literal('language'), is: z.enum(LANGUAGES) }),
  /** The service window: open when a message other than a template may be sent. */
  z.object({ of: z.literal('window'), isOpen: z.boolean() }),
  /** The opening hours of the company. */
  z.object({ of: z.literal('hours'), isOpen: z.boolean() }),
])
type Condition = z.infer<typeof Condition>

const schema = z.object({
  kind: z.literal('branch'),
  /** The branches in order; the run takes the first whose conditions are met. */
  branches: z
    .array(
      z.object({
        match: z.enum(['all', 'any']),
        conditions: z.array(Condition).min(1).max(FLOW_LIMITS.conditions),
        next: nextStep,
      }),
    )
    .min(1)
    .max(FLOW_LIMITS.branches),
  otherwise: nextStep,
})
type BranchStep = z.infer<typeof schema>

/** The step that takes one of several paths. Spec: Flows › Steps. */
export const BRANCH = {
  schema,
  exits: ({ branches, otherwise }) => ({
    ...Object.fromEntries(branches.map(({ next }, index) => [`branches[${index}].next`, next])),
    otherwise,
  }),
  reads: ({ branches }) => [
    ...new Set(
      branches.flatMap(({ conditions }) =>
        conditions.flatMap((one) => (one.of === 'variable' ? [one.name] : [])),
      ),
    ),
  ],
  enter({ branches, otherwise }, walk) {
    const index = branches.findIndex(({ match, conditions }) =>
      match === 'all'
        ? conditions.every((one) => holds(one, walk))
        : conditions.some((one) => holds(one, walk)),
    )
    return index === -1
      ? { kind: 'go_on', to: otherwise, detail: fact('no_branch_holds') }
      : {
          kind: 'go_on',
          to: branches[index]!.next,
          detail: fact('branch_holds', { branch: index + 1 }),
        }
  },
  issues: ({ branches }, { hasOpeningHours, fieldKeys }) =>
    branches.flatMap(({ conditions }, branch) =>
      conditions.flatMap((one, index): StepIssue[] => {
        const at = `branches[${branch}].conditions[${index}]`
        if (one.of === 'hours' && !hasOpeningHours) {
          return [stepIssue(at, 'opening_hours_set', fact('opening_hours_set'))]
        }
        if (one.of === 'field' && !fieldKeys.includes(one.key)) {
          return [stepIssue(`${at}.key`, 'field_exists', fact('field_exists', { key: one.key }))]
        }
        return 'value' in one ? issuesOfComparison(`${at}.value`, one.is, one.value) : []
      }),
    ),
} satisfies StepDefinition<BranchStep>

function holds(condition: Condition, { state, contact, around }: Traversal): boolean {
  switch (condition.of) {
    case 'variable': {
      const { name, is, value } = condition
      return compare(valueNamed(state.variables, name), is, value)
    }
    case 'contact':
      return compare(contact?.[condition.name] ?? '', condition.is, condition.value)
    case 'field':
      return compare(
        valueNamed(contact?.fields ?? {}, condition.key),
        condition.is,
        condition.value,
      )
    case 'tag': {
      const tag = condition.tag.trim().toLowerCase()
      const has = contact?.tags.some((one) => one.toLowerCase() === tag) ?? false
      return has === condition.has
    }
    case 'language':
      return state.language === condition.is
    case 'window':
      return around.isWindowOpen === condition.isOpen
    case 'hours': {
      const { openingHours, zone, now } = around
      const isOpen = openingHours === null || isOpenAt(openingHours, zone, now)
      return isOpen === condition.isOpen
    }
  }
}
