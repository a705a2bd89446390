import { readFact } from '../../src/facts/stored-fact.ts'
import { tellFact } from '../../src/words/tell-fact.ts'

/** A stored fact in English; null where there is none. */
export function inEnglish(stored: string | null): string | null {
  return stored === null ? null : tellFact(readFact(stored), 'en')
}
