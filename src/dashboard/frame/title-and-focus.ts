/**
 * Title and focus for assistive technology: the document's title names the page, and when the focused element
 * disappears, another one gets the focus (WCAG 2.4.2, 2.4.3).
 */

const NAME = 'Wasla'
/** Maximum number of elements that are remembered after they had the focus, the newest last, each with its page. */
const MAX_REMEMBERED = 20

/** Starts to maintain title and focus, for as long as the tab shows the dashboard. */
export function keepTitleAndFocus(): void {
  let before: { element: HTMLElement; path: string }[] = []
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    before = before.filter(({ element }) => element !== target && element.isConnected)
    before = [...before.slice(1 - MAX_REMEMBERED), { element: target, path: location.pathname }]
  })
  const look = () => {
    showTitle()
    const last = before.at(-1)
    if (!last || last.element.isConnected || document.activeElement !== document.body) return
    const here = before.filter(({ path }) => path === location.pathname)
    const back = here.findLast(({ element }) => element.isConnected && canHaveFocus(element))
    before = []
    const next = back?.element ?? document.querySelector<HTMLElement>('main[tabindex]')
    next?.focus({ preventScroll: true })
  }
  new MutationObserver(look).observe(document.body, {
    childList: true,
    characterData: true,
    subtree: true,
  })
}

function showTitle(): void {
  const page = document.querySelector('main h1')?.textContent?.trim() ?? ''
  const title = page === '' ? NAME : `${page} · ${NAME}`
  if (document.title !== title) document.title = title
}

const canHaveFocus = (element: HTMLElement) =>
  element.getClientRects().length > 0 && !element.matches(':disabled')
