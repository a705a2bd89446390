/**
 * Creates a number's log of changes, each stored until the client confirms it: events, changes of keys (only the newest
 * for each name), and others.
 */
export function createChangeLog(onChange: () => void) {
  const events: { seq: number; event: string; data: unknown }[] = []
  const keep = new Map<string, { seq: number; value: string | null }>()
  let seq = 0
  let waiting: (() => void)[] = []

  function wake(): void {
    for (const done of waiting.splice(0)) done()
  }

  /** Deletes confirmed changes. */
  function forget(after: number): void {
    const taken = events.findLastIndex((event) => event.seq <= after) + 1
    for (const [name, kept] of keep) if (kept.seq <= after) keep.delete(name)
    if (taken === 0) return
    events.splice(0, taken)
    onChange()
  }

  function wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = setTimeout(done, ms)
      function done() {
        clearTimeout(end)
        signal.removeEventListener('abort', done)
        resolve()
      }
      signal.addEventListener('abort', done)
      waiting.push(done)
    })
  }

  return {
    waitingEvents: () => events.length,
    moved(): void {
      seq += 1
      wake()
      onChange()
    },
    keep(name: string, value: string | null): void {
      seq += 1
      keep.set(name, { seq, value })
    },
    add(event: string, data: unknown): void {
      seq += 1
      events.push({ seq, event, data })
      wake()
      onChange()
    },
    /** Returns the changes after `after`; waits until there is one. */
    async round(after: number, waitMs: number, signal: AbortSignal) {
      forget(after)
      if (seq <= after && waitMs > 0 && !signal.aborted) await wait(waitMs, signal)
      return {
        cursor: seq,
        events: events.map(({ event, data }) => ({ event, data })),
        keep: Object.fromEntries([...keep].map(([name, { value }]) => [name, value])),
      }
    },
    end(): void {
      wake()
      waiting = []
    },
  }
}
