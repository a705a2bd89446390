import type { Clock } from './time.ts'
import { SIMULATOR_LIMITS } from './limits.ts'

/** The typing indicators of all chats. */
export type TypingShown = ReturnType<typeof createTypingShown>

/** Tracks chats with a typing indicator, which ends after its time or at the next message. */
export function createTypingShown({ clock, shownMs }: { clock: Clock; shownMs: number }) {
  const last = new Map<string, number>()
  const shown: { account: string; customer: string; at: number }[] = []
  const listeners = new Set<() => void>()
  const keyOf = (account: string, customer: string) => `${account} ${customer}`

  return {
    begin(account: string, customer: string): void {
      const at = clock.now().getTime()
      last.set(keyOf(account, customer), at)
      shown.push({ account, customer, at })
      shown.splice(0, shown.length - SIMULATOR_LIMITS.messages)
      for (const listener of listeners) listener()
    },
    /**
     * Returns the remaining ms of the indicator, or 0 if it ended. `sentAt` is the time of the business's last
     * message.
     */
    leftMs(account: string, customer: string, sentAt: number): number {
      const at = last.get(keyOf(account, customer)) ?? -Infinity
      return sentAt > at ? 0 : Math.max(0, at + shownMs - clock.now().getTime())
    },
    /** The times at which the indicator began, the oldest first. */
    all: () => [...shown],
    onChange(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
