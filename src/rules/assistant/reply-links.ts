/**
 * Links in a text: those to hosts that are known stay, the others are taken out and the sentence around them
 * is kept.
 */
import { LINK_ENDINGS } from '../../vocabulary/link-endings.ts'

/** With a scheme or `www.`, or a name with a path, or one that ends as names of sites do. */
const LINK = new RegExp(
  [
    String.raw`[a-z][a-z0-9+.-]{0,19}:\/\/[^\s<>]*`,
    String.raw`(?<![\p{L}\p{N}@.-])www\.[^\s<>]+`,
    String.raw`(?<![\p{L}\p{N}@.-])(?:[\p{L}\p{N}-]{1,63}[.。．｡]){1,5}\p{L}{2,24}(?::\d+)?[/?#][^\s<>]*`,
    String.raw`(?<![\p{L}\p{N}@.-])(?:[\p{L}\p{N}-]{1,63}[.。．｡]){1,5}(?:${LINK_ENDINGS})(?![\p{L}\p{N}@-]|\.\p{L})`,
  ].join('|'),
  'giu',
)
/** Marks behind a link that are not of it. */
const BEHIND = /[.,:;!?)\]}'"»”’،؛؟。*_~`]+$/u
const BEHIND_BRACKETS = /[.,:;!?،؛؟。*_~`]+$/u

/** Calls `take` for each link, with the marks behind it left out, and puts its answer in its place. */
export function replaceLinks(text: string, take: (link: string) => string): string {
  return text.replace(LINK, (found) => {
    // "We deliver.To you": a space is missing, and no site is named.
    if (/^[^/:?#]*\.\p{Lu}\p{Ll}+$/u.test(found)) return found
    const end = (found.includes('(') ? BEHIND_BRACKETS : BEHIND).exec(found)?.[0] ?? ''
    const link = found.slice(0, found.length - end.length)
    return take(link) + end
  })
}

/** Whether a link leads to one of these hosts, as a browser reads it. */
export function isKnownLink(link: string, hosts: readonly string[]): boolean {
  const address = /^[a-z][a-z0-9+.-]*:\/\//iu.test(link) ? link : `https://${link}`
  // What browsers and chats read differently, nobody who means well writes.
  const [, authority = ''] = /^https?:\/\/([^/?#]*)/iu.exec(address) ?? []
  if (authority === '' || /[\\@\s]/u.test(authority)) return false
  const host = hostOf(address)
  return host !== null && hosts.some((known) => hostOf(`https://${known}`) === host)
}

function hostOf(address: string): string | null {
  if (!URL.canParse(address)) return null
  const { hostname } = new URL(address)
  return hostname.replace(/^www\./, '').replace(/\.$/, '') || null
}
