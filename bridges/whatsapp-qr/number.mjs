/**
 * One number: its connection to WhatsApp, what happened that Wasla has not yet taken in, and what of its keys
 * is to be kept. Everything that happens has a place in one order; Wasla says up to where it has it.
 */
import { randomBytes } from 'node:crypto'
import { createKeptState } from './kept-state.mjs'

/** WhatsApp's own numbers for why a connection ended. */
const LOGGED_OUT = new Set([401, 411, 500])
const BANNED = 403
const REPLACED = 440
const RESTART = 515
const QR_MS = 20_000
const BACK_OFF_MS = 1_000
const BACK_OFF_MOST_MS = 60_000
/** More wait only where nobody has asked for very long. */
const MOST_EVENTS = 5_000

/**
 * @param kept what Wasla has kept of it
 * @param connect opens a socket: `connect({ state, onUpdate, onEvent })` resolves to
 *   `{ start(), send(id, to, content), download(media, mostBytes), logout(), end() }`
 */
export function createNumber(kept, { connect, codec, now = Date.now }) {
  const session = randomBytes(16).toString('hex')
  const events = []
  const keep = new Map()
  const sentIds = new Set()
  let seq = 0
  let link = { status: 'connecting' }
  let socket = null
  let tries = 0
  let timer = null
  let isEnded = false
  let askedAt = now()
  let waiting = []

  const state = createKeptState(
    kept,
    (name, text) => {
      seq += 1
      keep.set(name, { seq, text })
      wake()
    },
    codec,
  )
  let isPaired = !state.isNew

  function wake() {
    for (const done of waiting.splice(0)) done()
  }

  function setLink(next) {
    link = next
    seq += 1
    wake()
  }

  function tell(event, data) {
    seq += 1
    events.push({ seq, event, data })
    if (events.length > MOST_EVENTS) events.shift()
    wake()
  }

  async function open() {
    if (isEnded) return
    try {
      const opened = await connect({
        state,
        onUpdate: (update) => {
          if (opened === socket) updated(update)
        },
        onEvent: tell,
      })
      if (isEnded) return void opened.end()
      socket = opened
      socket.start()
    } catch (error) {
      closed(Number(error?.output?.statusCode) || 408)
    }
  }

  function updated({ qr, connection, code, number }) {
    if (qr !== undefined) {
      setLink({ status: 'pairing', qr, qrUntil: now() + QR_MS })
    }
    if (connection === 'open') {
      tries = 0
      isPaired = true
      setLink({ status: 'linked', ...(number && { number }) })
    }
    if (connection === 'close') closed(code)
  }

  function closed(code) {
    socket = null
    if (isEnded) return
    const told = { code: String(code) }
    if (LOGGED_OUT.has(code)) {
      state.wipe()
      return setLink({ status: 'logged_out', ...told })
    }
    if (code === BANNED) return setLink({ status: 'banned', ...told })
    if (code === REPLACED) return setLink({ status: 'replaced', ...told })
    // Codes are shown a few times and no more.
    if (!isPaired && code !== RESTART) return setLink({ status: 'expired', ...told })
    isPaired ||= code === RESTART
    const number = link.number
    setLink({ status: 'connecting', ...told, ...(number && { number }) })
    const waitMs = code === RESTART ? 0 : Math.min(BACK_OFF_MS * 2 ** tries, BACK_OFF_MOST_MS)
    tries += 1
    timer = setTimeout(() => void open(), waitMs)
  }

  void open()

  return {
    session,
    link: () => link,
    /** Since when nobody has asked for what happened. */
    askedAt: () => askedAt,
    /** What happened after `after`, which Wasla has; waits for something to happen. */
    async round(after, waitMs, signal) {
      askedAt = now()
      while (events.length > 0 && events[0].seq <= after) events.shift()
      for (const [name, { seq: at }] of keep) if (at <= after) keep.delete(name)
      const isNews = () => seq > after
      if (!isNews() && waitMs > 0 && !signal.aborted) {
        await new Promise((resolve) => {
          const end = setTimeout(done, waitMs)
          function done() {
            clearTimeout(end)
            signal.removeEventListener('abort', done)
            resolve()
          }
          signal.addEventListener('abort', done)
          waiting.push(done)
        })
      }
      askedAt = now()
      return {
        cursor: seq,
        events: events.map(({ event, data }) => ({ event, data })),
        keep: Object.fromEntries([...keep].map(([name, { text }]) => [name, text])),
        link,
      }
    },
    /** Sends once under an id: asked again under it, it has been sent. */
    async send(id, to, content) {
      if (sentIds.has(id)) return
      sentIds.add(id)
      if (sentIds.size > 1_000) sentIds.delete(sentIds.values().next().value)
      try {
        await socket.send(id, to, content)
      } catch (error) {
        // A closed connection surely took nothing.
        if (error?.output?.statusCode === 428) sentIds.delete(id)
        throw error
      }
    },
    download: (media, mostBytes) => socket.download(media, mostBytes),
    async logout() {
      const opened = socket
      isEnded = true
      await opened?.logout().catch(() => {})
      state.wipe()
      setLink({ status: 'logged_out', code: '401' })
    },
    /** Lets go of the number; it stays linked. */
    end() {
      isEnded = true
      if (timer) clearTimeout(timer)
      socket?.end()
      socket = null
      wake()
      waiting = []
    },
  }
}
