/** The frame of every public page. `html` escapes all values that are put into it. */
import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import type { Language } from '../../core/vocabulary/hooks.ts'
import { pageWords } from '../../i18n/pages/page-words.ts'
import { sayIn } from '../../i18n/write-text.ts'
import { contentPolicy, PAGE_STYLE, writeColours, type PageColours } from './page-style.ts'

/** A piece of a page, escaped. */
export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>

/** The company that a public page belongs to, as the page shows it. */
export type Shop = { name: string; address: string | null; colours: PageColours }

/** The content of a public page, without its frame. */
export type Page = {
  language: Language
  /** The shop that the page belongs to. Null where it is unknown, or must not be revealed. */
  shop: Shop | null
  colours: PageColours
  title: string
  /** The same page in the other language. */
  otherHref: string
  main: Markup
}

/** Returns the writing direction of a language. */
export const directionOf = (language: Language) => (language === 'ar' ? 'rtl' : 'ltr')
/** Returns Arabic for English, and English for Arabic. */
export const otherLanguage = (language: Language): Language => (language === 'ar' ? 'en' : 'ar')

/** Returns the HTML document of a page, and its content security policy. */
export async function writePage(page: Page): Promise<{ text: string; policy: string }> {
  const { language, shop, title } = page
  const styles = [PAGE_STYLE, writeColours(page.colours)]
  const other = otherLanguage(language)
  const written = await html`<!doctype html>
    <html lang="${language}" dir="${directionOf(language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="format-detection" content="telephone=no" />
        <title>${shop ? `${title} · ${shop.name}` : title}</title>
        ${raw(styles.map((style) => `<style>${style}</style>`).join(''))}
      </head>
      <body>
        <div class="page">
          <header>
            ${shop ? html`<span class="mark" aria-hidden="true">${initialOf(shop.name)}</span>` : ''}
            <div class="shop">${shop ? writeShop(shop) : ''}</div>
            <a
              class="switch"
              lang="${other}"
              hreflang="${other}"
              dir="${directionOf(other)}"
              href="${page.otherHref}"
              >${sayIn(pageWords, language)('otherLanguage')}</a
            >
          </header>
          <main>${page.main}</main>
        </div>
      </body>
    </html> `
  return { text: written.toString(), policy: contentPolicy(styles) }
}

function writeShop({ name, address }: Shop): Markup {
  const place = address === null ? '' : html`<span><bdi>${address}</bdi></span>`
  return html`<b><bdi>${name}</bdi></b
    >${place}`
}

/** Returns the first grapheme of a name in upper case. */
function initialOf(name: string): string {
  const [first] = new Intl.Segmenter().segment(name.trim())
  return first ? first.segment.toLocaleUpperCase() : ''
}
