/*
 * The chat of this website: a button, and a frame of the service's origin. The frame loads when the visitor opens it, or
 * immediately if the visitor has written before. This page receives nothing of the conversation.
 */
;(() => {
  const script = document.currentScript
  const key = script?.dataset.widget ?? ''
  const hostId = `wasla-widget-${key}`
  if (key === '' || document.getElementById(hostId)) return
  const { origin } = new URL(script.src)
  const asked = (
    script.dataset.language ||
    document.documentElement.lang ||
    navigator.language ||
    ''
  )
    .slice(0, 2)
    .toLowerCase()
  const query = asked === 'ar' || asked === 'en' ? `?lang=${asked}` : ''

  const STYLE = `
    :host { all: initial; position: fixed; inset-block-end: 20px; inset-inline-end: 20px;
      z-index: 2147483000; font: 16px/1.4 system-ui, sans-serif; }
    :host([hidden]) { display: none; }
    button { inline-size: 60px; block-size: 60px; border: 2px solid #fff; border-radius: 50%;
      background: var(--accent); color: var(--on-accent); cursor: pointer; display: grid;
      place-items: center; box-shadow: 0 4px 16px #0004; position: relative; padding: 0; }
    button:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
    svg { inline-size: 28px; block-size: 28px; fill: currentColor; }
    .count { position: absolute; inset-block-start: -6px; inset-inline-end: -6px; min-inline-size: 24px;
      block-size: 24px; border-radius: 12px; background: #951b15; color: #fff; font-size: 14px;
      line-height: 24px; text-align: center; font-weight: 600; }
    .count[hidden], .panel[hidden] { display: none; }
    .panel { position: fixed; inset-block-end: 92px; inset-inline-end: 20px; inline-size: 380px;
      max-inline-size: calc(100vw - 40px); block-size: min(620px, calc(100dvh - 112px));
      border-radius: 12px; overflow: hidden; box-shadow: 0 8px 40px #0005; background: #fff; }
    iframe { border: 0; inline-size: 100%; block-size: 100%; display: block; }
    @media (max-width: 480px) {
      :host([data-open]) button { display: none; }
      .panel { inset: 0; inline-size: auto; max-inline-size: none; block-size: 100dvh; border-radius: 0; }
    }`
  const BUBBLE = 'M4 3h16a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H9l-5 4v-4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z'

  /** Data in this page's storage: that the visitor has written here, and their token if the frame has no storage. */
  const kept = {
    read() {
      try {
        return JSON.parse(localStorage.getItem(hostId) ?? '{}') ?? {}
      } catch {
        return {}
      }
    },
    write(change) {
      try {
        localStorage.setItem(hostId, JSON.stringify({ ...kept.read(), ...change }))
      } catch {
        // Without storage the page forgets these data when it is left.
      }
    },
  }

  function make(tag, properties = {}) {
    return Object.assign(document.createElement(tag), properties)
  }

  function build(settings) {
    const host = make('div', { id: hostId })
    const root = host.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(STYLE)
    root.adoptedStyleSheets = [sheet]
    host.style.setProperty('--accent', settings.accent)
    host.style.setProperty('--on-accent', settings.onAccent)
    host.dir = settings.language === 'ar' ? 'rtl' : 'ltr'
    host.lang = settings.language
    const button = make('button', { type: 'button' })
    const icon = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
    icon.setAttribute('viewBox', '0 0 24 24')
    icon.setAttribute('aria-hidden', 'true')
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
    path.setAttribute('d', BUBBLE)
    icon.append(path)
    const count = make('span', { className: 'count', hidden: true })
    count.setAttribute('aria-hidden', 'true')
    button.append(icon, count)
    const panel = make('div', { className: 'panel', hidden: true })
    root.append(panel, button)
    let frame = null
    let isReady = false
    let unread = 0

    function tell(message) {
      if (isReady) frame.contentWindow?.postMessage({ wasla: key, ...message }, origin)
    }

    function load() {
      if (frame) return
      frame = make('iframe', {
        title: settings.open,
        src: `${origin}/widget/v1/frame/${key}${query}`,
      })
      panel.append(frame)
    }

    function hello() {
      tell({ say: 'hello', token: kept.read().token ?? null, isOpen: !panel.hidden })
    }

    function show() {
      const isOpen = !panel.hidden
      host.toggleAttribute('data-open', isOpen)
      button.setAttribute('aria-expanded', String(isOpen))
      button.setAttribute(
        'aria-label',
        isOpen
          ? settings.close
          : unread > 0
            ? settings.unread.replace('{n}', String(unread))
            : settings.open,
      )
      count.hidden = unread === 0 || isOpen
      count.textContent = String(unread)
    }

    function turn(isOpen) {
      if (isOpen) load()
      panel.hidden = !isOpen
      if (isOpen) unread = 0
      show()
      tell({ say: isOpen ? 'opened' : 'closed' })
      if (!isOpen) button.focus()
    }

    const does = {
      ready() {
        isReady = true
        hello()
      },
      close: () => turn(false),
      unread: ({ count: n }) => {
        unread = panel.hidden ? Number(n) || 0 : 0
        show()
      },
      talked: () => kept.write({ hasTalked: true }),
      // The page stores the token only if the frame cannot.
      keep: ({ token }) => kept.write({ token: typeof token === 'string' ? token : undefined }),
    }
    addEventListener('message', ({ source, origin: from, data }) => {
      if (!frame || source !== frame.contentWindow || from !== origin) return
      if (data?.wasla === key && Object.hasOwn(does, data.say)) does[data.say](data)
    })
    button.addEventListener('click', () => turn(panel.hidden))
    addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !panel.hidden) turn(false)
    })
    show()
    document.body.append(host)
    if (kept.read().hasTalked) load()
  }

  async function begin() {
    const answer = await fetch(`${origin}/widget/v1/settings/${key}${query}`, {
      credentials: 'omit',
    }).catch(() => null)
    const said = await answer?.json().catch(() => null)
    if (answer?.ok && said) return build(said)
    console.warn(`The chat is not shown: ${said?.detail ?? 'it could not be reached.'}`)
  }

  if (document.body) void begin()
  else addEventListener('DOMContentLoaded', () => void begin())
})()
