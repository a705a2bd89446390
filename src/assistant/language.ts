import { burstOf } from './burst.ts'
import type { HandOfReply } from './reply.ts'
import { scriptOf } from '../rules/assistant/reply-script.ts'

/**
 * In which language the customer is answered: of their last words by script, else as before, else the
 * contact's, else the company's. Never that of a document or an API. Spec: Assistant › Language.
 */
export function languageOf(hand: HandOfReply): 'ar' | 'en' {
  for (const { text, transcript } of burstOf(hand).toReversed()) {
    const words = transcript ?? text ?? ''
    const script = scriptOf(words)
    if (script === 'ar' || (script === 'latin' && isArabizi(words))) return 'ar'
    if (script === 'latin') return 'en'
  }
  const { conversation, contact, settings } = hand
  const known = conversation.language ?? contact?.language ?? settings?.language ?? 'ar'
  return known.startsWith('ar') ? 'ar' : 'en'
}

/** Arabic in Latin letters, where digits stand for the sounds that those have no letter for. */
function isArabizi(words: string): boolean {
  const within = words.match(/\b[a-z]+[235679][a-z]{2,}\b|\b[a-z]{2,}[235679][a-z]+\b/gi) ?? []
  const before = words.match(/\b[235679][a-z]{3,}\b/gi) ?? []
  return within.length > 0 || before.length > 1
}
