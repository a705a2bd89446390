/**
 * How much memory the bodies of one door may take in this process: those that are still arriving and
 * those that are being decided, over all connections. Bytes count as they come, not as they are
 * announced, so that who announces much and sends nothing holds nothing.
 */
export function createBodyRoom(mostBytes: number) {
  let heldBytes = 0
  return {
    /** False when there is no room for them: whoever asks gives back what they had. */
    take(bytes: number): boolean {
      if (heldBytes + bytes > mostBytes) return false
      heldBytes += bytes
      return true
    },
    give(bytes: number): void {
      heldBytes -= bytes
    },
    heldBytes: () => heldBytes,
  }
}
export type BodyRoom = ReturnType<typeof createBodyRoom>
