/**
 * What a model calls a tool with, read leniently where that is safe and refused in words where it is not, so
 * that it can be corrected. Never throws.
 */
import { cleanText, countCodePoints } from '../../../rules/text/json-text.ts'
import type { ToolResult } from './tool.ts'

/** A problem with what was given, for the model. */
export class WrongInput {
  readonly told: string

  constructor(told: string) {
    this.told = told
  }
}

export type Given = Readonly<Record<string, unknown>>

/** What is named and nothing else; blank texts count as not given. */
export function readGiven(args: unknown, known: readonly string[]): Given | WrongInput {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    return new WrongInput('Give the arguments as an object.')
  }
  const unknown = Object.keys(args).filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    const names = unknown.slice(0, 5).map((name) => JSON.stringify(cleanText(name).slice(0, 80)))
    return new WrongInput(`There is no argument ${names.join(', ')}.`)
  }
  return args as Given
}

/** Null: not given. */
export function readText(given: Given, name: string, most: number): string | null | WrongInput {
  const value = given[name] ?? null
  if (value === null) return null
  if (typeof value !== 'string') return new WrongInput(`${name} must be a text.`)
  const text = cleanText(value).trim()
  if (countCodePoints(text) <= most) return text === '' ? null : text
  return new WrongInput(`${name} must have at most ${most} characters.`)
}

/** Null: not given. */
export function readChoice<Value extends string>(
  given: Given,
  name: string,
  values: readonly Value[],
): Value | null | WrongInput {
  const value = given[name] ?? null
  if (value === null || value === '') return null
  const chosen = values.find((one) => one === value)
  return chosen ?? new WrongInput(`${name} must be one of ${values.map(quoted).join(', ')}.`)
}

export const quoted = (text: string): string => JSON.stringify(text)

/** Nothing was done, and the text says what to correct or do instead. */
export function refused(text: string): ToolResult {
  return { text, isDone: false, hasEffect: false }
}

/** Something was read; nothing was changed. */
export function found(text: string, data?: object): ToolResult {
  return { text, isDone: true, hasEffect: false, ...(data && { data }) }
}
