import { readJson } from '../../rules/text/json-text.ts'

/**
 * Parses the arguments of a tool call, or returns null when they are no object. Some models send an empty text when a
 * tool takes none.
 */
export function readArguments(input: string): object | null {
  if (input.trim() === '') return {}
  const read = readJson(input, { mustBeContainer: true })
  return read.ok && !Array.isArray(read.value) ? (read.value as object) : null
}
