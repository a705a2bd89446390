/* The pretend phones. All that is shown comes from the simulator and is asked for again whenever it
   says that something changed; nothing that others wrote is ever read as HTML. */

const TICKS = { accepted: '🕓', sent: '✓', delivered: '✓✓', read: '✓✓', failed: '!' }
const TAPPABLE = new Set(['QUICK_REPLY', 'REPLY', 'LIST_ROW'])

const byId = (id) => document.getElementById(id)
const open = { business: null, customer: null }
let drawnChat = ''
let drawnNumbers = ''

async function ask(path) {
  const response = await fetch(`/simulator/api/${path}`)
  if (!response.ok) throw new Error(`The simulator answered ${response.status}`)
  return response.json()
}

async function act(action) {
  const response = await fetch('/simulator/api/actions', {
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

function chatOf() {
  return { from: open.customer, phoneNumberId: open.business }
}

function drawPhones(view) {
  open.business = view.chosen
  const options = view.numbers.map(({ phoneNumberId, name, displayPhoneNumber }) => {
    const option = make('option', '', `${name} (+${displayPhoneNumber})`)
    option.value = phoneNumberId
    option.selected = phoneNumberId === view.chosen
    return option
  })
  const drawn = JSON.stringify([view.chosen, view.numbers])
  if (drawn !== drawnNumbers) byId('business').replaceChildren(...options)
  drawnNumbers = drawn
  const chosen = view.numbers.find(({ phoneNumberId }) => phoneNumberId === view.chosen)
  byId('account').textContent = `Business account ${chosen?.businessAccountId ?? ''}`
  byId('answering').hidden = !view.canAnswerAlone
  byId('answering-here').hidden = !view.canAnswerAlone
  byId('everybody').checked = view.isEverybodyByHand
  byId('by-hand').disabled = view.isEverybodyByHand
  byId('answering-hint').textContent = view.isEverybodyByHand
    ? 'Only you read and reply. Open a phone, then tap or type.'
    : 'Customers read messages and tap the first button automatically.'
  redraw(byId('people'), view.people.map(drawPerson))
  const waiting = view.waitingWebhooks
  byId('webhooks').textContent = waiting === 0 ? '' : `Webhooks awaiting a response: ${waiting}`
}

function drawPerson({ number, name, lastText, unread }) {
  const item = document.createElement('li')
  const button = make('button', 'person')
  button.type = 'button'
  button.dataset.key = number
  button.setAttribute('aria-current', String(number === open.customer))
  button.append(make('span', 'face', [...name][0] ?? '?'), make('span', 'name', name))
  if (unread > 0) {
    const count = make('span', 'unread', String(unread))
    count.setAttribute('aria-label', `${unread} not read`)
    button.append(count)
  }
  button.append(make('span', 'last', lastText || `+${number}`))
  button.addEventListener('click', () => openChat(number))
  item.append(button)
  return item
}

function drawChat(chat) {
  byId('chat-name').textContent = chat.name
  const shown = `+${chat.number}`
  byId('chat-number').textContent = chat.hidesNumber
    ? `${chat.bsuid} (number hidden)`
    : `${shown}  ·  ${chat.bsuid ?? ''}`
  byId('by-hand').checked = chat.isByHand
  // The name keeps its own direction in the sentence.
  byId('by-hand-name').textContent = `I play \u2068${chat.name}\u2069: only I read and reply here`
  const badge = byId('window')
  badge.textContent = chat.isWindowOpen ? '24 h window open' : '24 h window closed'
  badge.classList.toggle('open', chat.isWindowOpen)
  const hide = byId('hide')
  hide.setAttribute('aria-pressed', String(chat.hidesNumber))
  hide.textContent = chat.hidesNumber ? 'Number hidden' : 'Hide my number'

  drawTyping(chat.typingMs)
  const list = byId('messages')
  const drawn = JSON.stringify([open.business, chat.messages])
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

function drawMessage(message) {
  const { header, text, footer, buttons } = message.content
  const bubble = make('li', `bubble ${message.direction}`)
  if (header) bubble.append(make('p', 'header', header))
  bubble.append(make('p', 'text', text))
  if (footer) bubble.append(make('p', 'footer', footer))
  bubble.append(drawAbout(message))
  if (buttons.length > 0) {
    const row = make('div', 'buttons')
    row.append(...buttons.map((button, index) => drawButton(message.wamid, button, index)))
    bubble.append(row)
  }
  return bubble
}

function drawAbout(message) {
  const about = make('div', 'about')
  if (message.direction === 'from_owner') about.append(make('span', '', 'Owner, from the app'))
  if (message.template) {
    about.append(make('span', '', `${message.template.name} · ${message.template.language}`))
  }
  const time = new Date(message.at)
  const hours = { hour: '2-digit', minute: '2-digit' }
  about.append(make('time', '', time.toLocaleTimeString(undefined, hours)))
  if (message.direction !== 'from_owner') {
    const ticks = make('span', `ticks ${message.status}`, TICKS[message.status])
    const why = message.status === 'failed' ? ` with ${message.failsWith}` : ''
    if (why) ticks.textContent = `failed${why}`
    ticks.title = message.status + why
    about.append(ticks)
  }
  return about
}

function drawButton(messageId, { type, text, url }, buttonIndex) {
  const button = make('button', '', type === 'URL' ? `↗ ${text}` : text)
  button.type = 'button'
  button.dataset.key = `${messageId}/${buttonIndex}`
  button.disabled = !TAPPABLE.has(type)
  if (url) button.title = url
  button.addEventListener('click', () => act({ action: 'tapButton', messageId, buttonIndex }))
  return button
}

async function refresh() {
  const chosen = open.business ? `?phoneNumberId=${encodeURIComponent(open.business)}` : ''
  drawPhones(await ask(`phones${chosen}`))
  const isChatOpen = open.customer !== null && open.business !== null
  byId('chat').hidden = !isChatOpen
  byId('nobody').hidden = isChatOpen
  byId('desk').classList.toggle('in-chat', isChatOpen)
  if (!isChatOpen) return
  const query = new URLSearchParams({ phoneNumberId: open.business, customer: open.customer })
  const chat = await ask(`chat?${query}`)
  drawChat(chat)
  const isUnread = chat.messages.some(
    ({ direction, status }) => direction === 'to_customer' && status === 'delivered',
  )
  if (isUnread && document.visibilityState === 'visible') {
    await act({ action: 'readChat', ...chatOf() })
  }
}

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

function openChat(customer) {
  open.customer = customer
  drawnChat = ''
  byId('error').hidden = true
  refreshSoon()
}

byId('business').addEventListener('change', (event) => {
  open.business = event.target.value
  drawnChat = ''
  refreshSoon()
})
byId('back').addEventListener('click', () => openChat(null))

async function addPerson(form) {
  const { number, name } = Object.fromEntries(new FormData(form))
  const made = await act({ action: 'addPerson', number, ...(name ? { name } : {}) })
  form.elements.number.setCustomValidity(made ? '' : 'Enter digits, including the country code')
  if (made) {
    form.reset()
    openChat(made.number)
  } else {
    form.reportValidity()
  }
}

byId('new-person').addEventListener('submit', (event) => {
  event.preventDefault()
  void addPerson(event.target)
})
byId('new-person').elements.number.addEventListener('input', (event) => {
  event.target.setCustomValidity('')
})

const writer = byId('writer')
const writing = writer.elements.text

async function send(action) {
  const text = writing.value.trim()
  if (text === '') {
    writing.focus()
    return
  }
  if (action === 'sendText') await answerForThem()
  if (await act({ action, ...chatOf(), text })) writing.value = ''
}

/** Who writes as a customer is that customer: nothing is tapped for them from then on. */
async function answerForThem() {
  const byHand = byId('by-hand')
  if (byHand.checked || byId('answering').hidden) return
  byHand.checked = true
  await act({ action: 'answerByHand', from: open.customer, isByHand: true })
}

writer.addEventListener('submit', (event) => {
  event.preventDefault()
  void send('sendText')
})
writing.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
    event.preventDefault()
    void send('sendText')
  }
})

byId('tools').addEventListener('click', (event) => {
  const button = event.target.closest('button')
  if (!button) return
  const { text, kind } = button.dataset
  if (text) void act({ action: 'sendText', ...chatOf(), text })
  if (kind) void act({ action: 'sendSample', ...chatOf(), kind })
})
byId('everybody').addEventListener('change', (event) => {
  void act({ action: 'answerByHand', from: null, isByHand: event.target.checked })
})
byId('by-hand').addEventListener('change', (event) => {
  void act({ action: 'answerByHand', from: open.customer, isByHand: event.target.checked })
})
byId('hide').addEventListener('click', (event) => {
  const isHidden = event.currentTarget.getAttribute('aria-pressed') !== 'true'
  void act({ action: 'hideNumber', from: open.customer, isHidden })
})
async function changeNumber(isShared) {
  const changed = await act({ action: 'changeNumber', from: open.customer, isShared })
  if (changed) openChat(changed.number)
}
byId('change-number').addEventListener('click', () => void changeNumber(true))
byId('change-number-unshared').addEventListener('click', () => void changeNumber(false))
byId('give-away').addEventListener('click', () => {
  void act({ action: 'giveNumberAway', from: open.customer })
})
byId('portfolio').addEventListener('click', () => {
  void act({ action: 'changePortfolio', phoneNumberId: open.business })
})
byId('advance').addEventListener('click', () => {
  void act({ action: 'advanceWindow', ...chatOf(), hours: 25 })
})
byId('owner').addEventListener('click', () => void send('ownerAnswers'))
document.addEventListener('visibilitychange', refreshSoon)

new EventSource('/simulator/api/changes').addEventListener('change', refreshSoon)
