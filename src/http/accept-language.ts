import { LANGUAGES, type Language } from '../core/vocabulary/hooks.ts'

/**
 * Returns the supported language that `Accept-Language` ranks highest; of equally ranked ones the first, and English when
 * the header names none. A regional form (`ar-SA`) counts as its language. Unreadable parts are ignored.
 */
export function readAcceptLanguage(header: string | undefined): Language {
  let best: Language = 'en'
  let bestWeight = 0
  for (const part of (header ?? '').slice(0, MAX_CHARS).split(',')) {
    const [, tag, q] = RANGE.exec(part) ?? []
    const weight = q === undefined ? 1 : Number(q)
    const language = tag && languageOf(tag.toLowerCase())
    if (!language || weight <= bestWeight) continue
    best = language
    bestWeight = weight
  }
  return best
}

const MAX_CHARS = 1_000
const RANGE =
  /^\s*([a-z]{1,8}(?:-[a-z0-9]{1,8})*|\*)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i

function languageOf(tag: string): Language | undefined {
  const [primary] = tag.split('-', 1)
  return tag === '*' ? 'en' : LANGUAGES.find((language) => language === primary)
}
