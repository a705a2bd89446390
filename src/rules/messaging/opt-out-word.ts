import { withoutInvisible } from '../text/fold-text.ts'

/**
 * Parses a whole text message as an opt-out or opt-in keyword; null for any other message. Only the keyword alone
 * counts, trimmed, in any case. Invisible direction marks are ignored, because Arabic keyboards and apps put them
 * around Latin letters. Spec: Flows › Opt-out; reading F14; States › Opt-out.
 */
export function parseOptOutKeyword(text: string): 'stop' | 'start' | null {
  // The pattern has no `u` flag, so that no foreign letter folds to an S or a T.
  const word = /^(stop|start)$/i.exec(withoutInvisible(text).trim())?.[1]?.toLowerCase()
  return word === 'stop' || word === 'start' ? word : null
}
