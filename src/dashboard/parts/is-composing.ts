/**
 * Returns whether a key ends or changes a word that is being composed. Safari reports the Enter that ends a word after
 * the composition, and marks it by the key code 229 alone.
 */
export function isComposing(key: { isComposing: boolean; keyCode: number }): boolean {
  return key.isComposing || key.keyCode === 229
}
