/** Finds what a reader can open in a message: web addresses, e-mail addresses and phone numbers. Pure. */
import { withLatinDigits } from './latin-digits.ts'

/** A section of a text; `href` is null for plain text. */
export type TextPiece = { text: string; href: string | null }

/** Punctuation after a web address that belongs to the sentence. */
const CLOSING = new Set('.,;:!?)]}»”"\'،؛؟…')
const PAGE = /^(?:https?:\/\/|www\.)[^\s]{1,2000}$/i
const EMAIL = /^[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}$/
/** Matches a phone number with its country code or in a national notation. An order number begins with neither. */
const PHONE = /(?<![\w.+/-])(?:\+|00|0)[1-9](?:[ ()-]{0,2}\d){6,13}(?![\w/-])/g
const MAX_CHARS = 8_000

/**
 * Splits a text at its links; the pieces joined give the text. Links use only `http`, `https`, `mailto` and `tel`. A
 * text longer than any message has no links.
 */
export function findLinks(text: string): TextPiece[] {
  if (text.length > MAX_CHARS) return [{ text, href: null }]
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

/** Returns the part of a word that is a web or e-mail address; null when it has none. */
function openable(word: string): TextPiece | null {
  let end = word.length
  while (end > 0 && (CLOSING.has(word[end - 1]!) || word[end - 1] === '>')) end -= 1
  // A web address may end in a bracket that it has opened.
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
  // Each digit of another script has the same length as its Latin digit, so that indexes stay valid.
  for (const { index, 0: found } of withLatinDigits(text).matchAll(PHONE)) {
    if (index > at) pieces.push({ text: text.slice(at, index), href: null })
    at = index + found.length
    pieces.push({ text: text.slice(index, at), href: `tel:${found.replaceAll(/[^\d+]/g, '')}` })
  }
  if (at < text.length) pieces.push({ text: text.slice(at), href: null })
  return pieces
}
