/**
 * What happened, in one order, until Wasla says that it has it: events, changes of keys (of one name the
 * newest alone), and that the link changed. Nothing of it is dropped: who has too many listens no more.
 */

const MOST_EVENTS = 5_000
/** Of events as text; Wasla reads an answer of twice as much. */
const MOST_CHARS = 32 * 1_048_576

export function createHappenings() {
  const events = []
  let chars = 0
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
      const told = { seq, event, data, chars: JSON.stringify(data).length }
      events.push(told)
      chars += told.chars
      wake()
    },
    isFull: () => events.length >= MOST_EVENTS || chars >= MOST_CHARS,
    /** Whether something has happened that Wasla has not said to have: what it would lose. */
    hasUntaken: () => events.length > 0 || keep.size > 0,
    /** Wasla has all up to `after`. */
    taken(after) {
      while (events.length > 0 && events[0].seq <= after) chars -= events.shift().chars
      for (const [name, { seq: at }] of keep) if (at <= after) keep.delete(name)
    },
    /** What happened after `after`; waits for something to happen. */
    async round(after, waitMs, signal) {
      if (seq <= after && waitMs > 0 && !signal.aborted) await wait(waitMs, signal)
      // An answer has an end, also where very much came at once: the rest is newer than its cursor.
      let room = MOST_CHARS
      const isCut = ({ chars: its }, place) => place === MOST_EVENTS || (room -= its) < 0
      const end = events.findIndex((one, place) => isCut(one, place) && place > 0)
      const told = end === -1 ? events : events.slice(0, end)
      return {
        cursor: told.length < events.length ? told.at(-1).seq : seq,
        events: told.map(({ event, data }) => ({ event, data })),
        keep: Object.fromEntries([...keep].map(([name, { text }]) => [name, text])),
      }
    },
    end() {
      wake()
      waiting = []
    },
  }
}
