/**
 * Reads a whole text message as the word that opts out or back in; null for any other message. Only
 * the word itself counts, trimmed, in any case. Spec: Flows › Opt-out; States › Opt-out.
 */
export function readOptOutWord(text: string): 'stop' | 'start' | null {
  // Without the `u` flag, so that no foreign letter folds into an S or a T.
  const word = /^(stop|start)$/i.exec(text.trim())?.[1]?.toLowerCase()
  return word === 'stop' || word === 'start' ? word : null
}
