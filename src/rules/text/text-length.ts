import { countCodePoints } from './json-text.ts'

const utf8 = new TextEncoder()

/** How a channel counts what a text may have. */
export type TextUnit = 'code_points' | 'utf8_bytes'

/**
 * The length of a text as a channel counts it.
 * Spec: Concepts › Channel capabilities; reading N6.
 */
export function measureText(text: string, unit: TextUnit): number {
  return unit === 'utf8_bytes' ? utf8.encode(text).length : countCodePoints(text)
}
