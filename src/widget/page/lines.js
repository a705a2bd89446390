/* The lines of the conversation on the page. No text of a person is ever parsed as HTML. */

export function make(tag, { text, ...properties } = {}) {
  const element = Object.assign(document.createElement(tag), properties)
  if (text !== undefined) {
    element.textContent = text
    element.dir = 'auto'
  }
  return element
}

/** Returns a function that formats a time: without the date if it is today. */
function timesIn(language) {
  const time = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit' })
  const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' })
  return (at) => {
    const date = new Date(at)
    if (date.toDateString() === new Date().toDateString()) return time.format(date)
    return `${day.format(date)}${language === 'ar' ? '،' : ','} ${time.format(date)}`
  }
}

/** Returns a function that creates the element of a line. @param readFile returns the bytes of a file */
function drawerOf({ language, words, readFile }) {
  const timeOf = timesIn(language)

  async function showFile(box, { id, kind, name, mediaType }) {
    const blob = await readFile(id).catch(() => null)
    if (!blob) return
    const url = URL.createObjectURL(new Blob([blob], { type: mediaType }))
    const label = name ?? words.picture
    if (kind === 'image') {
      box.append(make('img', { src: url, alt: label }))
    } else if (kind === 'audio' || kind === 'video') {
      box.append(make(kind, { src: url, controls: true, preload: 'metadata' }))
    }
    box.append(make('a', { href: url, download: name ?? 'file', text: `${words.save}: ${label}` }))
  }

  return function draw({ from, text, file, at, type }, state) {
    const item = make('li', { className: from === 'visitor' ? 'mine' : 'theirs' })
    item.append(
      make('span', {
        className: 'hidden',
        textContent: `${from === 'visitor' ? words.you : words.shop}: `,
      }),
    )
    if (text !== null && text !== undefined) item.append(make('p', { text }))
    if (file) {
      const box = make('div', { className: 'file' })
      item.append(box)
      if (file.id) void showFile(box, file)
      else box.append(make('span', { text: file.name }))
    }
    if (!text && !file) item.append(make('p', { text: type === 'text' ? '' : words.noMessage }))
    const foot = make('small', { textContent: state ?? timeOf(at) })
    item.append(foot)
    return { item, foot }
  }
}

/** Creates the list of lines. @param readFile returns the bytes of a file @param words the texts in the language */
export function createLines({ list, scroller, language, words, readFile, again }) {
  /** Elements by the id of the message, or of an unsent one. */
  const shown = new Map()
  const known = new Set()
  const draw = drawerOf({ language, words, readFile })
  let oldest = null

  const isAtEnd = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 80
  const toEnd = () => (scroller.scrollTop = scroller.scrollHeight)

  function place(message, { isEarlier }) {
    const before = message.clientMessageId && shown.get(message.clientMessageId)
    const { item } = draw(message)
    shown.set(message.id, item)
    if (before) {
      shown.delete(message.clientMessageId)
      before.replaceWith(item)
    } else if (isEarlier) {
      list.prepend(item)
    } else {
      // Unsent messages stay last.
      const waiting = list.querySelector('li.waiting')
      list.insertBefore(item, waiting)
    }
  }

  return {
    /** Adds lines in their order, except those that are shown already. Returns the added ones. */
    add(messages, { isEarlier = false } = {}) {
      const wasAtEnd = isAtEnd()
      const height = scroller.scrollHeight
      const fresh = messages.filter(({ id }) => !known.has(id))
      for (const message of isEarlier ? fresh.toReversed() : fresh) {
        known.add(message.id)
        place(message, { isEarlier })
      }
      const first = messages[0]
      if (first && (oldest === null || isEarlier)) oldest = first.id
      if (isEarlier) scroller.scrollTop += scroller.scrollHeight - height
      else if (wasAtEnd) toEnd()
      return fresh
    },
    /** Marks a message as stored, under its id. */
    said({ clientMessageId, text, upload, at }, id) {
      const type = upload?.kind ?? 'text'
      const file = upload ? { ...upload, id: upload.uploadId } : null
      this.add([{ id, clientMessageId, from: 'visitor', type, text: text ?? null, at, file }])
    },
    /** Shows messages that are being sent, and failed ones. */
    setUnsent(unsent) {
      for (const element of list.querySelectorAll('li.waiting')) {
        const isLeft = unsent.some(({ clientMessageId }) => clientMessageId === element.dataset.id)
        if (!isLeft) element.remove()
      }
      for (const one of unsent) {
        const { clientMessageId, problem, text, file } = one
        shown.get(clientMessageId)?.remove()
        const { item, foot } = draw(
          { from: 'visitor', text, file: file && { name: file.name }, at: one.at },
          problem ? `${words.notSent}. ${problem.detail} ` : words.sending,
        )
        item.classList.add('waiting')
        item.dataset.id = clientMessageId
        if (problem) {
          item.classList.add('failed')
          const button = make('button', { type: 'button', textContent: words.again })
          button.addEventListener('click', () => again(clientMessageId))
          foot.append(button)
        }
        shown.set(clientMessageId, item)
        list.append(item)
      }
      if (unsent.length > 0) toEnd()
    },
    oldest: () => oldest,
    toEnd,
  }
}
