/**
 * The log of a number, in one order, until Wasla acknowledges it: events, changed keys (the newest value of each name),
 * and changes of the link. Nothing is dropped: a number whose log is full stops listening.
 */

const MAX_EVENTS = 5_000
const MAX_BYTES = 32 * 1_048_576
/**
 * A number whose log was full listens again below a tenth of the limits: each connection brings more than a page
 * removes.
 */
const FEW = 0.1
/** Limits of one response, which Wasla reads within seconds and stores before another process may ask. */
const PAGE_EVENTS = 500
const PAGE_BYTES = 4 * 1_048_576

/** Creates the log of a number's events and key changes, each stored until the client confirms it. */
export function createChangeLog() {
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
    /** @param text null deletes the key */
    keep(name, text) {
      seq += 1
      keep.set(name, { seq, text })
      wake()
    },
    add(event, data) {
      seq += 1
      const entry = { seq, event, data, bytes: Buffer.byteLength(JSON.stringify(data)) }
      events.push(entry)
      bytes += entry.bytes
      wake()
    },
    isFull: () => events.length >= MAX_EVENTS || bytes >= MAX_BYTES,
    hasFew: () => events.length < MAX_EVENTS * FEW && bytes < MAX_BYTES * FEW,
    /** Returns whether something is not acknowledged yet, which Wasla would lose. */
    hasUnacknowledged: () => events.length > 0 || keep.size > 0,
    unacknowledgedEvents: () => events.map(({ event, data }) => ({ event, data })),
    /** Returns whether Wasla has acknowledged the current state of the link. */
    isLinkAcknowledged: () => acked >= movedAt,
    /** Removes everything up to `after`, which Wasla has acknowledged. */
    acknowledge(after) {
      acked = after
      while (events.length > 0 && events[0].seq <= after) bytes -= events.shift().bytes
      for (const [name, { seq: at }] of keep) if (at <= after) keep.delete(name)
    },
    /** Returns the page after `after`; waits for an event if there is none. */
    async round(after, waitMs, signal) {
      if (seq <= after && waitMs > 0 && !signal.aborted) await wait(waitMs, signal)
      // Everything after this page is newer than its cursor.
      let room = PAGE_BYTES
      const isCut = ({ bytes: its }, place) => place === PAGE_EVENTS || (room -= its) < 0
      const end = events.findIndex((one, place) => isCut(one, place) && place > 0)
      const page = end === -1 ? events : events.slice(0, end)
      const isWhole = page.length === events.length
      return {
        isWhole,
        cursor: isWhole ? seq : page.at(-1).seq,
        events: page.map(({ event, data }) => ({ event, data })),
        keep: Object.fromEntries([...keep].map(([name, { text }]) => [name, text])),
      }
    },
    end() {
      wake()
      waiting = []
    },
  }
}
