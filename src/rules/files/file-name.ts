import { FILE_LIMITS } from '../../core/limits/files.ts'
import { cleanText, cutCodePoints } from '../text/json-text.ts'

// Of a path, and what a system takes for something else than a name: controls, quotes, marks of direction.
const NOT_OF_A_NAME = /[\p{Cc}"*:<>?\\/|\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/**
 * What a stranger calls a file, as it may be shown and saved under: its last part where it is a path, without
 * what could hide its ending. Null where nothing is left of it. No place of the store is ever made of it.
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
