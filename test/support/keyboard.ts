/** Keys that a member presses who uses no mouse. */
import type { Locator, Page } from 'playwright-core'

/** More stops than any page has for the Tab key. */
const MAX_STOPS = 120

/** Presses the Tab key until the element has the focus, as a member without a mouse does. */
export async function tabTo(page: Page, wanted: Locator, key = 'Tab'): Promise<void> {
  await wanted.waitFor()
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    await page.keyboard.press(key)
    if (await hasFocus(wanted)) return
  }
  throw new Error(`${key} does not lead to ${String(wanted)}`)
}

export const hasFocus = (wanted: Locator): Promise<boolean> =>
  wanted.evaluate((element) => element === element.ownerDocument.activeElement)
