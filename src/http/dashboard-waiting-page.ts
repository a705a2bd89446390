import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import { BUILD_STEPS, type BuildStep } from '../dashboard-build/build-steps.ts'
import type { DashboardState } from '../dashboard-build/dashboard.ts'
import { LANGUAGES, type Language } from '../core/vocabulary/hooks.ts'
import { waitingWords } from '../i18n/waiting-words.ts'
import { sayIn } from '../i18n/write-text.ts'
import { directionOf } from './public-pages/page-frame.ts'
import { contentPolicy } from './public-pages/page-style.ts'

const STYLE = `body{margin:0;min-block-size:100vh;display:grid;place-content:center;padding:24px;font:16px/1.6 system-ui,sans-serif;color:#1f2933;background:#f7f8fa}
section{margin-block:24px;max-inline-size:52ch;background:#fff;border:1px solid #d9dee5;border-radius:8px;padding:20px 24px}
h1{font-size:20px;margin:0 0 8px}p{margin:0 0 8px}
code{display:block;direction:ltr;text-align:left;padding:8px 12px;background:#eef1f5;border-radius:6px;overflow-wrap:anywhere}
progress{inline-size:100%}
@media(prefers-color-scheme:dark){body{color:#e6e9ee;background:#12161c}section{background:#1b2129;border-color:#333c48}code{background:#262e38}}`

type Waiting = Exclude<DashboardState, { kind: 'ready' }>

/** The command that builds the dashboard by hand. */
const COMMAND = 'npm run dashboard'

/**
 * Returns the page that replaces a missing or unfinished dashboard, in both languages. A script polls and then opens
 * the dashboard at the same address. A refresh header does not work: for an address with a fragment, as in one-time
 * links, the browser keeps the page it has.
 */
export async function writeWaitingPage(
  state: Waiting,
  againS: number,
): Promise<{ text: string; policy: string }> {
  const script = writePollScript(againS)
  const sections = LANGUAGES.map(
    (language) =>
      html`<section lang="${language}" dir="${directionOf(language)}">
        ${writeWords(state, language)}
      </section>`,
  )
  const page = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <noscript><meta http-equiv="refresh" content="${againS}" /></noscript>
        <title>Wasla</title>
        ${raw(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <main>${sections}</main>
        ${raw(`<script>${script}</script>`)}
      </body>
    </html> `
  const hash = createHash('sha256').update(script).digest('base64')
  const policy = `${contentPolicy([STYLE])}; script-src 'sha256-${hash}'; connect-src 'self'`
  return { text: page.toString(), policy }
}

/**
 * Returns the script that polls. It replaces the text by that of each response, and keeps waiting when there is none.
 */
const writePollScript = (againS: number) => `async function poll() {
  try {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' })
    if (answer.ok) return location.reload()
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const main = page.querySelector('main')
    if (main) document.querySelector('main').replaceWith(main)
  } catch {}
  setTimeout(poll, ${againS * 1_000})
}
setTimeout(poll, ${againS * 1_000})`

function writeStep(step: BuildStep, words: string) {
  const steps = Object.keys(BUILD_STEPS)
  return html`<p role="status">${words}</p>
    <progress
      max="${steps.length}"
      value="${steps.indexOf(step) + 0.5}"
      aria-label="${words}"
    ></progress>`
}

function writeWords(state: Waiting, language: Language) {
  const t = sayIn(waitingWords, language)
  if (state.kind === 'preparing') {
    return html`<h1>${t('preparing')}</h1>
      <p>${t('preparing_text')}</p>
      ${state.step === null ? '' : writeStep(state.step, t(state.step))}`
  }
  const why = state.why === null ? '' : html`<p lang="en" dir="ltr">${state.why}</p>`
  return html`<h1>${t('missing')}</h1>
    <p>${t('missing_text')}</p>
    ${why}
    <p>${t('missing_act')}</p>
    <code>${COMMAND}</code>`
}
