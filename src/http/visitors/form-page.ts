/**
 * The page with the form of a website, for frames on the allowed sites. `html` escapes all values that are put into
 * it.
 */
import { html, raw } from 'hono/html'
import type { Fact } from '../../core/facts/fact.ts'
import { ENQUIRY_LIMITS } from '../../core/limits/visitors.ts'
import type { FieldError } from '../../core/service-error.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import type { Site } from '../../modules/visitors/site.ts'
import { formWords } from '../../i18n/form-words.ts'
import { sayIn } from '../../i18n/write-text.ts'
import type { Say } from '../../core/words/define-words.ts'
import { formatFact } from '../../i18n/format-fact.ts'
import { directionOf, type Markup } from '../public-pages/page-frame.ts'
import { contentPolicy, PAGE_STYLE, writeColours } from '../public-pages/page-style.ts'

type State =
  | { kind: 'empty'; page?: string }
  | { kind: 'sent' }
  | { kind: 'wrong'; fields: Record<string, string>; errors: readonly FieldError[]; reason: Fact }

const STYLE = `textarea{inline-size:100%;min-block-size:112px;padding:8px 12px;font:inherit;color:var(--ink);background:var(--surface);border:1px solid var(--edge);border-radius:8px;resize:vertical}
textarea[aria-invalid]{border-color:var(--bad);border-width:2px}
body{background:transparent}
button{margin-block-start:20px}`

/**
 * Returns the page of the web form with its content security policy.
 * @param made the id of a new form, and the current time
 */
export async function writeForm(
  site: Site,
  state: State,
  language: Language,
  made: { id: string; now: Date },
): Promise<{ text: string; policy: string }> {
  const t = sayIn(formWords, language)
  const styles = [PAGE_STYLE, STYLE, writeColours({ accent: site.accent, ground: null })]
  const main = state.kind === 'sent' ? writeSent(t) : writeFields(site, state, language, made)
  const written = await html`<!doctype html>
    <html lang="${language}" dir="${directionOf(language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${t('title')}</title>
        ${raw(styles.map((style) => `<style>${style}</style>`).join(''))}
      </head>
      <body>
        <main class="page">${main}</main>
      </body>
    </html> `
  const sites = site.origins.length === 0 ? "'none'" : site.origins.join(' ')
  const policy = contentPolicy(styles).replace("frame-ancestors 'none'", `frame-ancestors ${sites}`)
  return { text: written.toString(), policy }
}

function writeSent(t: Say<typeof formWords.en>): Markup {
  return html`<h1 role="status">${t('sent')}</h1>
    <p class="lead">${t('sentText')}</p>`
}

function writeFields(
  site: Site,
  state: Exclude<State, { kind: 'sent' }>,
  language: Language,
  made: { id: string; now: Date },
): Markup {
  const t = sayIn(formWords, language)
  const values = state.kind === 'wrong' ? state.fields : {}
  const page = state.kind === 'wrong' ? state.fields.page : state.page
  const errors = state.kind === 'wrong' ? state.errors : []
  const wrongOf = (name: string) => {
    const error = errors.find(({ field }) => field === `fields.${name}`)
    return error && formatFact(error, language)
  }
  const isElsewhere =
    state.kind === 'wrong' && !errors.some(({ field }) => field.startsWith('fields.'))
  // As one expression, both are a union of more types than the compiler supports.
  const formatElsewhere = ({ errors: [first], reason }: Extract<State, { kind: 'wrong' }>) =>
    first ? formatFact(first, language) : formatFact(reason, language)
  const errorText = isElsewhere ? formatElsewhere(state) : null
  const field: WriteField = (name, control) => {
    const wrong = wrongOf(name)
    const more = wrong ? html` aria-invalid="true" aria-describedby="wrong-${name}"` : html``
    return html`<div class="field">
      <label for="${name}">${t(name)}</label>
      ${control(more)} ${wrong ? html`<p class="wrong" id="wrong-${name}">${wrong}</p>` : ''}
    </div>`
  }
  return html`<h1>${t('title')}</h1>
    <p class="lead">${site.greeting[language] ?? t('lead')}</p>
    ${errorText ? html`<div class="notice bad" role="alert"><p>${errorText}</p></div>` : ''}
    <form method="post" action="/website/v1/${site.channel.route}/form?lang=${language}" novalidate>
      <input type="hidden" name="leadId" value="${values.leadId ?? made.id}" />
      ${page ? html`<input type="hidden" name="page" value="${page}" />` : ''}
      <input type="hidden" name="openedAt" value="${values.openedAt ?? made.now.toISOString()}" />
      <div class="hidden" aria-hidden="true">
        <label>${t('trap')}<input name="homepage" tabindex="-1" autocomplete="off" /></label>
      </div>
      ${writeControls(values, field)}
      <button type="submit">${t('send')}</button>
    </form>`
}

type WriteField = (
  name: 'name' | 'email' | 'phone' | 'message',
  control: (more: Markup) => Markup,
) => Markup

function writeControls(values: Record<string, string>, field: WriteField): Markup {
  return html`${field(
    'name',
    (more) =>
      html`<input
        id="name"
        name="name"
        autocomplete="name"
        maxlength="${ENQUIRY_LIMITS.nameChars}"
        value="${values.name ?? ''}"
        ${more}
      />`,
  )}
  ${field(
    'email',
    (more) =>
      html`<input
        id="email"
        name="email"
        type="email"
        dir="ltr"
        autocomplete="email"
        value="${values.email ?? ''}"
        ${more}
      />`,
  )}
  ${field(
    'phone',
    (more) =>
      html`<input
        id="phone"
        name="phone"
        type="tel"
        dir="ltr"
        autocomplete="tel"
        placeholder="+966501234567"
        maxlength="${ENQUIRY_LIMITS.phoneChars}"
        value="${values.phone ?? ''}"
        ${more}
      />`,
  )}
  ${field(
    'message',
    (more) =>
      html`<textarea
        id="message"
        name="message"
        required
        maxlength="${ENQUIRY_LIMITS.messageChars}"
        ${more}
      >
${values.message ?? ''}</textarea>`,
  )}`
}
