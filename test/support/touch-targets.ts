/** Touch targets of a page: everything that can be pressed needs 44 by 44 px. */
import type { Page } from 'playwright-core'

/**
 * Returns what is smaller, a line each: `button "Save" 120x32`. An element that is drawn smaller may react to
 * presses around it as well. Links within a sentence are left out, as are invisible elements and rows of which
 * the whole is pressed.
 */
export async function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(IN_PAGE)
}

/** The script is a text, because this project has no types of the browser's objects. */
const IN_PAGE = `(() => {
  const LEAST = 44
  const PRESSED =
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab], [role=menuitem], [role=switch]'
  const isInSentence = (element) =>
    element.localName === 'a' &&
    getComputedStyle(element).display === 'inline' &&
    element.closest('p') !== null &&
    element.closest('p').textContent.trim() !== element.textContent.trim()
  const isMetAround = (element) => {
    element.scrollIntoView({ block: 'center', inline: 'center' })
    const { x, y, width, height } = element.getBoundingClientRect()
    const [middle, centre] = [x + width / 2, y + height / 2]
    const half = LEAST / 2 - 1
    const places = [
      [middle, centre - half],
      [middle, centre + half],
      [middle - half, centre],
      [middle + half, centre],
    ]
    return places.every(([atX, atY]) => {
      const met = document.elementFromPoint(atX, atY)
      if (met === null) return false
      const label = element.closest('label')
      if (element.contains(met) || label?.contains(met)) return true
      return element.localName === 'a' && met.closest('tr[data-opens=true]')?.contains(element) === true
    })
  }
  const found = []
  for (const element of document.querySelectorAll(PRESSED)) {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    if (element.closest('[inert], [aria-hidden=true], .visually-hidden') !== null) continue
    const { width, height, bottom } = element.getBoundingClientRect()
    // A field of several values gives its inner input the focus, wherever in it is pressed.
    const field = element.closest('.mantine-TagsInput-input, .mantine-MultiSelect-input')
    if (field && field.getBoundingClientRect().height >= LEAST) continue
    // What stands above the page comes down when it has the focus of a keyboard.
    if (width <= 1 || height <= 1 || bottom < 0 || isInSentence(element)) continue
    if (Math.round(width) >= LEAST && Math.round(height) >= LEAST) continue
    if (isMetAround(element)) continue
    const name = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim()
    found.push(\`\${element.localName} "\${name.slice(0, 40)}" \${Math.round(width)}x\${Math.round(height)}\`)
  }
  return found
})()`
