/*
 * Simulated phones of providers other than WhatsApp. The simulator lists the contents and actions; the page returns an
 * action unchanged.
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
  writtenText,
} from './parts.js'

const root = location.pathname.replace(/\/$/, '')
const open = { accountId: null, personId: null }
let drawnChat = ''
let drawnAccounts = ''

const read = (path, query = {}) => fetchJson(`${root}/api/${path}?${new URLSearchParams(query)}`)

function act(action) {
  // Without an account or an open chat, an action has no chat.
  const place = Object.fromEntries(Object.entries(open).filter(([, id]) => id !== null))
  return postAction(`${root}/api/actions`, { ...place, ...action })
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
  redraw(
    byId('people'),
    view.people.map(({ id, name, detail, lastText, unread }) =>
      drawPerson(
        { id, name, last: lastText || detail, unread, isOpen: id === open.personId },
        openChat,
      ),
    ),
  )
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

function drawChat(chat) {
  byId('chat-name').textContent = chat.name
  byId('chat-detail').textContent = chat.detail
  const badge = byId('badge')
  badge.hidden = chat.badge === null
  badge.textContent = chat.badge?.text ?? ''
  badge.classList.toggle('open', chat.badge?.isOn === true)
  redraw(byId('tools'), chat.tools.map(drawTool))

  drawTyping(chat.typingMs ?? 0, refreshSoon)
  const drawn = JSON.stringify([open, chat.messages])
  if (drawn === drawnChat) return
  drawnChat = drawn
  redrawMessages(chat.messages.map(drawMessage))
}

function drawTool({ label, action, isOn }) {
  const button = make('button', '', label)
  button.type = 'button'
  button.dataset.key = label
  if (isOn !== undefined) button.setAttribute('aria-pressed', String(isOn))
  button.addEventListener('click', () => {
    // An action that needs a text uses the one in the input field.
    const text = writtenText()
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
  drawPhones(await read('phones', open.accountId ? { accountId: open.accountId } : {}))
  const isChatOpen = open.personId !== null && open.accountId !== null
  showChat(isChatOpen)
  if (!isChatOpen) return
  const isNews = byId('chat').dataset.person !== open.personId
  byId('chat').dataset.person = open.personId
  drawChat(await read('chat', open))
  if (document.visibilityState === 'visible' && (isNews || hasUnread()))
    await act({ action: 'read' })
}

const hasUnread = () =>
  byId('people').querySelector(`[data-key="${CSS.escape(open.personId)}"] .unread`) !== null

const refreshSoon = createRefresher(refresh)

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

listenToWriter(() => sendWritten((text) => act({ action: 'sendText', text })))
followChanges(`${root}/api/changes`, refreshSoon)
