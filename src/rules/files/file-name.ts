import { FILE_LIMITS } from '../../core/limits/files.ts'
import { cleanText, cutCodePoints } from '../text/json-text.ts'

// Path separators and characters that a system treats specially: controls, quotes, direction marks.
const NOT_OF_A_NAME = /[\p{Cc}"*:<>?\\/|\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/**
 * Returns an untrusted file name in a form that is safe to show and to save: the last part of a path, without
 * characters that could hide its extension. Null when no character remains. The key of the file in the store never
 * depends on it.
 */
export function readFileName(name: string | null | undefined): string | null {
  const last = cleanText(name ?? '')
    .split(/[\\/]/)
    .at(-1)!
  const plain = last
    .replaceAll(NOT_OF_A_NAME, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[. ]+/, '')
  const cut = cutCodePoints(plain.trim(), FILE_LIMITS.nameChars)
  return cut === '' ? null : cut
}
