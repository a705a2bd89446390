/**
 * WhatsApp ids of this service's messages, derived from their reference. Thus a message reported by the number's
 * own devices is recognized even when the response to the send was lost.
 */
const PREFIX = '3EB0'
const MARK = '5751'

/**
 * Converts this service's id of a message (`o_` and 32 hex digits) to WhatsApp's form: 40 capital hex digits.
 * @throws for another id
 */
export function qrMessageId(ourReference: string): string {
  const hex = /^o_([0-9a-f]{32})$/.exec(ourReference)?.[1]
  if (hex === undefined) throw new Error(`${ourReference} is no id of a message of ours`)
  return `${PREFIX}${hex.toUpperCase()}${MARK}`
}

/** Returns this service's id of a message from WhatsApp's form; undefined for ids of other senders. */
export function ourReferenceIn(id: string): string | undefined {
  const hex = /^3EB0([0-9A-F]{32})5751$/.exec(id)?.[1]
  return hex === undefined ? undefined : `o_${hex.toLowerCase()}`
}
