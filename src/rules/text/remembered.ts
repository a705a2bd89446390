/**
 * Returns a function that reads a word once: what it read is kept for the words of a text, which repeat. At most so many
 * are kept, and then begun again.
 */
export function remembered<Value>(
  read: (word: string) => Value,
  most = 2_048,
): (word: string) => Value {
  const known = new Map<string, { value: Value }>()
  return (word) => {
    let kept = known.get(word)
    if (!kept) {
      if (known.size >= most) known.clear()
      kept = { value: read(word) }
      known.set(word, kept)
    }
    return kept.value
  }
}
