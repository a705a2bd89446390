/** What of a message can be opened: addresses of pages, e-mail addresses and phone numbers. Pure. */
import { withLatinDigits } from './latin-digits.ts'

/** A stretch of a text; `href` is null where it opens nothing. */
export type TextPiece = { text: string; href: string | null }

/** Whatever else stands behind an address of a page belongs to the sentence. */
const CLOSING = new Set('.,;:!?)]}»”"\'،؛؟…')
const PAGE = /^(?:https?:\/\/|www\.)[^\s]{1,2000}$/i
const EMAIL = /^[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}$/
/** With its country code, or as it is dialled within a country: an order number begins with neither. */
const PHONE = /(?<![\w.+/-])(?:\+|00|0)[1-9](?:[ ()-]{0,2}\d){6,13}(?![\w/-])/g
const MOST_CHARS = 8_000

/**
 * Cuts a text at what can be opened. The pieces together are the text. Only `http`, `https`, `mailto` and `tel` are
 * opened, whatever was written. A longer text than messages have opens nothing.
 */
export function findLinks(text: string): TextPiece[] {
  if (text.length > MOST_CHARS) return [{ text, href: null }]
  const pieces: TextPiece[] = []
  let plain = ''
  const flush = () => {
    pieces.push(...findPhones(plain))
    plain = ''
  }
  for (const token of text.split(/(\s)/)) {
    const start = token.startsWith('(') || token.startsWith('<') ? 1 : 0
    const link = openable(token.slice(start))
    if (link === null) plain += token
    else {
      plain += token.slice(0, start)
      flush()
      pieces.push(link)
      plain = token.slice(start + link.text.length)
    }
  }
  flush()
  return pieces
}

/** The part of a word without spaces that opens a page or an e-mail; null where it does neither. */
function openable(word: string): TextPiece | null {
  let end = word.length
  while (end > 0 && (CLOSING.has(word[end - 1]!) || word[end - 1] === '>')) end -= 1
  // A page's own address may end in a bracket that it opened.
  if (word[end] === ')' && word.slice(0, end).includes('(')) end += 1
  const text = word.slice(0, end)
  if (EMAIL.test(text)) return { text, href: `mailto:${text}` }
  if (!PAGE.test(text)) return null
  const href = /^www\./i.test(text) ? `https://${text}` : text
  return URL.canParse(href) ? { text, href } : null
}

function findPhones(text: string): TextPiece[] {
  const pieces: TextPiece[] = []
  let at = 0
  // Digits of other scripts take as many signs as ours.
  for (const { index, 0: found } of withLatinDigits(text).matchAll(PHONE)) {
    if (index > at) pieces.push({ text: text.slice(at, index), href: null })
    at = index + found.length
    pieces.push({ text: text.slice(index, at), href: `tel:${found.replaceAll(/[^\d+]/g, '')}` })
  }
  if (at < text.length) pieces.push({ text: text.slice(at), href: null })
  return pieces
}
