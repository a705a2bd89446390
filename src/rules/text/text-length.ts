import { countCodePoints } from './json-text.ts'

const utf8 = new TextEncoder()

/** The unit in which a channel limits a text's length. */
export type TextUnit = 'code_points' | 'utf8_bytes'

/** Returns the length of a text as a channel counts it. Spec: Concepts › Channel capabilities; reading N6. */
export function measureText(text: string, unit: TextUnit): number {
  return unit === 'utf8_bytes' ? utf8.encode(text).length : countCodePoints(text)
}
