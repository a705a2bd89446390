/**
 * We give our messages their id at WhatsApp, made of our reference, so that what comes back from the
 * number's own devices is known to be ours, whether or not the answer to the send arrived.
 */
const PREFIX = '3EB0'
const MARK = '5751'

/** `o_` and 32 hex digits to 40 capital ones. @throws for what is no id of a message of ours */
export function qrMessageId(ourReference: string): string {
  const hex = /^o_([0-9a-f]{32})$/.exec(ourReference)?.[1]
  if (hex === undefined) throw new Error(`${ourReference} is no id of a message of ours`)
  return `${PREFIX}${hex.toUpperCase()}${MARK}`
}

/** Our reference in an id that we gave; undefined where somebody else did. */
export function ourReferenceIn(id: string): string | undefined {
  const hex = /^3EB0([0-9A-F]{32})5751$/.exec(id)?.[1]
  return hex === undefined ? undefined : `o_${hex.toLowerCase()}`
}
