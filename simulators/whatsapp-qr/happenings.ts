/**
 * What happened, in one order, until whoever asks says that they have it: events, changes of keys (of one
 * name the newest alone), and that something else changed.
 */
export function createHappenings(onChange: () => void) {
  const events: { seq: number; event: string; data: unknown }[] = []
  const keep = new Map<string, { seq: number; value: string | null }>()
  let seq = 0
  let waiting: (() => void)[] = []

  function wake(): void {
    for (const done of waiting.splice(0)) done()
  }

  /** Forgets what was taken in. */
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
    tell(event: string, data: unknown): void {
      seq += 1
      events.push({ seq, event, data })
      wake()
      onChange()
    },
    /** What is new after `after`; waits for something to be. */
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
