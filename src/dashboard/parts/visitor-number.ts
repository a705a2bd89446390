const [LEAST, MOST] = [10_000, 99_999]

/**
 * Returns five digits that distinguish nameless visitors, the same in all lists: a hash of the conversation's id
 * (FNV-1a) with 90,000 values.
 */
export function visitorNumber(conversationId: string): string {
  let hash = 0x811c9dc5
  for (const sign of conversationId) hash = Math.imul(hash ^ sign.codePointAt(0)!, 0x01000193)
  return String(LEAST + ((hash >>> 0) % (MOST - LEAST + 1)))
}
