/**
 * Readers of tool arguments: lenient where that is safe; otherwise they return a text by which the model can correct
 * itself. Never throw.
 */
import { cleanText, countCodePoints } from '../../../rules/text/json-text.ts'
import type { ToolResult } from './tool.ts'

/** A problem with the arguments, for the model. */
export class WrongInput {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

/** Arguments with known names only. */
export type ToolArguments = Readonly<Record<string, unknown>>

/** Returns the arguments, or a problem when some are unknown. */
export function readNamedArguments(
  args: unknown,
  known: readonly string[],
): ToolArguments | WrongInput {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    return new WrongInput('Give the arguments as an object.')
  }
  const unknown = Object.keys(args).filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    const names = unknown.slice(0, 5).map((name) => JSON.stringify(cleanText(name).slice(0, 80)))
    return new WrongInput(`There is no argument ${names.join(', ')}.`)
  }
  return args as ToolArguments
}

/** Returns a text argument, or null when it is missing or blank. */
export function readTextArgument(
  given: ToolArguments,
  name: string,
  maxChars: number,
): string | null | WrongInput {
  const value = given[name] ?? null
  if (value === null) return null
  if (typeof value !== 'string') return new WrongInput(`${name} must be a text.`)
  const text = cleanText(value).trim()
  if (countCodePoints(text) <= maxChars) return text === '' ? null : text
  return new WrongInput(`${name} must have at most ${maxChars} characters.`)
}

/** Returns an argument with one of the given values, or null when it is missing. */
export function readChoiceArgument<Value extends string>(
  given: ToolArguments,
  name: string,
  values: readonly Value[],
): Value | null | WrongInput {
  const value = given[name] ?? null
  if (value === null || value === '') return null
  const chosen = values.find((one) => one === value)
  return chosen ?? new WrongInput(`${name} must be one of ${values.map(quoted).join(', ')}.`)
}

/** Quotes a text in a tool's result for the model. */
export const quoted = (text: string): string => JSON.stringify(text)

/** Returns the result of a refused tool call; the text says what to correct or do instead. */
export function refusalResult(text: string): ToolResult {
  return { text, isDone: false, hasEffect: false }
}

/** Returns the result of a tool that only reads. */
export function lookupResult(text: string, data?: object): ToolResult {
  return { text, isDone: true, hasEffect: false, ...(data && { data }) }
}
