/* The pretend phones of a provider beside WhatsApp. The simulator says what is shown and what can be done;
   an action goes back to it as it came. Nothing that others wrote is ever read as HTML. */

const root = location.pathname.replace(/\/$/, '')
const byId = (id) => document.getElementById(id)
const open = { accountId: null, personId: null }
let drawnChat = ''
let drawnAccounts = ''

async function ask(path, query = {}) {
  const response = await fetch(`${root}/api/${path}?${new URLSearchParams(query)}`)
  if (!response.ok) throw new Error(`The simulator answered ${response.status}`)
  return response.json()
}

async function act(action) {
  // Before there is an account, or a chat is open, an action has no place.
  const place = Object.fromEntries(Object.entries(open).filter(([, id]) => id !== null))
  const response = await fetch(`${root}/api/actions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...place, ...action }),
  }).catch(() => null)
  const answer = await response?.json().catch(() => null)
  const error = byId('error')
  error.hidden = response?.ok === true
  error.textContent = response?.ok ? '' : (answer?.error ?? 'The simulator isn’t responding.')
  return response?.ok ? answer : null
}

function make(tag, className, text) {
  const element = document.createElement(tag)
  if (className) element.className = className
  if (text !== undefined) {
    element.textContent = text
    element.dir = 'auto'
  }
  return element
}

/* Whoever walks through the page by keyboard stays where they were. */
function redraw(list, items) {
  const key = list.contains(document.activeElement) ? document.activeElement.dataset.key : null
  list.replaceChildren(...items)
  if (key) list.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus()
}

function drawPhones(view) {
  open.accountId = view.chosen
  document.title = `${view.title} simulator`
  byId('banner').textContent = `SIMULATION: nothing is sent to ${view.title}`
  byId('account-label').textContent = view.accountLabel
  const drawn = JSON.stringify([view.chosen, view.accounts])
  if (drawn !== drawnAccounts) {
    const options = view.accounts.map(({ id, label }) => {
      const option = make('option', '', label)
      option.value = id
      option.selected = id === view.chosen
      return option
    })
    byId('account').replaceChildren(...options)
  }
  drawnAccounts = drawn
  if (byId('new-person').childElementCount === 0) drawNewPerson(view.newPerson)
  redraw(byId('people'), view.people.map(drawPerson))
  byId('waiting').textContent = view.waiting
}

function drawNewPerson(fields) {
  const inputs = fields.map(({ name, label, placeholder }) => {
    const input = make('input')
    Object.assign(input, { name, placeholder, autocomplete: 'off', dir: 'auto' })
    input.setAttribute('aria-label', label)
    return input
  })
  const add = make('button', '', 'Add phone')
  add.type = 'submit'
  byId('new-person').replaceChildren(...inputs, add)
}

function drawPerson({ id, name, detail, lastText, unread }) {
  const item = document.createElement('li')
  const button = make('button', 'person')
  button.type = 'button'
  button.dataset.key = id
  button.setAttribute('aria-current', String(id === open.personId))
  button.append(make('span', 'face', [...name][0] ?? '?'), make('span', 'name', name))
  if (unread > 0) {
    const count = make('span', 'unread', String(unread))
    count.setAttribute('aria-label', `${unread} not read`)
    button.append(count)
  }
  button.append(make('span', 'last', lastText || detail))
  button.addEventListener('click', () => openChat(id))
  item.append(button)
  return item
}

function drawChat(chat) {
  byId('chat-name').textContent = chat.name
  byId('chat-detail').textContent = chat.detail
  const badge = byId('badge')
  badge.hidden = chat.badge === null
  badge.textContent = chat.badge?.text ?? ''
  badge.classList.toggle('open', chat.badge?.isOn === true)
  redraw(byId('tools'), chat.tools.map(drawTool))

  drawTyping(chat.typingMs ?? 0)
  const list = byId('messages')
  const drawn = JSON.stringify([open, chat.messages])
  if (drawn === drawnChat) return
  drawnChat = drawn
  const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 80
  redraw(list, chat.messages.map(drawMessage))
  if (isAtEnd) list.scrollTop = list.scrollHeight
}

/* Until it goes out by itself the page looks again. */
let typingEnds = 0
function drawTyping(typingMs) {
  clearTimeout(typingEnds)
  byId('typing').hidden = typingMs === 0
  if (typingMs > 0) typingEnds = setTimeout(refreshSoon, typingMs)
}

function drawTool({ label, action, isOn }) {
  const button = make('button', '', label)
  button.type = 'button'
  button.dataset.key = label
  if (isOn !== undefined) button.setAttribute('aria-pressed', String(isOn))
  button.addEventListener('click', () => {
    // What is done with words takes those that are being written.
    const text = writing.value.trim()
    void act(text === '' ? action : { text, ...action })
  })
  return button
}

const DIRECTIONS = {
  customer: 'from_customer',
  business: 'to_customer',
  owner: 'to_customer from_owner',
}

function drawMessage(message) {
  const bubble = make('li', `bubble ${DIRECTIONS[message.from]}`)
  if (message.file) bubble.append(drawFile(message.file))
  if (message.text) bubble.append(make('p', 'text', message.text))
  const about = make('div', 'about')
  const hours = { hour: '2-digit', minute: '2-digit' }
  about.append(make('time', '', new Date(message.at).toLocaleTimeString(undefined, hours)))
  if (message.note) about.append(make('span', '', message.note))
  bubble.append(about)
  if (message.buttons.length > 0) {
    const row = make('div', 'buttons')
    row.append(...message.buttons.map((button, index) => drawButton(message.id, button, index)))
    bubble.append(row)
  }
  return bubble
}

function drawFile({ kind, id }) {
  const source = `${root}/api/file?id=${encodeURIComponent(id)}`
  if (kind === 'image') {
    const picture = make('img', 'file')
    Object.assign(picture, { src: source, alt: '', loading: 'lazy' })
    return picture
  }
  if (kind === 'document') {
    const link = make('a', 'file', 'Open file')
    Object.assign(link, { href: source, target: '_blank', rel: 'noopener' })
    return link
  }
  const player = make(kind, 'file')
  Object.assign(player, { src: source, controls: true, preload: 'none' })
  return player
}

function drawButton(messageId, { text, action }, index) {
  const button = make('button', '', text)
  button.type = 'button'
  button.dataset.key = `${messageId}/${index}`
  button.disabled = action === null
  if (action) button.addEventListener('click', () => act(action))
  return button
}

async function refresh() {
  drawPhones(await ask('phones', open.accountId ? { accountId: open.accountId } : {}))
  const isChatOpen = open.personId !== null && open.accountId !== null
  byId('chat').hidden = !isChatOpen
  byId('nobody').hidden = isChatOpen
  byId('desk').classList.toggle('in-chat', isChatOpen)
  if (!isChatOpen) return
  const isNews = byId('chat').dataset.person !== open.personId
  byId('chat').dataset.person = open.personId
  drawChat(await ask('chat', open))
  if (document.visibilityState === 'visible' && (isNews || hasUnread()))
    await act({ action: 'read' })
}

const hasUnread = () =>
  byId('people').querySelector(`[data-key="${CSS.escape(open.personId)}"] .unread`) !== null

/* Changes come in bursts: while one refresh runs, all that arrive make one more. */
let running = null
let isStale = false
function refreshSoon() {
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

function openChat(personId) {
  open.personId = personId
  drawnChat = ''
  byId('error').hidden = true
  refreshSoon()
}

byId('account').addEventListener('change', (event) => {
  open.accountId = event.target.value
  drawnChat = ''
  refreshSoon()
})
byId('back').addEventListener('click', () => openChat(null))

async function addPerson(form) {
  const made = await act({ action: 'addPerson', ...Object.fromEntries(new FormData(form)) })
  if (!made) return
  form.reset()
  openChat(made.id)
}

byId('new-person').addEventListener('submit', (event) => {
  event.preventDefault()
  void addPerson(event.target)
})

const writer = byId('writer')
const writing = writer.elements.text

async function send() {
  const text = writing.value.trim()
  if (text === '') {
    writing.focus()
    return
  }
  if (await act({ action: 'sendText', text })) writing.value = ''
}

writer.addEventListener('submit', (event) => {
  event.preventDefault()
  void send()
})
writing.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
    event.preventDefault()
    void send()
  }
})
document.addEventListener('visibilitychange', refreshSoon)

new EventSource(`${root}/api/changes`).addEventListener('change', refreshSoon)
