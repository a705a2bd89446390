import { createPoolShare } from './pool-share.ts'

/**
 * The sender of a body. `isKnown` is true for a member or a verified provider, whose bodies must not wait for those
 * of unauthenticated clients.
 */
export type BodySender = { address: string; isKnown: boolean }
/** The owner of budgeted memory. `isLarge` is true when the body may exceed the limit of small bodies. */
export type BodyOwner = BodySender & { isLarge: boolean }

/** Maximum shares of unauthenticated clients: those of one address, their large bodies, and all of them. */
const SHARE_OF_ADDRESS = 1 / 4
const SHARE_OF_LARGE = 1 / 2
const SHARE_OF_UNKNOWN = 3 / 4

/**
 * Creates the memory budget of one group of routes in this process, for bodies that are arriving or being handled,
 * over all connections. Bytes count on arrival, not as announced, so that a client cannot reserve memory without
 * sending. One address takes at most a quarter. With `keepsForKnown`, only known senders may use the last quarter,
 * and they may use all of it. Large bodies of unauthenticated clients take at most half, so that a flood of them
 * leaves memory for small ones.
 *
 * See docs/decisions/0022.
 */
export function createBodyBudget(maxBytes: number, { keepsForKnown }: { keepsForKnown: boolean }) {
  const maxOfUnknown = keepsForKnown ? maxBytes * SHARE_OF_UNKNOWN : maxBytes
  const held = { byAll: 0, byUnknown: 0, byLarge: 0 }
  const heldOf = createPoolShare(maxBytes * SHARE_OF_ADDRESS)

  function isFree(bytes: number, { address, isKnown, isLarge }: BodyOwner): boolean {
    if (held.byAll + bytes > maxBytes) return false
    if (isKnown) return true
    if (isLarge && held.byLarge + bytes > maxBytes * SHARE_OF_LARGE) return false
    return held.byUnknown + bytes <= maxOfUnknown && heldOf.hasRoom(address, bytes)
  }

  function hold(bytes: number, { address, isKnown, isLarge }: BodyOwner): void {
    held.byAll += bytes
    if (isKnown) return
    held.byUnknown += bytes
    if (isLarge) held.byLarge += bytes
    heldOf.add(address, bytes)
  }

  return {
    /** Returns whether this many bytes are free now, without taking them. */
    isFree,
    /** Takes memory and returns true, or returns false when the budget has too little left. */
    take(bytes: number, owner: BodyOwner): boolean {
      if (!isFree(bytes, owner)) return false
      hold(bytes, owner)
      return true
    },
    /** Releases memory that `take` reserved for the same owner. */
    give(bytes: number, owner: BodyOwner): void {
      hold(-bytes, owner)
    },
  }
}
export type BodyBudget = ReturnType<typeof createBodyBudget>
