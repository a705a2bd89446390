/**
 * What happened, in one order, until Wasla says that it has it: events, changes of keys (of one name the
 * newest alone), and that the link changed. Nothing of it is dropped: who has too many listens no more.
 */

const MOST_EVENTS = 5_000
const MOST_BYTES = 32 * 1_048_576
/** Who had too many listens again with a tenth of them: each connection brings more than a page takes away. */
const FEW = 0.1
/** An answer has no more: it is read within seconds, and taken in before another process may ask. */
const PAGE_EVENTS = 500
const PAGE_BYTES = 4 * 1_048_576

export function createHappenings() {
  const events = []
  let bytes = 0
  let acked = 0
  let movedAt = 0
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
        waiting = waiting.filter((one) => one !== done)
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
      movedAt = seq
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
      const told = { seq, event, data, bytes: Buffer.byteLength(JSON.stringify(data)) }
      events.push(told)
      bytes += told.bytes
      wake()
    },
    isFull: () => events.length >= MOST_EVENTS || bytes >= MOST_BYTES,
    hasFew: () => events.length < MOST_EVENTS * FEW && bytes < MOST_BYTES * FEW,
    /** Whether something has happened that Wasla has not said to have: what it would lose. */
    hasUntaken: () => events.length > 0 || keep.size > 0,
    untakenEvents: () => events.map(({ event, data }) => ({ event, data })),
    /** Whether Wasla knows how the link stands. */
    isLinkTaken: () => acked >= movedAt,
    /** Wasla has all up to `after`. */
    taken(after) {
      acked = after
      while (events.length > 0 && events[0].seq <= after) bytes -= events.shift().bytes
      for (const [name, { seq: at }] of keep) if (at <= after) keep.delete(name)
    },
    /** What happened after `after`; waits for something to happen. */
    async round(after, waitMs, signal) {
      if (seq <= after && waitMs > 0 && !signal.aborted) await wait(waitMs, signal)
      // What is beyond a page is newer than its cursor.
      let room = PAGE_BYTES
      const isCut = ({ bytes: its }, place) => place === PAGE_EVENTS || (room -= its) < 0
      const end = events.findIndex((one, place) => isCut(one, place) && place > 0)
      const told = end === -1 ? events : events.slice(0, end)
      const isWhole = told.length === events.length
      return {
        isWhole,
        cursor: isWhole ? seq : told.at(-1).seq,
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
