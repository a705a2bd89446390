/**
 * What happened, in one order, until Wasla says that it has it: events, changes of keys (of one name the
 * newest alone), and that the link changed.
 */

/** More wait only where nobody has asked for very long. */
const MOST_EVENTS = 5_000

export function createHappenings() {
  const events = []
  const keep = new Map()
  let seq = 0
  let waiting = []

  function wake() {
    for (const done of waiting.splice(0)) done()
  }

  function wait(ms, signal) {
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
    moved() {
      seq += 1
      wake()
    },
    /** @param text null forgets it */
    keep(name, text) {
      seq += 1
      keep.set(name, { seq, text })
      wake()
    },
    tell(event, data) {
      seq += 1
      events.push({ seq, event, data })
      if (events.length > MOST_EVENTS) events.shift()
      wake()
    },
    /** What happened after `after`, which Wasla has; waits for something to happen. */
    async round(after, waitMs, signal) {
      while (events.length > 0 && events[0].seq <= after) events.shift()
      for (const [name, { seq: at }] of keep) if (at <= after) keep.delete(name)
      if (seq <= after && waitMs > 0 && !signal.aborted) await wait(waitMs, signal)
      return {
        cursor: seq,
        events: events.map(({ event, data }) => ({ event, data })),
        keep: Object.fromEntries([...keep].map(([name, { text }]) => [name, text])),
      }
    },
    end() {
      wake()
      waiting = []
    },
  }
}
