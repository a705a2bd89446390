/*
 * Storage of a visitor's token: in this frame's storage, which a browser partitions by embedding site. If there is
 * none, the embedding page stores it and passes it in. It is never in a cookie or a URL.
 */

/** Returns the frame's storage, if the browser allows any. */
function ownStorage() {
  try {
    const name = 'wasla try'
    localStorage.setItem(name, name)
    localStorage.removeItem(name)
    return localStorage
  } catch {
    return null
  }
}

/**
 * Creates the storage of one widget: the visitor's token, unsent messages and the time of the last seen line.
 *
 * @param {string} key of the widget
 * @param {(message: object) => void} tellPage
 */
export function createKeeper(key, tellPage) {
  const own = ownStorage()
  const names = {
    token: `wasla token ${key}`,
    unsent: `wasla unsent ${key}`,
    seen: `wasla seen ${key}`,
  }
  const held = { token: null, unsent: '[]', seen: null }
  /** Ids of messages that this page has written or found here. */
  const ours = new Set()

  function read(what) {
    return own ? own.getItem(names[what]) : held[what]
  }
  function write(what, text) {
    held[what] = text
    try {
      if (own) own.setItem(names[what], text)
    } catch {
      // The storage is full, so the value is kept only until the page is left.
    }
    if (!own && what === 'token') tellPage({ say: 'keep', token: text })
  }

  function readUnsent() {
    try {
      const list = JSON.parse(read('unsent') ?? '[]')
      return Array.isArray(list) ? list : []
    } catch {
      return []
    }
  }

  return {
    /** Takes over the token from the page's storage, for a frame without storage. */
    takeOver(token) {
      if (!own && typeof token === 'string') held.token = token
    },
    token: () => read('token'),
    keepToken: (token) => {
      if (read('token') !== token) write('token', token)
    },
    /** Returns the time of the last line that the visitor has seen; empty without one. */
    seen: () => read('seen') ?? '',
    keepSeen: (at) => write('seen', at),
    /** Returns written messages that are not known to be sent. They outlive the page. */
    unsent() {
      const list = readUnsent()
      for (const { clientMessageId } of list) ours.add(clientMessageId)
      return list
    },
    /** Stores unsent messages and keeps those of other tabs. */
    keepUnsent(list) {
      for (const { clientMessageId } of list) ours.add(clientMessageId)
      const others = readUnsent().filter(({ clientMessageId }) => !ours.has(clientMessageId))
      write('unsent', JSON.stringify([...others, ...list]))
    },
  }
}
