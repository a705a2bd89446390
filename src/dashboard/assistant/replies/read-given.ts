/** What a model gave a tool, by name; what is no JSON object stands as it was written, under no name. */
export function readGiven(input: string): [name: string, value: string][] {
  if (input.trim() === '') return []
  try {
    const given: unknown = JSON.parse(input)
    if (typeof given === 'object' && given !== null && !Array.isArray(given)) {
      return Object.entries(given).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ])
    }
  } catch {
    // A model may write what nobody can read.
  }
  return [['', input]]
}
