/**
 * Names and texts of people are put in direction isolates, so that they change no other text's direction. Characters
 * that could do so, and line breaks, are removed.
 */

const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

/** Encloses a text in characters that isolate its writing direction from the text around it. */
export const isolated = (text: string): string => `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}`

/** Removes the characters that isolate the direction of a text, which mail programs could cut off in a subject. */
export const withoutIsolates = (text: string): string => text.replaceAll(/[\u2068\u2069]/g, '')

/** Removes line breaks, control characters and marks that change the direction of a text. */
export function plain(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
    .trim()
}

/** Letters of scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/

/**
 * Formats a name or other text for an English sentence, so that Arabic letters do not turn the sentence. A text in
 * English letters needs no isolate.
 */
export const inEnglish = (text: string): string =>
  RIGHT_TO_LEFT.test(text) ? isolated(plain(text)) : plain(text)
/** Formats a text in quotation marks for an English sentence. */
export const quotedInEnglish = (text: string): string => `"${inEnglish(text)}"`

/** Formats a name, a code, a URL or a time for an Arabic sentence. */
export const inArabic = (text: string): string => isolated(plain(text))
/** Formats a text in quotation marks for an Arabic sentence. */
export const quotedInArabic = (text: string): string => `«${inArabic(text)}»`

/** Formats a time to the second, in UTC. */
export const moment = (time: string): string => `${plain(time).slice(0, 19).replace('T', ' ')} UTC`
