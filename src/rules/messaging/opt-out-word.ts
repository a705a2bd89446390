import { withoutInvisible } from '../text/fold-text.ts'

/**
 * Reads a whole text message as the word that opts out or back in; null for any other message. Only
 * the word itself counts, trimmed, in any case; keyboards and apps for Arabic put marks of direction around Latin
 * letters, which nobody sees. Spec: Flows › Opt-out; reading F14; States › Opt-out.
 */
export function parseOptOutKeyword(text: string): 'stop' | 'start' | null {
  // Without the `u` flag, so that no foreign letter folds into an S or a T.
  const word = /^(stop|start)$/i.exec(withoutInvisible(text).trim())?.[1]?.toLowerCase()
  return word === 'stop' || word === 'start' ? word : null
}
