/** The form of a fact in a text column. */
import type { Fact } from './fact.ts'

/** Returns the JSON text of a fact. */
export function serializeFact(fact: Fact): string {
  return JSON.stringify(fact)
}

/** Parses the JSON text of a stored fact. */
export function parseFact(text: string): Fact {
  return JSON.parse(text) as Fact
}
