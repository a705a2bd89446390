/** The words whose results one cache holds; a full cache is cleared. */
const MAX_WORDS = 2_048

/** Returns a function that caches the results of `read` by word, since the words of a text repeat. */
export function memoize<Value>(read: (word: string) => Value): (word: string) => Value {
  const known = new Map<string, { value: Value }>()
  return (word) => {
    let kept = known.get(word)
    if (!kept) {
      if (known.size >= MAX_WORDS) known.clear()
      kept = { value: read(word) }
      known.set(word, kept)
    }
    return kept.value
  }
}
