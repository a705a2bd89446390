/* The chat's page in its frame. It communicates with the page that embeds it only by messages, and only if that page
   belongs to an allowed site. Outside of a frame it does nothing. */
import { createLines, make } from './lines.js'
import { createKeeper } from './storage.js'
import { createTalk } from './talk.js'

const setup = JSON.parse(document.getElementById('setup').textContent)
const { key, sites, language, words, formFields } = setup
const byId = (id) => document.getElementById(id)
const page = { origin: null }
let isOpen = false
let unread = 0
let newest = ''
let hasBegun = false
let isAsked = false

function tellPage(message) {
  if (page.origin !== null) parent.postMessage({ wasla: key, ...message }, page.origin)
}

const keeper = createKeeper(key, tellPage)
const lines = createLines({
  list: byId('lines'),
  scroller: byId('talk'),
  language,
  words,
  readFile: (id) => talk.readFile(id),
  again: (id) => talk.again(id),
})
const talk = createTalk({
  setup,
  keeper,
  on: {
    session({ visitor, hasMore }) {
      askFor(visitor === null)
      byId('earlier').hidden = !hasMore
      if (visitor) tellPage({ say: 'talked' })
    },
    lines(messages, { isFirst = false } = {}) {
      const fresh = lines.add(messages)
      newest = [newest, ...fresh.map(({ at }) => at)].toSorted().at(-1)
      if (isOpen) return keeper.keepSeen(newest)
      const isUnread = ({ from, at }) => from === 'shop' && (!isFirst || at > keeper.seen())
      unread += fresh.filter(isUnread).length
      if (unread > 0) tellPage({ say: 'unread', count: unread })
    },
    said: (one, id) => lines.said(one, id),
    unsent: (list) => lines.setUnsent(list),
    talked() {
      askFor(false)
      tellPage({ say: 'talked' })
    },
    state(word) {
      const texts = { offline: words.offline, gone: words.gone, busy: words.tooMany }
      const state = byId('state')
      state.textContent = texts[word] ?? ''
      state.hidden = !texts[word]
      document.body.classList.toggle('gone', word === 'gone')
      byId('send').disabled = word === 'gone'
    },
  },
})

/** Shows the fields for the details that the merchant wants of new visitors, and hides them for known ones. */
function askFor(isNew) {
  isAsked = isNew && (formFields.name !== 'no' || formFields.email !== 'no')
  byId('asked').hidden = !isAsked
}

function wrong(text, field) {
  const place = byId('wrong')
  place.textContent = text ?? ''
  place.hidden = !text
  for (const input of [byId('name'), byId('email'), byId('text')]) {
    const isWrong = text !== null && input === field
    if (isWrong) input.setAttribute('aria-invalid', 'true')
    else input.removeAttribute('aria-invalid')
  }
  if (text && field) field.focus()
  return false
}

/** Returns the visitor's details for the first message; null if a required one is missing or one is invalid. */
function readAsked() {
  const given = {}
  for (const field of ['name', 'email']) {
    const input = byId(field)
    const value = input.value.trim()
    if (!isAsked || formFields[field] === 'no') continue
    if (value === '' && formFields[field] === 'required') return wrong(words.missing, input) || null
    if (field === 'email' && value !== '' && !input.validity.valid) {
      return wrong(words.wrongEmail, input) || null
    }
    if (value !== '') given[field] = value
  }
  return given
}

function say(extra = {}) {
  const field = byId('text')
  const text = field.value.trim()
  const count = [...text].length
  if (count > setup.textChars) {
    const told = words.tooLong.replace('{most}', setup.textChars).replace('{count}', count)
    return wrong(told, field)
  }
  if (text === '' && !extra.file) return wrong(null)
  const asked = readAsked()
  if (asked === null) return false
  wrong(null)
  talk.say({ ...(text === '' ? {} : { text }), ...asked, ...extra })
  field.value = ''
  fit()
  return true
}

function fit() {
  const field = byId('text')
  field.style.blockSize = 'auto'
  field.style.blockSize = `${Math.min(field.scrollHeight, 120)}px`
}

function listen() {
  // The fields are disabled until their handlers are attached.
  for (const id of ['text', 'file', 'send']) byId(id).disabled = false
  byId('say').addEventListener('submit', (event) => {
    event.preventDefault()
    say()
  })
  byId('text').addEventListener('input', fit)
  byId('text').addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    say()
  })
  byId('file').addEventListener('change', ({ target }) => {
    const [file] = target.files
    target.value = ''
    if (!file) return
    if (file.size > setup.uploadBytes) {
      wrong(words.fileTooLarge.replace('{most}', Math.floor(setup.uploadBytes / 1_048_576)), null)
    } else say({ file })
  })
  byId('close').addEventListener('click', () => tellPage({ say: 'close' }))
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') tellPage({ say: 'close' })
  })
  byId('earlier').addEventListener('click', () => void showEarlier())
}

async function showEarlier() {
  const found = await talk.earlier(lines.oldest()).catch(() => null)
  if (!found) return void wrong(words.failed)
  lines.add(found.messages, { isEarlier: true })
  byId('earlier').hidden = !found.hasMore
}

function name(id, field) {
  const label = byId(id)
  label.hidden = formFields[field] === 'no'
  const text =
    formFields[field] === 'optional' ? `${words[field]} (${words.optional})` : words[field]
  label.querySelector('span').textContent = text
  byId(field).required = formFields[field] === 'required'
}

function opened() {
  isOpen = true
  unread = 0
  keeper.keepSeen(newest)
  lines.toEnd()
  const first = isAsked && formFields.name !== 'no' ? byId('name') : byId('text')
  first.focus()
}

function hear({ source, origin, data }) {
  if (source !== parent || data?.wasla !== key || !sites.includes(origin)) return
  if (data.say === 'hello') {
    page.origin = origin
    if (!hasBegun) {
      hasBegun = true
      keeper.takeOver(data.token)
      askFor(keeper.token() === null)
      void talk.begin().then(() => {
        if (isOpen) opened()
      })
    }
    isOpen = data.isOpen === true
    if (isOpen) opened()
  }
  if (data.say === 'opened') opened()
  if (data.say === 'closed') isOpen = false
}

// Outside of a frame the page shows no chat: a visited page could imitate a merchant's site.
if (parent !== window) {
  byId('greeting').append(make('span', { text: setup.greeting }))
  name('name-field', 'name')
  name('email-field', 'email')
  listen()
  addEventListener('message', hear)
  // The message is no secret. The receiver checks the sender's origin.
  parent.postMessage({ wasla: key, say: 'ready' }, '*')
} else {
  document.body.classList.add('gone')
}
