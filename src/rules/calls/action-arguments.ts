import { ACTION_LIMITS } from '../../core/limits/calls.ts'
import { breaksHeader } from './call-headers.ts'
import { placeholdersOf } from './call-placeholders.ts'
import { JsonNumber } from '../text/json-number.ts'
import { cleanText, countCodePoints } from '../text/json-text.ts'

/** The part of an action's parameter that decides which values it accepts. */
export type ParameterRule = {
  name: string
  description: string
  isRequired: boolean
} & ({ type: 'string' | 'number' | 'yes_no' } | { type: 'one_of'; values: readonly string[] })

/** Texts by parameter; null for a missing optional one. */
export type ActionArguments = Record<string, string | null>

/** The result of reading arguments. */
export type ReadArguments =
  | { ok: true; value: ActionArguments }
  /** Sentences from which the assistant can correct itself or ask the customer. */
  | { ok: false; problems: string[] }

const JSON_NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/

/** The parts of a request's design that restrict which values fit into them. */
export type ArgumentPlaces = {
  path: string
  headers: readonly { value: string }[]
}

/**
 * Validates the arguments that the assistant calls an action with. Every value becomes a text, since placeholders are
 * inside quotes: a number as it is written, yes or no as `true` or `false`. A blank text counts as missing. Values that
 * the request could not carry are refused here, where the assistant can still correct them. Never throws.
 * Spec: Calls › AI actions.
 */
export function readActionArguments(
  parameters: readonly ParameterRule[],
  given: unknown,
  request: ArgumentPlaces,
): ReadArguments {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return { ok: false, problems: ['Give the arguments as an object, by the names of parameters.'] }
  }
  const known = new Set(parameters.map(({ name }) => name))
  const inPath = new Set(placeholdersOf(request.path))
  const inHeaders = new Set(request.headers.flatMap(({ value }) => placeholdersOf(value)))
  const problems = Object.keys(given)
    .filter((name) => !known.has(name))
    .slice(0, ACTION_LIMITS.parameters)
    .map((name) => `There is no parameter ${JSON.stringify(cleanText(name).slice(0, 80))}.`)
  const value: ActionArguments = {}
  for (const parameter of parameters) {
    const { name } = parameter
    const raw: unknown = Object.hasOwn(given, name)
      ? (given as Record<string, unknown>)[name]
      : null
    const text = isBlank(raw) ? null : textOf(parameter, raw)
    if (text === undefined) {
      problems.push(`${name} must be ${wanted(parameter)}.`)
    } else if (text === null) {
      if (parameter.isRequired) {
        problems.push(`${name} is missing: ask the customer for it (${parameter.description}).`)
      }
    } else if (countCodePoints(text) > ACTION_LIMITS.valueChars) {
      problems.push(`${name} must have at most ${ACTION_LIMITS.valueChars} characters.`)
    } else if (inPath.has(`args.${name}`) && /[/\\]|\.\.|^\.$/.test(text)) {
      problems.push(`${name} must not hold /, \\ or two dots in a row.`)
    } else if (inHeaders.has(`args.${name}`) && breaksHeader(text)) {
      problems.push(`${name} must be one line.`)
    }
    value[name] = text ?? null
  }
  return problems.length === 0 ? { ok: true, value } : { ok: false, problems }
}

function isBlank(raw: unknown): boolean {
  return raw === undefined || raw === null || (typeof raw === 'string' && raw.trim() === '')
}

/** Returns undefined when the value does not fit the parameter. */
function textOf(parameter: ParameterRule, raw: unknown): string | undefined {
  switch (parameter.type) {
    case 'string':
      return typeof raw === 'string' ? cleanText(raw) : undefined
    case 'number':
      if (raw instanceof JsonNumber) return raw.text
      if (typeof raw === 'number') return Number.isFinite(raw) ? String(raw) : undefined
      // A long number keeps its digits when the assistant writes it as text.
      return typeof raw === 'string' && JSON_NUMBER.test(raw.trim()) ? raw.trim() : undefined
    case 'yes_no':
      return typeof raw === 'boolean' || raw === 'true' || raw === 'false' ? String(raw) : undefined
    case 'one_of':
      return typeof raw === 'string' && parameter.values.includes(raw) ? raw : undefined
  }
}

function wanted(parameter: ParameterRule): string {
  switch (parameter.type) {
    case 'string':
      return 'a text'
    case 'number':
      return 'a number'
    case 'yes_no':
      return 'true or false'
    case 'one_of':
      return `one of ${parameter.values.map((value) => JSON.stringify(value)).join(', ')}`
  }
}

/** Serializes arguments with sorted keys, so that equal arguments always give the same text. */
export function writeArguments(args: ActionArguments): string {
  return JSON.stringify(Object.entries(args).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
