import type { Page } from 'playwright-core'

/** A page of the dashboard: its name, where it lies below the company, and what of it opens one thing. */
export type Pictured = {
  name: string
  path: string
  /** Of a list: its first row is opened too, and pictured under this name. */
  first?: string
}

export const PAGES: readonly Pictured[] = [
  { name: 'home', path: '' },
  { name: 'inbox', path: 'inbox' },
  { name: 'contacts', path: 'contacts', first: 'contact' },
  { name: 'appointments', path: 'appointments' },
  { name: 'leads', path: 'leads' },
  { name: 'flows', path: 'flows', first: 'flow' },
  { name: 'runs', path: 'runs', first: 'run' },
  { name: 'broadcasts', path: 'broadcasts', first: 'broadcast' },
  { name: 'templates', path: 'templates' },
  { name: 'webhooks', path: 'webhooks', first: 'endpoint' },
  { name: 'deliveries', path: 'webhooks/deliveries', first: 'delivery' },
  { name: 'connections', path: 'connections' },
  { name: 'actions', path: 'actions' },
  { name: 'developer-tools', path: 'developer-tools' },
  { name: 'usage', path: 'usage' },
  { name: 'channels', path: 'channels' },
  { name: 'team', path: 'team' },
  { name: 'audit', path: 'audit' },
  { name: 'plan', path: 'plan' },
  { name: 'settings', path: 'settings' },
]

/**
 * What a script can see to be wrong with how a page is laid out: it is wider than its window; a text of a control,
 * a pill or a heading is cut off where nothing says so.
 */
export function findCuts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    type Box = {
      scrollWidth: number
      clientWidth: number
      textContent: string | null
      tagName: string
    }
    const { document, getComputedStyle } = globalThis as unknown as {
      document: { documentElement: Box; querySelectorAll(selector: string): Iterable<Box> }
      getComputedStyle(box: Box): { textOverflow: string; overflowX: string; clipPath: string }
    }
    const root = document.documentElement
    const found: string[] = []
    if (root.scrollWidth > root.clientWidth) {
      found.push(`the page is ${root.scrollWidth - root.clientWidth} px wider than the window`)
    }
    for (const box of document.querySelectorAll('button, h1, h2, h3, th, label, [class*="pill"]')) {
      const { textOverflow, overflowX, clipPath } = getComputedStyle(box)
      const isHidden = clipPath !== 'none'
      const isSaid = textOverflow === 'ellipsis' || overflowX === 'auto' || overflowX === 'scroll'
      if (isHidden || isSaid || box.scrollWidth <= box.clientWidth + 1 || box.clientWidth === 0) {
        continue
      }
      found.push(`${box.tagName.toLowerCase()} “${(box.textContent ?? '').trim()}” is cut off`)
    }
    return found
  })
}
