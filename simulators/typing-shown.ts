import type { Clock } from './time.ts'
import { SIMULATOR_LIMITS } from './limits.ts'

export type TypingShown = ReturnType<typeof createTypingShown>

/** In which chats it is shown that the business writes: until it goes out by itself, or something is sent. */
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
    /** For how many more milliseconds, where the business sent its last message at this time; 0: not. */
    leftMs(account: string, customer: string, sentAt: number): number {
      const at = last.get(keyOf(account, customer)) ?? -Infinity
      return sentAt > at ? 0 : Math.max(0, at + shownMs - clock.now().getTime())
    },
    /** Each time that it began, the oldest first. */
    all: () => [...shown],
    onChange(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
