/** Hands that use no mouse. */
import type { Locator, Page } from 'playwright-core'

/** More than any page has places to stop at. */
const MOST_STOPS = 120

/** Goes on with the Tab key until the focus is there, as somebody without a mouse has to. */
export async function tabTo(page: Page, wanted: Locator, key = 'Tab'): Promise<void> {
  await wanted.waitFor()
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await page.keyboard.press(key)
    if (await hasFocus(wanted)) return
  }
  throw new Error(`${key} does not lead to ${String(wanted)}`)
}

export const hasFocus = (wanted: Locator): Promise<boolean> =>
  wanted.evaluate((element) => element === element.ownerDocument.activeElement)
