/**
 * A real browser without a screen, for the pages that customers open. On Linux on x64 it is a package of
 * npm's, unpacked once into a clone; elsewhere it is the Chrome that is installed.
 */
import { createRequire } from 'node:module'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { inflate } from '@sparticuz/chromium'
import axe from 'axe-core'
import { chromium, type Browser, type Page } from 'playwright-core'

const PACKAGE = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')),
  '..',
)
const FONTS_FILE = 'fonts.conf'
const CACHE = path.join(import.meta.dirname, '../../node_modules/.cache')

/**
 * The flags leave out `--disable-web-security` and its like, which the package would add: tests check what a
 * customer's browser refuses.
 */
const FLAGS = ['--no-sandbox', '--no-zygote', '--font-render-hinting=none', '--disable-gpu']

/** @param more flags besides those of every test */
export async function startBrowser(more: readonly string[] = []): Promise<Browser> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return chromium.launch({ channel: 'chrome', args: [...more] })
  }
  const folder = await unpacked()
  const { env } = process
  const libraries = [path.join(folder, 'al2023/lib'), env.LD_LIBRARY_PATH].filter(Boolean)
  return chromium.launch({
    executablePath: path.join(folder, 'chromium'),
    args: [...FLAGS, ...more],
    // A machine without a desktop may have none of the libraries that the browser needs, and no fonts.
    env: {
      ...definedOf(env),
      LD_LIBRARY_PATH: libraries.join(':'),
      ...(existsSync('/etc/fonts') ? {} : { FONTCONFIG_FILE: path.join(folder, FONTS_FILE) }),
    },
  })
}

function definedOf(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

/**
 * Returns the folder of the unpacked browser. It is unpacked under another name first, so that no process finds
 * an incomplete one.
 */
async function unpacked(): Promise<string> {
  const { version } = createRequire(import.meta.url)(path.join(PACKAGE, 'package.json')) as {
    version: string
  }
  const folder = path.join(CACHE, `chromium-${version}`)
  if (existsSync(folder)) return folder
  await mkdir(CACHE, { recursive: true })
  const temporary = await mkdtemp(path.join(CACHE, 'chromium-'))
  const before = process.env.TMPDIR
  // The package unpacks into the machine's temporary folder, where another user may have unpacked it before.
  process.env.TMPDIR = temporary
  const parts = ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'].map((part) =>
    inflate(path.join(PACKAGE, 'bin', part)),
  )
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
  await Promise.all(parts)
  const fonts = `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts</cachedir></fontconfig>`
  await writeFile(path.join(temporary, FONTS_FILE), fonts)
  try {
    await rename(temporary, folder)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

const NAMED_WITHIN_MS = 2_000

/** Returns what axe finds wrong with a page, a line each: WCAG 2.2 AA and its best practices. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Playwright evaluates the script, because the page's policy forbids it to run one. It is half a megabyte, so
  // each page gets it once.
  const isThere = await page.evaluate(() => 'axe' in globalThis)
  if (!isThere) await page.evaluate(axe.source)
  // A dialog that has just opened gets its name when its content is drawn.
  const nameless = page.locator('[role=dialog]:not([aria-label], [aria-labelledby])')
  await nameless
    .first()
    .waitFor({ state: 'detached', timeout: NAMED_WITHIN_MS })
    .catch(() => undefined)
  const results = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({
      resultTypes: ['violations'],
    }),
  )
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`),
  )
}

/** Returns by how many pixels a page, or its main part, is wider than what is visible of it. */
export async function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>(`Math.max(
    ...[document.documentElement, document.querySelector('main')].map((part) =>
      part === null ? 0 : part.scrollWidth - part.clientWidth,
    ),
  )`)
}
