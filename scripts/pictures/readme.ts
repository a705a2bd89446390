/** Takes the pictures of the README. They are small, because it is also read over mobile connections. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import type { SeededIds } from './seed-activity.ts'
import { enter, settle } from './picture.ts'

const QUALITY = 0.86
const MAX_BYTES = 150_000

/** Takes the screenshots of the README, one in each language. */
export async function pictureReadme(
  browser: Browser,
  { origin, link, ids, to }: { origin: string; link: string; ids: SeededIds; to: string },
): Promise<void> {
  mkdirSync(to, { recursive: true })
  const shown = { en: 'webhooks/deliveries', ar: `inbox/${ids.conversation}?tab=open` } as const
  for (const language of ['en', 'ar'] as const) {
    const look = { language, width: 1_440, themes: ['light'] as const }
    const { page, company } = await enter(browser, look, { origin, link })
    await page.goto(`${origin}/p/${company}/${shown[language]}`)
    await page.locator('h1').first().waitFor()
    await settle(page)
    const png = await page.screenshot()
    await page.context().close()
    const small = await asWebp(browser, png)
    if (small.length > MAX_BYTES) throw new Error(`The README's picture has ${small.length} bytes`)
    writeFileSync(path.join(to, `dashboard-${language}.webp`), small)
  }
}

/** Converts a picture to WebP in the browser. */
async function asWebp(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage()
  const script = `(async () => {
    const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (letter) => letter.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = document.createElement('canvas')
    canvas.width = bitmap.width
    canvas.height = bitmap.height
    canvas.getContext('2d').drawImage(bitmap, 0, 0)
    return canvas.toDataURL('image/webp', ${QUALITY})
  })()`
  const url = await page.evaluate<string>(script)
  await page.close()
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}
