import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { COMPARISONS } from '../../core/vocabulary/flows.ts'
import { numberOf } from '../../rules/flows/read-number.ts'
import { compareDecimals, isSameNumber } from '../../rules/text/decimal.ts'
import { stepIssue, type StepIssue } from './step-design.ts'

/** The ways to compare two values. */
export const Comparison = z.enum(COMPARISONS)
export type Comparison = z.infer<typeof Comparison>

/** Returns the value of a name, empty when it has none. Names are untrusted, so `constructor` is an ordinary one. */
export function valueNamed(values: Readonly<Record<string, string | null>>, name: string): string {
  return Object.hasOwn(values, name) ? (values[name] ?? '') : ''
}

/**
 * Returns whether two texts compare as wanted, without letter case and surrounding spaces. `wanted` is ignored for
 * empty and not_empty, and is a list for one_of. Only two numbers can be greater or less. Two numbers in JSON notation
 * are equal by value, `49.90` and `49.9`, and of any length are compared exactly.
 */
export function compare(actual: string, is: Comparison, wanted: string): boolean {
  const value = actual.trim().toLowerCase()
  const other = wanted.trim().toLowerCase()
  switch (is) {
    case 'equal':
      return isSame(value, other)
    case 'not_equal':
      return !isSame(value, other)
    case 'containing':
      return value.includes(other)
    case 'empty':
      return value === ''
    case 'not_empty':
      return value !== ''
    case 'one_of':
      return readList(other).some((one) => isSame(value, one))
    case 'greater_than':
      return compareNumbers(value, other, (order) => order > 0)
    case 'at_least':
      return compareNumbers(value, other, (order) => order >= 0)
    case 'less_than':
      return compareNumbers(value, other, (order) => order < 0)
    case 'at_most':
      return compareNumbers(value, other, (order) => order <= 0)
  }
}

const isSame = (one: string, two: string): boolean => one === two || isSameNumber(one, two)

/**
 * Returns why the value of a comparison is unusable when its flow is published; empty when it is usable.
 * @param field of `wanted`, in the step
 */
export function issuesOfComparison(field: string, is: Comparison, wanted: string): StepIssue[] {
  if (AS_NUMBERS.has(is) && numberOf(wanted) === null) {
    return [stepIssue(field, 'number_to_compare', fact('number_to_compare'))]
  }
  if (is === 'one_of' && readList(wanted).length === 0) {
    return [stepIssue(field, 'list_to_compare', fact('list_to_compare'))]
  }
  if (AS_TEXTS.has(is) && wanted.trim() === '') {
    return [stepIssue(field, 'value_to_compare', fact('value_to_compare'))]
  }
  return []
}

const AS_TEXTS: ReadonlySet<Comparison> = new Set(['equal', 'not_equal', 'containing'])

const AS_NUMBERS: ReadonlySet<Comparison> = new Set([
  'greater_than',
  'at_least',
  'less_than',
  'at_most',
])

function compareNumbers(value: string, other: string, holds: (order: number) => boolean): boolean {
  const [one, two] = [numberOf(value), numberOf(other)]
  return one !== null && two !== null && holds(compareDecimals(one, two))
}

/** Splits a list at English or Arabic commas and at line breaks. */
function readList(text: string): string[] {
  return text
    .split(/[,،\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
}
