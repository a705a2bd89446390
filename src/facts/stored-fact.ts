/** A fact as a column of text holds it. */
import type { Fact } from './fact.ts'

export function storeFact(fact: Fact): string {
  return JSON.stringify(fact)
}

export function readFact(text: string): Fact {
  return JSON.parse(text) as Fact
}
