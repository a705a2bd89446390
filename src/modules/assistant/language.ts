import { pendingMessagesOf } from './pending-messages.ts'
import type { LoadedReply } from './reply.ts'
import { isArabizi, scriptOf } from '../../rules/assistant/reply-script.ts'

/**
 * Returns the language of the answer: by the script of the customer's last words, else the previous one, the
 * contact's, or the company's. Never that of a document or an API. Spec: Assistant › Language.
 */
export function languageOf(loaded: LoadedReply): 'ar' | 'en' {
  for (const { type, text, transcript } of pendingMessagesOf(loaded).toReversed()) {
    // The transcript of a place is its name on a map, in any language.
    const words = (type === 'audio' ? transcript : null) ?? text ?? ''
    const script = scriptOf(words)
    if (script === 'ar' || (script === 'latin' && isArabizi(words))) return 'ar'
    if (script === 'latin') return 'en'
  }
  const { conversation, contact, settings } = loaded
  const known = conversation.language ?? contact?.language ?? settings?.language ?? 'ar'
  return known.startsWith('ar') ? 'ar' : 'en'
}
