import { createPoolShare } from './pool-share.ts'

/** Whose a body is: a stranger's address, or of somebody known who shall not have to wait for strangers. */
export type BodySender = { address: string; isKnown: boolean }
/** `isLarge`: more than a small body may come. */
export type BodyOwner = BodySender & { isLarge: boolean }

/** What strangers may take of a room: one address alone; all of their large bodies; all of them together. */
const SHARE_OF_ADDRESS = 1 / 4
const SHARE_OF_LARGE = 1 / 2
const SHARE_OF_STRANGERS = 3 / 4

/**
 * How much memory the bodies of one door may take in this process: those that are still arriving and
 * those that are being decided, over all connections. Bytes count as they come, not as they are
 * announced, so that who announces much and sends nothing holds nothing. One address takes a quarter at
 * most; where somebody is known at this door, the last quarter is theirs and they may take all of it. A
 * quarter more is closed to strangers' large bodies, so that a flood of these leaves the small ones in.
 *
 * See docs/decisions/0022.
 */
export function createBodyBudget(mostBytes: number, { keepsForKnown }: { keepsForKnown: boolean }) {
  const mostOfStrangers = keepsForKnown ? mostBytes * SHARE_OF_STRANGERS : mostBytes
  const held = { byAll: 0, byStrangers: 0, byLarge: 0 }
  const heldOf = createPoolShare(mostBytes * SHARE_OF_ADDRESS)

  function isFree(bytes: number, { address, isKnown, isLarge }: BodyOwner): boolean {
    if (held.byAll + bytes > mostBytes) return false
    if (isKnown) return true
    if (isLarge && held.byLarge + bytes > mostBytes * SHARE_OF_LARGE) return false
    return held.byStrangers + bytes <= mostOfStrangers && heldOf.hasRoom(address, bytes)
  }

  function hold(bytes: number, { address, isKnown, isLarge }: BodyOwner): void {
    held.byAll += bytes
    if (isKnown) return
    held.byStrangers += bytes
    if (isLarge) held.byLarge += bytes
    heldOf.add(address, bytes)
  }

  return {
    /** Whether there is room for so many bytes now. Takes nothing. */
    isFree,
    /** False when there is no room for them: whoever asks gives back what they had. */
    take(bytes: number, owner: BodyOwner): boolean {
      if (!isFree(bytes, owner)) return false
      hold(bytes, owner)
      return true
    },
    /** What was taken, by the same owner. */
    give(bytes: number, owner: BodyOwner): void {
      hold(-bytes, owner)
    },
  }
}
export type BodyBudget = ReturnType<typeof createBodyBudget>
