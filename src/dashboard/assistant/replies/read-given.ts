import { compactJson, isContainer, readJson } from '../../../rules/text/json-text.ts'

/**
 * Returns the arguments of a tool call by name. Text that is no JSON object is returned unchanged, with an empty name.
 */
export function readGiven(input: string): [name: string, value: string][] {
  if (input.trim() === '') return []
  const given = readJson(input)
  // A model may write invalid JSON.
  if (!given.ok || !isContainer(given.value) || Array.isArray(given.value)) return [['', input]]
  return Object.entries(given.value).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : compactJson(value),
  ])
}
