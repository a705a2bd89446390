import { compactJson, isContainer, readJson } from '../../../rules/text/json-text.ts'

/** What a model gave a tool, by name; what is no JSON object stands as it was written, under no name. */
export function readGiven(input: string): [name: string, value: string][] {
  if (input.trim() === '') return []
  const given = readJson(input)
  // A model may write what nobody can read.
  if (!given.ok || !isContainer(given.value) || Array.isArray(given.value)) return [['', input]]
  return Object.entries(given.value).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : compactJson(value),
  ])
}
