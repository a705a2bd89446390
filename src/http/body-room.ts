/** Whose a body is: a stranger's address, or of somebody known who shall not have to wait for strangers. */
export type BodySender = { address: string; isKnown: boolean }

/** What strangers may take of a room: one address alone, and all of them together. */
const SHARE_OF_ADDRESS = 1 / 4
const SHARE_OF_STRANGERS = 3 / 4

/**
 * How much memory the bodies of one door may take in this process: those that are still arriving and
 * those that are being decided, over all connections. Bytes count as they come, not as they are
 * announced, so that who announces much and sends nothing holds nothing. One address takes a quarter at
 * most; where somebody is known at this door, the last quarter is theirs and they may take all of it.
 *
 * See docs/decisions/0022.
 */
export function createBodyRoom(mostBytes: number, { keepsForKnown }: { keepsForKnown: boolean }) {
  const mostOfStrangers = keepsForKnown ? mostBytes * SHARE_OF_STRANGERS : mostBytes
  let heldBytes = 0
  let heldByStrangers = 0
  const heldOf = new Map<string, number>()

  function isFree(bytes: number, { address, isKnown }: BodySender): boolean {
    if (heldBytes + bytes > mostBytes) return false
    if (isKnown) return true
    const ofAddress = (heldOf.get(address) ?? 0) + bytes
    return heldByStrangers + bytes <= mostOfStrangers && ofAddress <= mostBytes * SHARE_OF_ADDRESS
  }

  function hold(bytes: number, { address, isKnown }: BodySender): void {
    heldBytes += bytes
    if (isKnown) return
    heldByStrangers += bytes
    const ofAddress = (heldOf.get(address) ?? 0) + bytes
    if (ofAddress === 0) heldOf.delete(address)
    else heldOf.set(address, ofAddress)
  }

  return {
    /** False when there is no room for them: whoever asks gives back what they had. */
    take(bytes: number, sender: BodySender): boolean {
      if (!isFree(bytes, sender)) return false
      hold(bytes, sender)
      return true
    },
    /** What was taken, by the same sender. */
    give(bytes: number, sender: BodySender): void {
      hold(-bytes, sender)
    },
  }
}
export type BodyRoom = ReturnType<typeof createBodyRoom>
