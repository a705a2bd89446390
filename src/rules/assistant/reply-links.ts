/**
 * Filters the links of a text: those to known hosts stay, all others are removed and the sentence around them is kept.
 */
import { LINK_ENDINGS } from '../../core/vocabulary/link-endings.ts'

const NAME = String.raw`[\p{L}\p{N}-]{1,63}`
/** Matches a disguised dot, in brackets or by its name. */
const HIDDEN_DOT = String.raw` ?[[({] ?(?:\.|dot|نقطة) ?[\])}] ?`
const WITHIN = String.raw`(?<![\p{L}\p{N}@.-])`

/**
 * Matches links: with a scheme or `www.`, a name or an IP address with a path, or a name with a usual ending. It also
 * matches names whose dots are disguised or spaced.
 */
const LINK = new RegExp(
  [
    String.raw`[a-z][a-z0-9+.-]{0,19}:\/\/[^\s<>]*`,
    String.raw`${WITHIN}www\.[^\s<>]+`,
    String.raw`${WITHIN}(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?[/?#][^\s<>]*`,
    String.raw`${WITHIN}(?:${NAME}[.。．｡]){1,5}\p{L}{2,24}(?::\d+)?[/?#][^\s<>]*`,
    String.raw`${WITHIN}(?:${NAME}[.。．｡]){1,5}(?:${LINK_ENDINGS})(?![\p{L}\p{N}@-]|\.\p{L})`,
    String.raw`${WITHIN}${NAME}(?:(?:${HIDDEN_DOT}|\.)${NAME}){0,4}${HIDDEN_DOT}\p{L}{2,24}(?:[/?#][^\s<>]*)?`,
    String.raw`${WITHIN}(?:${NAME} {1,2}[.。] {0,2}){1,5}(?:\p{L}{2,24}[/?#][^\s<>]*|(?:com|net|org|info|biz|shop|store|site|online|xyz|link|zip)(?![\p{L}\p{N}]))`,
  ].join('|'),
  'giu',
)
/** Punctuation after a link that does not belong to it. */
const BEHIND_BRACKETS = new Set('.,:;!?،؛؟。*_~`')
const BEHIND = new Set([...BEHIND_BRACKETS, ...')]}\'"»”’'])

/** Returns a text in which each link, without the punctuation after it, is replaced by the result of `take`. */
export function replaceLinks(text: string, take: (link: string) => string): string {
  // Browsers read full-width letters as ASCII, and both have the same length.
  const plain = text.replace(/[\uff01-\uff5e]/g, (sign) =>
    String.fromCharCode(sign.charCodeAt(0) - 0xfee0),
  )
  let kept = ''
  let from = 0
  for (const { 0: found, index } of plain.matchAll(LINK)) {
    // "We deliver.To you" lacks a space and names no site.
    if (/^[^/:?#]*\.\p{Lu}\p{Ll}+$/u.test(found)) continue
    const link = withoutMarksBehind(found)
    kept += text.slice(from, index) + take(link)
    from = index + link.length
  }
  return kept + text.slice(from)
}

/** Returns a link without the punctuation after it. */
function withoutMarksBehind(found: string): string {
  const marks = found.includes('(') ? BEHIND_BRACKETS : BEHIND
  let end = found.length
  while (end > 0 && marks.has(found[end - 1]!)) end--
  return found.slice(0, end)
}

/** Returns whether a link leads to one of these hosts, as a browser reads it. */
export function isKnownLink(link: string, hosts: readonly string[]): boolean {
  const plain = withDots(link)
  const address = /^[a-z][a-z0-9+.-]*:\/\//iu.test(plain) ? plain : `https://${plain}`
  // An authority that browsers and chats parse differently is a sign of deception.
  const [, authority = ''] = /^https?:\/\/([^/?#]*)/iu.exec(address) ?? []
  if (authority === '' || /[\\@\s]/u.test(authority)) return false
  const host = hostOf(address)
  return host !== null && hosts.some((known) => hostOf(`https://${known}`) === host)
}

/** Returns a link with its disguised dots restored, as its reader would type it. */
const withDots = (link: string): string =>
  link.replace(/ ?[[({] ?(?:\.|dot|نقطة) ?[\])}] ?/giu, '.').replace(/ {1,2}([.。]) {0,2}/gu, '$1')

function hostOf(address: string): string | null {
  if (!URL.canParse(address)) return null
  const { hostname } = new URL(address)
  return hostname.replace(/^www\./, '').replace(/\.$/, '') || null
}
