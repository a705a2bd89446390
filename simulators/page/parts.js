/* Functions that the pages of all simulated phones share. Texts of others are never inserted as HTML. */

export const byId = (id) => document.getElementById(id)

/** Sends an action to the simulator and shows its refusal. Returns null after a refusal. */
export async function postAction(address, action) {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(action),
  }).catch(() => null)
  const answer = await response?.json().catch(() => null)
  const error = byId('error')
  error.hidden = response?.ok === true
  error.textContent = response?.ok ? '' : (answer?.error ?? 'The simulator isn’t responding.')
  return response?.ok ? answer : null
}

export async function fetchJson(address) {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`The simulator answered ${response.status}`)
  return response.json()
}

export function make(tag, className, text) {
  const element = document.createElement(tag)
  if (className) element.className = className
  if (text !== undefined) {
    element.textContent = text
    element.dir = 'auto'
  }
  return element
}

/* Redraws a list and keeps the keyboard focus. */
export function redraw(list, items) {
  const key = list.contains(document.activeElement) ? document.activeElement.dataset.key : null
  list.replaceChildren(...items)
  if (key) list.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus()
}

/** Draws the messages again, and scrolls to their end if the page was there before. */
export function redrawMessages(items) {
  const list = byId('messages')
  const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 80
  redraw(list, items)
  if (isAtEnd) list.scrollTop = list.scrollHeight
}

export function drawPerson({ id, name, last, unread, isOpen }, openChat) {
  const item = document.createElement('li')
  const button = make('button', 'person')
  button.type = 'button'
  button.dataset.key = id
  button.setAttribute('aria-current', String(isOpen))
  button.append(make('span', 'face', [...name][0] ?? '?'), make('span', 'name', name))
  if (unread > 0) {
    const count = make('span', 'unread', String(unread))
    count.setAttribute('aria-label', `${unread} not read`)
    button.append(count)
  }
  button.append(make('span', 'last', last))
  button.addEventListener('click', () => openChat(id))
  item.append(button)
  return item
}

/** Shows the chat, or a notice that none is chosen. */
export function showChat(isOpen) {
  byId('chat').hidden = !isOpen
  byId('nobody').hidden = isOpen
  byId('desk').classList.toggle('in-chat', isOpen)
}

/**
 * Returns a function that requests the page's data again. Changes come in bursts: all changes during one refresh cause
 * one more.
 */
export function createRefresher(refresh) {
  let running = null
  let isStale = false
  return function refreshSoon() {
    if (running) {
      isStale = true
      return
    }
    running = refresh()
      .catch((error) => console.error(error))
      .finally(() => {
        running = null
        if (isStale) {
          isStale = false
          refreshSoon()
        }
      })
  }
}

let typingEnds = 0
/** Draws the typing indicator, and refreshes the page when it ends. */
export function drawTyping(typingMs, refreshSoon) {
  clearTimeout(typingEnds)
  byId('typing').hidden = typingMs === 0
  if (typingMs > 0) typingEnds = setTimeout(() => refreshSoon(), typingMs)
}

const writing = () => byId('writer').elements.text

/** Returns the text in the input field. */
export const writtenText = () => writing().value.trim()

/** Sends the text in the input field, if there is any, and empties the field once it is accepted. */
export async function sendWritten(send) {
  const text = writtenText()
  if (text === '') return writing().focus()
  if (await send(text)) writing().value = ''
}

/** Sends on Return, and starts a new line on Shift+Return. */
export function listenToWriter(send) {
  byId('writer').addEventListener('submit', (event) => {
    event.preventDefault()
    void send()
  })
  writing().addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
      event.preventDefault()
      void send()
    }
  })
}

/** Refreshes the page at each change that the simulator reports. */
export function followChanges(address, refreshSoon) {
  document.addEventListener('visibilitychange', refreshSoon)
  new EventSource(address).addEventListener('change', refreshSoon)
}
