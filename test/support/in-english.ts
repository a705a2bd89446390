import { parseFact } from '../../src/core/facts/stored-fact.ts'
import { formatFact } from '../../src/i18n/format-fact.ts'

/** Returns a stored fact in English, or null for null. */
export function inEnglish(stored: string | null): string | null {
  return stored === null ? null : formatFact(parseFact(stored), 'en')
}
