const [LEAST, MOST] = [10_000, 99_999]

/**
 * Returns five digits by which members tell nameless visitors apart, in all lists the same: a hash of the
 * conversation's id (FNV-1a). Two visitors have the same one in 90,000.
 */
export function visitorNumber(conversationId: string): string {
  let hash = 0x811c9dc5
  for (const sign of conversationId) hash = Math.imul(hash ^ sign.codePointAt(0)!, 0x01000193)
  return String(LEAST + ((hash >>> 0) % (MOST - LEAST + 1)))
}
