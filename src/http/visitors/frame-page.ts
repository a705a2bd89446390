/** The page in the widget's frame: it holds its initial state as data, and a script of the service renders it. */
import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'

import { FILE_ACCEPT } from '../../rules/files/file-accept.ts'
import { CAPABILITIES } from '../../rules/messaging/channel-capabilities.ts'
import { VISITOR_LIMITS } from '../../core/limits/visitors.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import type { Site } from '../../modules/visitors/site.ts'
import { widgetWords } from '../../i18n/widget-words.ts'
import { sayIn } from '../../i18n/write-text.ts'
import { directionOf } from '../public-pages/page-frame.ts'
import { writeColours } from '../public-pages/page-style.ts'

/**
 * Returns the page in the widget's iframe, and its content security policy: only the allowed sites may frame it, and it
 * loads no third-party content.
 */
export async function writeFrame(
  site: Site,
  language: Language,
): Promise<{ text: string; policy: string }> {
  const t = sayIn(widgetWords, language)
  const shop = site.company.name ?? t('aShop')
  const colours = writeColours({ accent: site.accent, ground: null })
  const { aShop: _aShop, title: _title, ...frameWords } = widgetWords[language]
  const setup = {
    key: site.channel.route,
    sites: site.origins,
    language,
    greeting: site.greeting[language] ?? t('greeting'),
    formFields: site.formFields,
    textChars: CAPABILITIES.web_widget.longestText,
    nameChars: VISITOR_LIMITS.nameChars,
    uploadBytes: VISITOR_LIMITS.uploadBytes,
    words: frameWords,
  }
  const written = await html`<!doctype html>
    <html lang="${language}" dir="${directionOf(language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${t('title', { shop })}</title>
        <link rel="stylesheet" href="/widget/v1/frame.css" />
        ${raw(`<style>${colours}</style>`)}
        ${raw(`<script type="application/json" id="setup">${asData(setup)}</script>`)}
        <script type="module" src="/widget/v1/frame.js"></script>
      </head>
      <body>
        <header>
          <h1><bdi>${shop}</bdi></h1>
          <button type="button" id="close" aria-label="${t('close')}">✕</button>
        </header>
        <p id="state" role="status" hidden></p>
        <main>
          <div id="talk" role="log" aria-live="polite" tabindex="0" aria-label="${t('talk')}">
            <button type="button" id="earlier" hidden>${t('earlier')}</button>
            <p id="greeting"></p>
            <ol id="lines"></ol>
          </div>
          <form id="say" novalidate>
            <div id="asked" hidden>
              <label id="name-field"
                ><span></span><input id="name" name="name" autocomplete="name" maxlength="200"
              /></label>
              <label id="email-field"
                ><span></span
                ><input
                  id="email"
                  name="email"
                  type="email"
                  autocomplete="email"
                  dir="ltr"
                  maxlength="254"
              /></label>
            </div>
            <p id="wrong" role="alert" hidden></p>
            <div class="row">
              <label class="attach" title="${t('attach')}"
                ><span class="hidden">${t('attach')}</span
                ><input id="file" type="file" disabled accept="${FILE_ACCEPT}" />${CLIP}</label
              >
              <textarea
                id="text"
                rows="1"
                disabled
                aria-label="${t('yourMessage')}"
                placeholder="${t('yourMessage')}"
              ></textarea>
              <button type="submit" id="send" disabled aria-label="${t('send')}">${ARROW}</button>
            </div>
          </form>
        </main>
      </body>
    </html> `
  return { text: written.toString(), policy: policyOf(site, colours) }
}

function policyOf({ origins }: Site, style: string): string {
  const hash = createHash('sha256').update(style).digest('base64')
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'sha256-${hash}'`,
    "connect-src 'self'",
    'img-src blob:',
    'media-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    `frame-ancestors ${origins.length === 0 ? "'none'" : origins.join(' ')}`,
  ].join('; ')
}

const icon = (path: string) =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}" /></svg>`
const CLIP = icon(
  'M16.5 6v10.5a4.5 4.5 0 0 1-9 0V5a3 3 0 0 1 6 0v10.5a1.5 1.5 0 0 1-3 0V6H9v9.5a3 3 0 0 0 6 0V5a4.5 4.5 0 0 0-9 0v11.5a6 6 0 0 0 12 0V6z',
)
const ARROW = icon('M3 20.5 21.5 12 3 3.5v6.6L15 12 3 13.9z')

/** Returns JSON that cannot end the element that contains it. */
function asData(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}
