import { pendingMessagesOf } from './pending-messages.ts'
import type { LoadedReply } from './reply.ts'
import { isArabizi, scriptOf } from '../../rules/assistant/reply-script.ts'

/**
 * In which language the customer is answered: of their last words by script, else as before, else the
 * contact's, else the company's. Never that of a document or an API. Spec: Assistant › Language.
 */
export function languageOf(hand: LoadedReply): 'ar' | 'en' {
  for (const { type, text, transcript } of pendingMessagesOf(hand).toReversed()) {
    // Of a place the transcript is what a map calls it, in whatever language.
    const words = (type === 'audio' ? transcript : null) ?? text ?? ''
    const script = scriptOf(words)
    if (script === 'ar' || (script === 'latin' && isArabizi(words))) return 'ar'
    if (script === 'latin') return 'en'
  }
  const { conversation, contact, settings } = hand
  const known = conversation.language ?? contact?.language ?? settings?.language ?? 'ar'
  return known.startsWith('ar') ? 'ar' : 'en'
}
