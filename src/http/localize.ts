import type { Context as Hc } from 'hono'
import type { FormatFact } from '../contract/dashboard/localized-fact.ts'
import type { Language } from '../core/vocabulary/hooks.ts'
import { formatFact } from '../i18n/format-fact.ts'

/** Returns a function that formats facts as sentences in a language. */
export function formatterFor(language: Language): FormatFact {
  return (fact) => ({ ...fact, text: formatFact(fact, language) })
}

/** Sets the language of a response, and marks it as dependent on `Accept-Language` for caches. */
export function setContentLanguage(c: Hc, language: Language): void {
  c.header('content-language', language)
  c.header('vary', 'Accept-Language')
}
