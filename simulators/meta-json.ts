/**
 * Returns JSON in Meta's encoding. A character outside of ASCII becomes `\uXXXX` (two of them outside the basic
 * plane), and every slash becomes `\/`. A signature over these bytes is valid only for these bytes.
 */
export function writeMetaJson(value: unknown): Buffer {
  const text = JSON.stringify(value)
    .replaceAll('/', String.raw`\/`)
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return Buffer.from(text, 'ascii')
}
