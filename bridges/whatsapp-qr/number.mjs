/** One number: its connection to WhatsApp, the state of its link, and the log that Wasla has not acknowledged yet. */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createChangeLog } from './change-log.mjs'
import { createKeyStore } from './key-store.mjs'

/**
 * WhatsApp's codes for the end of a connection. 500 is not among them. Baileys uses it for all faults without a code,
 * such as those of the network, so it says nothing about the keys.
 */
const LOGGED_OUT = new Set([401, 411])
const BANNED = 403
const REPLACED = 440
const RESTART = 515
/** The first code of a connection is valid for longer than the later ones. */
const FIRST_QR_MS = 60_000
const QR_MS = 20_000
const BACK_OFF_MS = 1_000
const BACK_OFF_MOST_MS = 60_000
const KNOWN_IDS = 1_000
/** The maximum time for which a connection that ends delays the next one. */
const ENDING_MS = 5_000
/** The states of a number that is connected or trying to be. */
const OPEN = new Set(['connecting', 'pairing', 'linked'])
const ENDED = new Set(['logged_out', 'banned', 'replaced'])

/**
 * Creates a linked WhatsApp number, which connects when its log is first requested. Only a client that knows the
 * session requests it, so no event is lost.
 * @param kept the state that Wasla has stored
 * @param unacknowledged events of an earlier session that Wasla has not acknowledged
 * @param connect opens a socket: `connect({ state, onUpdate, onEvent })` resolves to
 *   `{ start(), send(id, to, content), download(media, mostBytes), logout(), end() }`
 */
export function createNumber(kept, { connect, codec, now = Date.now }, unacknowledged = []) {
  const changeLog = createChangeLog()
  for (const { event, data } of unacknowledged) changeLog.add(event, data)
  const state = createKeyStore(kept, changeLog.keep, codec)
  const sentIds = new Set()
  let link = { status: 'connecting', ...idsOf(state, codec) }
  let askedAt = now()
  let isLeft = false
  let hasTooMany = changeLog.isFull()
  let ended = null

  function setLink(next) {
    link = next
    changeLog.moved()
  }

  const connection = createConnection({
    connect,
    state,
    now,
    setLink,
    link: () => link,
    ids: () => ({ ...idsOf(link), ...idsOf(state, codec) }),
    onEvent(event, data) {
      changeLog.add(event, data)
      if (hasTooMany || !changeLog.isFull()) return
      hasTooMany = true
      // WhatsApp stores later messages. If it is closing the connection already, its reason is reported first.
      queueMicrotask(connection.rest)
    },
  })

  async function finish() {
    const isEnded = connection.end()
    // A message that is sent from now on certainly does not go out.
    if (link.status === 'linked') setLink({ ...link, status: 'connecting' })
    changeLog.end()
    await isEnded
  }

  return {
    session: randomBytes(16).toString('hex'),
    link: () => link,
    /** Returns the time of the last request for the log. */
    askedAt: () => askedAt,
    /** Returns whether Wasla would lose data if the number were closed. After a logout there is nothing to lose. */
    hasUnacknowledged: () =>
      !isLeft &&
      (changeLog.hasUnacknowledged() ||
        (ENDED.has(link.status) && !changeLog.isLinkAcknowledged())),
    unacknowledgedEvents: changeLog.unacknowledgedEvents,
    /** Closes the connection until the next request; WhatsApp stores messages meanwhile. */
    rest: connection.rest,
    async round(after, waitMs, signal) {
      askedAt = now()
      changeLog.acknowledge(after)
      if (changeLog.hasFew()) hasTooMany = false
      if (!hasTooMany) connection.resume()
      const { isWhole, ...round } = await changeLog.round(after, waitMs, signal)
      askedAt = now()
      // The end of the link comes in the last page, because Wasla stops requesting after it.
      const isLinkShown = isWhole || OPEN.has(link.status)
      return { ...round, link: isLinkShown ? link : { status: 'connecting', ...idsOf(link) } }
    },
    /** Sends once per id; a repeated request with the same id does nothing. */
    async send(id, to, content) {
      if (sentIds.has(id)) return
      sentIds.add(id)
      if (sentIds.size > KNOWN_IDS) sentIds.delete(sentIds.values().next().value)
      try {
        await connection.socket().send(id, to, content)
      } catch (error) {
        // A closed connection has certainly sent nothing.
        if (error?.output?.statusCode === 428) sentIds.delete(id)
        throw error
      }
    },
    download: (media, mostBytes) => connection.socket().download(media, mostBytes),
    /** Ends the link. Returns whether WhatsApp confirmed it. */
    async logout() {
      isLeft = true
      const isConfirmed = await connection.logout()
      state.wipe()
      setLink({ status: 'logged_out', code: '401' })
      return isConfirmed
    },
    /** Ends the connection. The number stays linked, and its log can still be requested. */
    end: () => (ended ??= finish()),
  }
}

/** Returns the number and id of a link or of its keys, as far as they are known. */
function idsOf(of, codec) {
  const { number, lid } = codec ? codec.idsOf(of.creds) : of
  return { ...(number && { number }), ...(lid && { lid }) }
}

/** Keeps the number connected while its keys are valid and no other process uses them. */
function createConnection({ connect, state, now, setLink, link, ids, onEvent }) {
  let socket = null
  let isPaired = !state.isNew
  let isEnded = false
  let isResting = true
  let tries = 0
  let codes = 0
  let timer = null
  /** The current attempt. A socket of an earlier attempt is closed as soon as it is open. */
  let attempt = 0
  const endings = createEndings()

  async function open() {
    if (isEnded) return
    attempt += 1
    codes = 0
    const mine = attempt
    await endings.over()
    if (isEnded || mine !== attempt) return
    try {
      const opened = await connect({
        state,
        onEvent,
        onUpdate(update) {
          if (opened === socket) updated(update)
        },
      })
      if (isEnded || mine !== attempt) return void endings.begin(opened)
      socket = opened
      socket.start()
    } catch (error) {
      if (mine === attempt) closed(Number(error?.output?.statusCode) || 408)
    }
  }

  /** Stops connecting. Returns the socket that was open. */
  function leave() {
    attempt += 1
    if (timer) clearTimeout(timer)
    const last = socket
    socket = null
    return last
  }

  function updated({ qr, connection, code, number, lid }) {
    if (qr !== undefined) {
      codes += 1
      const goodMs = codes === 1 ? FIRST_QR_MS : QR_MS
      setLink({ status: 'pairing', qr, qrUntil: now() + goodMs })
    }
    if (connection === 'open') {
      tries = 0
      isPaired = true
      setLink({ status: 'linked', ...(number && { number }), ...(lid && { lid }) })
    }
    if (connection === 'close') closed(code)
  }

  function closed(code) {
    socket = null
    if (isEnded) return
    // WhatsApp requires a new connection after a code was scanned.
    if (code === RESTART) isPaired = true
    const end = endBy(code, isPaired)
    if (end === 'logged_out') state.wipe()
    setLink({ status: end ?? 'connecting', ...ids(), code: String(code) })
    if (end) return
    const waitMs = code === RESTART ? 0 : Math.min(BACK_OFF_MS * 2 ** tries, BACK_OFF_MOST_MS)
    tries += 1
    timer = setTimeout(() => void open(), waitMs)
  }

  return {
    socket: () => socket,
    rest() {
      if (isEnded || isResting || !OPEN.has(link().status)) return
      isResting = true
      void endings.begin(leave())
      setLink({ status: 'connecting', ...ids() })
    },
    resume() {
      if (!isResting) return
      isResting = false
      tries = 0
      void open()
    },
    /** Ends the connection permanently. */
    async end() {
      isEnded = true
      void endings.begin(leave())
      await endings.over()
    },
    /** Ends the connection permanently and the link at WhatsApp. Returns whether WhatsApp confirmed it. */
    async logout() {
      isEnded = true
      return (await endings.begin(leave(), byLogout)) === true
    },
  }
}

/** Returns the final state after a connection ended, or null if it is opened again. */
function endBy(code, isPaired) {
  if (LOGGED_OUT.has(code)) return 'logged_out'
  if (code === BANNED) return 'banned'
  if (code === REPLACED) return 'replaced'
  // WhatsApp shows a limited number of codes.
  return isPaired ? null : 'expired'
}

/** Tracks sockets that are closing; until they are closed they may still use the keys. */
function createEndings() {
  let all = Promise.resolve()
  return {
    /** Ends a socket by `how` and returns its result; undefined if that failed. */
    begin(socket, how = (opened) => opened.end()) {
      const ending = (async () => socket && how(socket))().catch(() => {})
      all = Promise.all([all, ending])
      return ending
    },
    over: () => Promise.race([all, pause(ENDING_MS, undefined, { ref: false })]),
  }
}

function byLogout(socket) {
  return socket.logout().then(
    () => true,
    () => socket.end(),
  )
}
