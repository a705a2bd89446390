import { parseFact } from '../../src/core/facts/stored-fact.ts'
import { formatFact } from '../../src/i18n/format-fact.ts'

/** A stored fact in English; null where there is none. */
export function inEnglish(stored: string | null): string | null {
  return stored === null ? null : formatFact(parseFact(stored), 'en')
}
