/**
 * What a stranger or a member named stands in direction isolates, so that it turns no text around, and
 * loses what could do that or break a line.
 */

const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

export const isolated = (text: string): string => `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}`

/** A subject is cut by mail programs: an isolate without its end would turn what follows. */
export const withoutIsolates = (text: string): string => text.replaceAll(/[\u2068\u2069]/g, '')

/** Without line breaks, control characters and marks that change the direction of a text. */
export function plain(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
    .trim()
}

/** Of the scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/

/** In an English sentence: what is written as English is needs no isolate. */
export const inEnglish = (text: string): string =>
  RIGHT_TO_LEFT.test(text) ? isolated(plain(text)) : plain(text)
export const quotedInEnglish = (text: string): string => `"${inEnglish(text)}"`

/** In an Arabic sentence: a name, a code, a URL, a time. */
export const inArabic = (text: string): string => isolated(plain(text))
export const quotedInArabic = (text: string): string => `«${inArabic(text)}»`

/** A time to the second, in UTC. */
export const moment = (time: string): string => `${plain(time).slice(0, 19).replace('T', ' ')} UTC`
