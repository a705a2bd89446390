import type { Context as Hc } from 'hono'
import type { Tell } from '../contract/dashboard/told.ts'
import type { Language } from '../vocabulary/hooks.ts'
import { tellFact } from '../words/tell-fact.ts'

export function tellIn(language: Language): Tell {
  return (fact) => ({ ...fact, text: tellFact(fact, language) })
}

/** Says in which language an answer is told, and that another asker's may be in another. */
export function nameLanguage(c: Hc, language: Language): void {
  c.header('content-language', language)
  c.header('vary', 'Accept-Language')
}
