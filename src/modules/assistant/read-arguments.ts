import { readJson } from '../../rules/text/json-text.ts'

/**
 * Returns the arguments that a model calls a tool with, or null where they are no object. Some models write nothing where
 * a tool takes none.
 */
export function readArguments(input: string): object | null {
  if (input.trim() === '') return {}
  const read = readJson(input, { mustBeContainer: true })
  return read.ok && !Array.isArray(read.value) ? (read.value as object) : null
}
