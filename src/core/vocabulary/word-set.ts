/** Returns the words of a text that are separated by white space. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

/** Returns the phrases of a text that are separated by `|`, without the white space around each. */
export function phraseList(text: string): readonly string[] {
  return text.split('|').map((phrase) => phrase.trim().replace(/\s+/g, ' '))
}
