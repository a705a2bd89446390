/**
 * Returns visible faults in the layout of the page in which it runs, a line each. It is sent into the page as text, so
 * it is self-contained plain JavaScript.
 *
 * Faults are a page or an element that is wider than its window, and a text that is cut off without an ellipsis, or in a
 * control or heading. Texts of the other direction, or of mixed direction with digits, need an isolate, because their
 * ends would be misplaced.
 */
export function findFaults() {
  const WHOLE = 'button, [role="tab"], h1, h2, h3, th, label, kbd, [class*="pill"]'
  const PASSED_OVER = 'script, style, noscript, svg, textarea, select, [data-portal] [hidden]'
  const arabic = /\p{Script=Arabic}/u
  const latin = /\p{Script=Latin}/u
  const { document, getComputedStyle, NodeFilter } = globalThis
  const root = document.documentElement
  const found = new Set()

  const said = (text) => `“${(text ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, 60)}”`
  const report = (text, what) => found.add(`${said(text)} ${what}`)
  const styleOf = (box) => getComputedStyle(box)
  const isRolled = (overflow) => overflow === 'auto' || overflow === 'scroll'
  /** Returns whether an element is invisible: no size, transparent, or clipped for screen readers. */
  const isHidden = (box) =>
    !box.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
    styleOf(box).clipPath !== 'none' ||
    box.closest('.visually-hidden') !== null ||
    box.getBoundingClientRect().width <= 1
  const cutterOf = (box) => {
    for (let at = box; at && at !== root && at !== document.body; at = at.parentElement) {
      if (styleOf(at).overflowX !== 'visible') return at
    }
    return null
  }

  function checkWhole(box) {
    if (isHidden(box) || box.closest('[aria-hidden="true"]')) return
    const isCut = (one) =>
      styleOf(one).overflowX !== 'visible' &&
      !isRolled(styleOf(one).overflowX) &&
      one.scrollWidth > one.clientWidth + 1 &&
      (one.textContent ?? '').trim() !== '' &&
      one.clientWidth > 0 &&
      !isHidden(one) &&
      // Names that people chose may be longer than any button.
      one.closest('bdi, [dir="auto"]') === null &&
      one.querySelector('bdi, [dir="auto"]') === null
    if ([box, ...box.querySelectorAll('*')].some(isCut))
      report(box.textContent, `in a ${box.tagName.toLowerCase()} is cut off`)
  }

  function checkCut(node, box, text) {
    const range = document.createRange()
    range.selectNodeContents(node)
    const { left, right, top, bottom } = range.getBoundingClientRect()
    const cutter = cutterOf(box)
    if (!cutter) {
      if (left < -1 || right > root.clientWidth + 1) report(text, 'is beyond the edge')
      return
    }
    const { overflowX, overflowY, textOverflow, webkitLineClamp } = styleOf(cutter)
    const edge = cutter.getBoundingClientRect()
    const isClamped = webkitLineClamp !== 'none'
    // Letters may overflow a line whose height is smaller than theirs.
    const isLow = bottom > edge.bottom + 4 || top < edge.top - 4
    if (!isRolled(overflowY) && !isClamped && isLow) report(text, 'is cut at its top or bottom')
    const isSaid = isClamped || textOverflow === 'ellipsis' || isRolled(overflowX)
    if (!isSaid && (left < edge.left - 1 || right > edge.right + 1))
      report(text, 'is cut at its side')
  }

  function checkDirections(box, text) {
    if (/[\u2066-\u2069]/.test(text)) return
    const { direction, unicodeBidi } = styleOf(box)
    const bare = text.trim()
    if (direction === 'rtl' && !arabic.test(bare) && unicodeBidi !== 'plaintext') {
      // Punctuation at the ends of Latin text, and grouped digits, change places.
      const hasTurned =
        (latin.test(bare) && (/^[+/.#(\u2026-]/.test(bare) || /[/.:)\]\u2026%-]$/.test(bare))) ||
        /^\+\d|\d +\d/.test(bare)
      if (hasTurned) report(text, 'runs the wrong way')
    }
    const isOwn = box.closest('bdi, [dir="auto"], [contenteditable]') !== null
    // Arabic text moves the digits that follow it to its other side.
    const isMixed = /\p{Script=Arabic}[^\p{L}\n]*\d/u.test(bare)
    if (direction === 'ltr' && !isOwn && isMixed)
      report(text, 'mixes both directions without an isolate')
  }

  for (const field of document.querySelectorAll(':placeholder-shown')) {
    const hasTurned = arabic.test(field.placeholder) && styleOf(field).direction === 'ltr'
    if (hasTurned) found.add(`the words in a field, ${said(field.placeholder)}, run the wrong way`)
  }
  const wider = root.scrollWidth - root.clientWidth
  if (wider > 0) found.add(`the page is ${wider} px wider than the window`)
  const { scrollWidth = 0, clientWidth = 0 } = document.querySelector('main') ?? {}
  const pushed = scrollWidth - clientWidth
  if (pushed > 0) found.add(`the page can be pushed sideways by ${pushed} px`)
  for (const box of document.querySelectorAll(WHOLE)) checkWhole(box)
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const box = node.parentElement
    const text = node.nodeValue ?? ''
    if (text.trim() === '' || !box || box.closest(PASSED_OVER) || isHidden(box)) continue
    checkCut(node, box, text)
    checkDirections(box, text)
  }
  return [...found]
}
