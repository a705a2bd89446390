/**
 * Returns a memoized `read`, since the words of a text repeat. The cache holds at most `max` words and is cleared when
 * it is full.
 */
export function memoize<Value>(
  read: (word: string) => Value,
  max = 2_048,
): (word: string) => Value {
  const known = new Map<string, { value: Value }>()
  return (word) => {
    let kept = known.get(word)
    if (!kept) {
      if (known.size >= max) known.clear()
      kept = { value: read(word) }
      known.set(word, kept)
    }
    return kept.value
  }
}
