/*
 * The conversation in this page: its session, unsent messages, and the stream of new ones. One tab holds the stream
 * and forwards messages to the others.
 */

const BACK_OFF_MS = [1_000, 2_000, 5_000, 10_000, 30_000]
/** Time without an event after which the stream counts as broken. The server sends a heartbeat every 20 s. */
const SILENT_MS = 50_000
/** The status with which the service refuses invalid input. */
const UNREADABLE = 422
const HALVES = /[\ud800-\udfff]/gu

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const backOff = (faults) =>
  BACK_OFF_MS[Math.min(faults, BACK_OFF_MS.length - 1)] * (0.75 + Math.random() / 2)

/** The error of a refused request. `status` is 0 without a response. */
export class Refused extends Error {
  constructor(status, problem, retryAfterMs) {
    super(problem?.detail ?? '')
    Object.assign(this, { status, problem, retryAfterMs })
  }
  get isForNow() {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}

/** Makes a request to the service. @throws Refused for every response that is not a success */
export async function ask(method, path, { token, json, body, language } = {}) {
  let answer
  try {
    answer = await fetch(`/widget/v1${path}`, {
      method,
      credentials: 'omit',
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(language ? { 'accept-language': language } : {}),
        ...(json ? { 'content-type': 'application/json' } : {}),
        ...(body ? { 'content-type': 'application/octet-stream' } : {}),
      },
      ...(json ? { body: JSON.stringify(json) } : {}),
      ...(body ? { body } : {}),
    })
  } catch {
    throw new Refused(0, null, null)
  }
  if (answer.ok) return answer
  const problem = await answer.json().catch(() => null)
  const seconds = Number(answer.headers.get('retry-after'))
  throw new Refused(answer.status, problem, seconds > 0 ? seconds * 1_000 : null)
}

/** Returns the JSON of a response. A truncated response counts as none. */
const read = (answer) =>
  answer.json().catch(() => {
    throw new Refused(0, null, null)
  })

const online = () => new Promise((resolve) => addEventListener('online', resolve, { once: true }))

/**
 * Creates the conversation of the page.
 *
 * @param on receives its events: `lines(messages, { isFirst })` with lines that may be new, `unsent(list)` with unsent
 * messages, and `state(word)` with `online`, `offline`, `busy` or `gone`
 */
export function createTalk({ setup, keeper, on }) {
  const { key } = setup
  const tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel(`wasla ${key}`) : null
  const talk = {
    setup,
    keeper,
    on,
    tabs,
    unsent: keeper.unsent(),
    position: null,
    hasTalk: false,
    isFollowing: false,
    isSending: false,
    held: [],
  }
  tabs?.addEventListener('message', ({ data }) => {
    if (data.line) {
      talk.position = data.position
      show(talk, data.line)
    }
    if (data.began && !talk.hasTalk) void openSession(talk).catch(() => {})
  })
  addEventListener('offline', () => on.state('offline'))
  addEventListener('online', () => {
    on.state('online')
    void send(talk)
  })

  return {
    begin: () => begin(talk),
    say(words) {
      const written = { clientMessageId: crypto.randomUUID(), at: Date.now(), ...words }
      change(talk, [...talk.unsent, written])
      void send(talk)
    },
    again(clientMessageId) {
      change(
        talk,
        talk.unsent.map((one) => {
          if (one.clientMessageId !== clientMessageId) return one
          const { problem: _problem, ...rest } = one
          return rest
        }),
      )
      void send(talk)
    },
    async earlier(before) {
      const answer = await askAs(talk, 'GET', `/messages?before=${encodeURIComponent(before)}`)
      return answer.json()
    },
    async readFile(id) {
      const answer = await askAs(talk, 'GET', `/files/${id}`)
      return answer.blob()
    },
  }
}

/** Sends a request with the current token. */
function askAs({ keeper, setup }, method, path, options = {}) {
  return ask(method, path, { ...options, token: keeper.token(), language: setup.language })
}

async function openSession(talk) {
  const { keeper, on, setup } = talk
  const known = keeper.token()
  const answer = await ask('POST', '/sessions', {
    json: { widgetKey: setup.key, visitorToken: known },
    language: setup.language,
  })
  const session = await read(answer)
  // If two new tabs open concurrently, both continue with the token that the first has stored.
  if (known !== null || keeper.token() === null) keeper.keepToken(session.visitorToken)
  talk.position ??= session.position
  talk.hasTalk = session.visitor !== null
  on.session(session)
  on.lines(session.messages, { isFirst: true })
  if (talk.hasTalk) follow(talk)
}

async function begin(talk) {
  const { on } = talk
  for (let faults = 0; ; faults += 1) {
    try {
      await openSession(talk)
      on.state('online')
      on.unsent(talk.unsent)
      void send(talk)
      return
    } catch (error) {
      if (!(error instanceof Refused) || !error.isForNow) return on.state('gone')
      on.state('offline')
      await Promise.race([pause(error.retryAfterMs ?? backOff(faults)), online()])
    }
  }
}

// Messages are sent in order, each once. The server recognises a repeated one by its id.

function change(talk, next) {
  talk.unsent = next
  talk.keeper.keepUnsent(next.filter(({ file }) => !file))
  talk.on.unsent(next)
}

/** Shows a new line. The visitor's own lines wait for the response to the message in progress, which has the id of one. */
function show(talk, line) {
  if (talk.isSending && line.from === 'visitor') talk.held.push(line)
  else talk.on.lines([line])
}

async function send(talk) {
  const { keeper, on } = talk
  // Before the session is open there is no token. `begin` sends the messages once it is open.
  if (talk.isSending || keeper.token() === null) return
  talk.isSending = true
  try {
    for (let faults = 0; ;) {
      const next = talk.unsent.find(({ problem }) => !problem)
      if (!next) return
      try {
        await sendOne(talk, next).finally(() => on.lines(talk.held.splice(0)))
        faults = 0
        on.state('online')
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        if (error.isForNow) {
          on.state(error.status === 429 ? 'busy' : 'offline')
          await Promise.race([pause(error.retryAfterMs ?? backOff(faults)), online()])
          faults += 1
        } else {
          const problem = { detail: error.message, errors: error.problem?.errors ?? null }
          change(
            talk,
            talk.unsent.map((one) => (one === next ? { ...one, problem } : one)),
          )
        }
      }
    }
  } finally {
    talk.isSending = false
  }
}

async function sendOne(talk, next) {
  const { on, setup, tabs } = talk
  if (next.file && !next.upload) {
    // Cutting the name may leave half of a surrogate pair, which cannot be part of an address.
    const name = encodeURIComponent(next.file.name.slice(-100).replace(HALVES, ''))
    // A file that the browser can no longer read looks like a lost connection, which would be retried for ever.
    const body = await next.file.arrayBuffer().catch(() => {
      throw new Refused(UNREADABLE, { detail: setup.words.fileUnreadable }, null)
    })
    const answer = await askAs(talk, 'POST', `/uploads?name=${name}`, { body })
    next.upload = await read(answer)
  }
  const { clientMessageId, text, upload, name, email } = next
  const json = { clientMessageId, text, uploadId: upload?.uploadId, name, email }
  for (const field of Object.keys(json)) if (json[field] === undefined) delete json[field]
  const answer = await askAs(talk, 'POST', '/messages', { json })
  const { id } = await read(answer)
  on.said(next, id)
  change(
    talk,
    talk.unsent.filter((one) => one.clientMessageId !== clientMessageId),
  )
  if (talk.hasTalk) return
  talk.hasTalk = true
  on.talked()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- to our own tabs alone
  tabs?.postMessage({ began: true })
  follow(talk)
}

// Only one of all tabs opens the stream for new messages.

function follow(talk) {
  if (talk.isFollowing) return
  talk.isFollowing = true
  const listenForAll = async () => {
    for (let faults = 0; ;) {
      const began = Date.now()
      await listen(talk).catch(() => {})
      faults = Date.now() - began > SILENT_MS ? 0 : faults + 1
      await Promise.race([pause(backOff(faults)), online()])
    }
  }
  if (navigator.locks && talk.tabs) {
    void navigator.locks.request(`wasla ${talk.setup.key}`, listenForAll)
  } else void listenForAll()
}

/** Opens the stream of new messages. Resolves when the stream ends. */
async function listen(talk) {
  const { on, tabs } = talk
  const answer = await askAs(talk, 'POST', '/tickets', { json: {} })
  const { ticket } = await answer.json()
  const after = talk.position === null ? '' : `&after=${encodeURIComponent(talk.position)}`
  await new Promise((resolve) => {
    const stream = new EventSource(`/widget/v1/stream?ticket=${ticket}${after}`)
    let heardAt = Date.now()
    const watch = setInterval(() => {
      if (Date.now() - heardAt > SILENT_MS) end()
    }, 5_000)
    const end = () => {
      clearInterval(watch)
      removeEventListener('offline', end)
      stream.close()
      resolve()
    }
    // A ticket is valid once, so each connection requests another one.
    stream.addEventListener('error', end)
    addEventListener('offline', end)
    stream.addEventListener('open', () => on.state('online'))
    stream.addEventListener('beat', () => (heardAt = Date.now()))
    stream.addEventListener('message', ({ data, lastEventId }) => {
      heardAt = Date.now()
      talk.position = lastEventId
      const message = JSON.parse(data)
      show(talk, message)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- to our own tabs alone
      tabs?.postMessage({ line: message, position: talk.position })
    })
  })
}
