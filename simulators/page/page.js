/*
 * The simulated phones. The page shows only data of the simulator, and requests it again after each notification of a
 * change.
 */
import {
  fetchJson,
  byId,
  createRefresher,
  drawPerson,
  drawTyping,
  followChanges,
  listenToWriter,
  make,
  postAction,
  redraw,
  redrawMessages,
  sendWritten,
  showChat,
} from './parts.js'

const TICKS = { accepted: '🕓', sent: '✓', delivered: '✓✓', read: '✓✓', failed: '!' }
const TAPPABLE = new Set(['QUICK_REPLY', 'REPLY', 'LIST_ROW'])

const open = { business: null, customer: null }
let drawnChat = ''
let drawnNumbers = ''

const read = (path) => fetchJson(`/simulator/api/${path}`)
const act = (action) => postAction('/simulator/api/actions', action)

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
  redraw(
    byId('people'),
    view.people.map(({ number, name, lastText, unread }) =>
      drawPerson(
        {
          id: number,
          name,
          last: lastText || `+${number}`,
          unread,
          isOpen: number === open.customer,
        },
        openChat,
      ),
    ),
  )
  const waiting = view.waitingWebhooks
  byId('webhooks').textContent = waiting === 0 ? '' : `Webhooks awaiting a response: ${waiting}`
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

  drawTyping(chat.typingMs, refreshSoon)
  const drawn = JSON.stringify([open.business, chat.messages])
  if (drawn === drawnChat) return
  drawnChat = drawn
  redrawMessages(chat.messages.map(drawMessage))
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
  drawPhones(await read(`phones${chosen}`))
  const isChatOpen = open.customer !== null && open.business !== null
  showChat(isChatOpen)
  if (!isChatOpen) return
  const query = new URLSearchParams({ phoneNumberId: open.business, customer: open.customer })
  const chat = await read(`chat?${query}`)
  drawChat(chat)
  const isUnread = chat.messages.some(
    ({ direction, status }) => direction === 'to_customer' && status === 'delivered',
  )
  if (isUnread && document.visibilityState === 'visible') {
    await act({ action: 'readChat', ...chatOf() })
  }
}

const refreshSoon = createRefresher(refresh)

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

const send = (action) =>
  sendWritten(async (text) => {
    if (action === 'sendText') await answerForThem()
    return act({ action, ...chatOf(), text })
  })

/**
 * Switches the customer to manual answers when a person writes in their place. Nothing is tapped for that customer
 * from then on.
 */
async function answerForThem() {
  const byHand = byId('by-hand')
  if (byHand.checked || byId('answering').hidden) return
  byHand.checked = true
  await act({ action: 'answerByHand', from: open.customer, isByHand: true })
}

listenToWriter(() => send('sendText'))

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
followChanges('/simulator/api/changes', refreshSoon)
