/**
 * `npm run screenshots -- [page …] [--language en|ar] [--theme light|dark] [--width 360|768|1440]`: takes pictures of
 * every page of the dashboard, or of the named ones, in both languages, both themes and three widths. They are written
 * into `build/pictures/`.
 *
 * The demonstration runs with a separate data folder and ports. The script fails on visible faults: text that is cut
 * off or of mixed direction, wide pages, findings of axe, errors of the browser. It also takes the README's two
 * pictures. Everything takes about a quarter of an hour on two processors, and is aborted after an hour.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../src/app/config.ts'
import { start } from '../src/start.ts'
import { startBrowser } from '../test/support/browser.ts'
import { pagesWithoutPicture } from './pictures/addresses.ts'
import { createAsk, seedActivity } from './pictures/seed-activity.ts'
import { addModel } from './pictures/seed-conversations.ts'
import { BEFORE_SIGN_IN, namesOf, PAGES } from './pictures/pages.ts'
import { enter, LANGUAGES, picture, THEMES, WIDTHS, type Look } from './pictures/picture.ts'
import { pictureReadme } from './pictures/readme.ts'

const TIMEOUT_MS = 60 * 60_000
const project = path.join(import.meta.dirname, '..')
const folder = path.join(project, 'build/pictures')

const any = { type: 'string', default: 'any' } as const
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { language: any, theme: any, width: any },
})
const missing = pagesWithoutPicture()
if (missing.length > 0) {
  console.error(`No picture shows ${missing.join(', ')}: name them in scripts/pictures/pages.ts`)
  process.exit(1)
}
const known = [...BEFORE_SIGN_IN, ...PAGES].flatMap(namesOf)
const unknown = positionals.filter((name) => !known.includes(name) && name !== 'readme')
if (unknown.length > 0) {
  console.error(`There is no page ${unknown.join(', ')}. There are: ${known.join(', ')}`)
  process.exit(2)
}
const isWhole = positionals.length === 0
const isWanted = (name: string) => isWhole || positionals.includes(name)
const chosen = <Choice>(all: readonly Choice[], one: string) =>
  all.filter((choice) => one === 'any' || String(choice) === one)
const themes = chosen(THEMES, values.theme)
const looks = chosen(LANGUAGES, values.language).flatMap((language) =>
  chosen(WIDTHS, values.width).map((width): Look => ({ language, width, themes })),
)

setTimeout(() => {
  console.error(`Aborted after ${TIMEOUT_MS / 60_000} minutes.`)
  process.exit(1)
}, TIMEOUT_MS).unref()

const dataFolder = mkdtempSync(path.join(tmpdir(), 'wasla-pictures-'))
const config = readConfig(
  {
    LOG_LEVEL: 'error',
    DATA_FOLDER: dataFolder,
    DEMONSTRATION: 'on',
    PORT: '0',
    SIMULATOR_PORT: '0',
    RECEIVER_PORT: '0',
  },
  [],
  project,
)
if (isWhole) rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const began = performance.now()
const started = await start(config, () => {})
const browser = await startBrowser()
const faults: string[] = []
let pictures = 0
let model: Awaited<ReturnType<typeof addModel>> | null = null

/** Takes the pictures of one look, page by page, and prints a line for each. */
async function takeLook(look: Look, link: string, context: Parameters<typeof picture>[2]) {
  const all = [
    ...BEFORE_SIGN_IN.map((page) => ({ page, isInside: false })),
    ...PAGES.map((page) => ({ page, isInside: true })),
  ].filter(({ page }) => namesOf(page).some(isWanted))
  const outside = await enter(browser, look, { origin: context.origin, link: null })
  const inside = await enter(browser, look, { origin: context.origin, link })
  for (const [at, { page, isInside }] of all.entries()) {
    const made = await picture(isInside ? inside : outside, page, { ...context, isWanted })
    pictures += made.pictures
    faults.push(...made.faults)
    const place = `${at + 1}/${all.length} ${page.name}, ${look.language}, ${look.width} px`
    console.log(made.faults.length === 0 ? place : `${place}: ${made.faults.length} faults`)
  }
  await outside.page.context().close()
  await inside.page.context().close()
}

try {
  const origin = `http://127.0.0.1:${started.port}`
  const link = started.demonstration!.linkToken!
  const owner = await enter(browser, { language: 'en', width: 1_440, themes }, { origin, link })
  const ask = createAsk(owner.page.context().request, origin, owner.company!)
  const ids = await seedActivity(started, ask)
  model = await addModel(dataFolder, ask)
  await owner.page.context().close()
  // The two languages are pictured concurrently, because a small machine has two processors.
  await Promise.all(
    LANGUAGES.map(async (language) => {
      for (const look of looks.filter((one) => one.language === language)) {
        await takeLook(look, link, { origin, ids, folder, isWanted })
      }
    }),
  )
  if (isWanted('readme')) {
    await pictureReadme(browser, { origin, link, ids, to: path.join(project, 'docs/pictures') })
  }
} finally {
  await browser.close()
  await started.stop()
  await model?.close()
  rmSync(dataFolder, { recursive: true, force: true })
}
for (const fault of faults) console.error(fault)
const minutes = ((performance.now() - began) / 60_000).toFixed(1)
console.log(
  `${pictures} pictures are in build/pictures, taken in ${minutes} minutes; ${faults.length} faults.`,
)
if (faults.length > 0) process.exitCode = 1
