import type { Context as Hc } from 'hono'
import type { FormatFact } from '../contract/dashboard/told.ts'
import type { Language } from '../core/vocabulary/hooks.ts'
import { formatFact } from '../i18n/format-fact.ts'

export function formatterFor(language: Language): FormatFact {
  return (fact) => ({ ...fact, text: formatFact(fact, language) })
}

/** Says in which language an answer is told, and that another asker's may be in another. */
export function setContentLanguage(c: Hc, language: Language): void {
  c.header('content-language', language)
  c.header('vary', 'Accept-Language')
}
