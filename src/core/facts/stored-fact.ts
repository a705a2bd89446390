/** The form of a fact in a text column. */
import type { Fact } from './fact.ts'

export function serializeFact(fact: Fact): string {
  return JSON.stringify(fact)
}

export function parseFact(text: string): Fact {
  return JSON.parse(text) as Fact
}
