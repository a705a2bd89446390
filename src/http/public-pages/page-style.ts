/** The style of the public pages: one sheet for all, and the colours of one merchant. */
import { createHash } from 'node:crypto'
import { makePalette, type Palette } from '../../rules/pages/palette.ts'

/** The style sheet of all public pages. It uses logical directions only, so that it is mirrored in Arabic. */
export const PAGE_STYLE = `*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;color-scheme:light;scroll-padding-block-end:120px}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/24px Inter,"IBM Plex Sans Arabic",system-ui,sans-serif;overflow-wrap:anywhere}
:lang(ar){line-height:28px}
.page{max-inline-size:560px;margin-inline:auto;padding:20px 16px 32px}
header{display:flex;gap:12px;align-items:center;margin-block-end:24px}
.mark{flex:none;inline-size:44px;block-size:44px;border-radius:50%;display:grid;place-items:center;background:var(--accent);color:var(--on-accent);font-weight:600}
.shop{flex:1;min-inline-size:0}
.shop b{display:block;font-weight:600}
.small,.shop span,.field span{font-size:14px;color:var(--muted)}
.switch{flex:none;color:var(--muted);text-decoration:none;padding:10px 4px;min-block-size:44px}
h1{font-size:24px;line-height:1.35;font-weight:600;margin:0 0 16px}
:lang(ar) h1{line-height:1.5}
h1:has(+.lead){margin-block-end:4px}
h2{font-size:16px;font-weight:600;margin:24px 0 8px}
p{margin:0 0 12px}
.lead{color:var(--muted);margin-block-end:20px}
a{color:var(--accent-ink)}
:focus-visible{outline:2px solid var(--accent-ink);outline-offset:2px}
ul{list-style:none;margin:0;padding:0}
.days,.times,.people{display:grid;gap:8px}
.days{grid-template-columns:repeat(auto-fill,minmax(58px,1fr))}
.times{grid-template-columns:repeat(auto-fill,minmax(92px,1fr))}
.people{grid-template-columns:repeat(auto-fill,minmax(140px,1fr))}
.card{display:flex;flex-direction:column;justify-content:center;align-items:center;text-align:center;block-size:100%;min-block-size:46px;padding:8px;background:var(--surface);color:var(--ink);border:1px solid var(--edge);border-radius:8px;text-decoration:none}
.card:hover{border-color:var(--accent-ink)}
.card[aria-current]{background:var(--soft);color:var(--accent-ink);border-color:var(--accent-ink);box-shadow:inset 0 0 0 1px var(--accent-ink)}
.times .card[aria-current]{background:var(--accent);color:var(--on-accent);font-weight:600}
.days .card{padding-inline:2px;overflow-wrap:normal}
.days b{font-size:20px;font-weight:600}
.days span{font-size:13px}
.services{display:grid;gap:12px}
.services .card{align-items:flex-start;text-align:start;padding:14px 16px}
.services b{font-weight:600}
.services span{font-size:14px;color:var(--muted)}
.turn{display:flex;justify-content:space-between;gap:12px;margin-block-start:8px}
.turn a{padding-block:10px}
.field{display:block;margin-block-start:20px}
label{display:block;font-weight:600;margin-block-end:8px}
input,select{inline-size:100%;min-block-size:48px;padding:8px 12px;font:inherit;color:var(--ink);background:var(--surface);border:1px solid var(--edge);border-radius:8px}
input,select{scroll-margin-block-end:96px}
[dir=rtl] input[dir=ltr]{text-align:end}
[aria-invalid]{border-color:var(--bad);border-width:2px}
.wrong{color:var(--bad);margin-block:8px 0}
.wrong::before{content:"\\26A0\\FE0E";margin-inline-end:6px}
.notice{border:1px solid var(--edge);border-inline-start:4px solid var(--accent-ink);border-radius:8px;background:var(--surface);padding:12px 16px;margin-block:0 20px}
.notice.bad{border-inline-start-color:var(--bad)}
.notice p:last-child{margin:0}
.own{white-space:pre-line}
.after{margin-block:16px 0}
.stays{position:sticky;inset-block-end:0;background:var(--ground);padding-block:12px;margin-block-start:20px;border-block-start:1px solid var(--edge)}
form:has([aria-invalid]) .stays{position:static}
button,.button{display:block;inline-size:100%;min-block-size:52px;padding:12px 16px;font:inherit;font-weight:600;text-align:center;text-decoration:none;border:1px solid var(--accent-ink);border-radius:8px;background:var(--accent);color:var(--on-accent);cursor:pointer}
.button{background:transparent;color:var(--accent-ink);margin-block-start:12px}
.stays .small{text-align:center;margin:8px 0 0}
dl{margin:0 0 20px;background:var(--surface);border:1px solid var(--edge);border-radius:8px;padding:4px 16px}
dl div{padding-block:10px}
dl div+div{border-block-start:1px solid var(--soft)}
dt{font-size:14px;color:var(--muted)}
dd{margin:0}
.hidden{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media print{.switch,form,.button{display:none}}`

/** The colours that a merchant chose, as `#rrggbb`; null for the default. */
export type PageColours = { accent: string | null; ground: string | null }

/** The colours of a page without a merchant. */
export const DEFAULT_COLOURS: PageColours = { accent: null, ground: null }

/** Returns the colours as a separate sheet, which contains no text of the merchant. */
export function writeColours(colours: PageColours): string {
  const palette = makePalette(colours)
  const lines = (Object.keys(palette) as (keyof Palette)[]).map((name) => {
    return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${palette[name]}`
  })
  return `:root{${lines.join(';')}}`
}

/**
 * Returns the content security policy of a page: no script, no requests, forms to this origin only. Inline styles are
 * allowed by their hashes. Spec: Public pages › Form of a page.
 */
export function contentPolicy(styles: readonly string[]): string {
  const hashes = styles.map(
    (style) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  )
  return `default-src 'none'; style-src ${hashes.join(' ')}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
}
