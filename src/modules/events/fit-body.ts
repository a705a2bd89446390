import type { WebhookEnvelope } from '../../contract/webhook-envelope.ts'
import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'
import { CONVERSATION_ID_BYTES } from '../../core/limits/messaging.ts'

const ELLIPSIS = '…'
const ELLIPSIS_BYTES = Buffer.byteLength(ELLIPSIS)

/**
 * Returns an envelope as JSON of at most 64 KB. A larger one results from values of run variables and contact fields:
 * the longest are cut to a common length with an ellipsis, so that the JSON stays valid and no event is dropped. If that
 * is not enough, other long texts are cut too; as the last step, the final variables, fields and tags are removed.
 *
 * Spec: Events › Size; reading E11.
 */
export function fitBody(envelope: WebhookEnvelope): Buffer {
  const body = Buffer.from(JSON.stringify(envelope))
  if (body.length <= DELIVERY_LIMITS.bodyBytes) return body
  let fitted = structuredClone(envelope)
  for (const reduce of [shortenValues, shortenTexts, removeEntries]) {
    fitted = reduce(fitted)
    const shorter = Buffer.from(JSON.stringify(fitted))
    if (shorter.length <= DELIVERY_LIMITS.bodyBytes) return shorter
  }
  return Buffer.from(JSON.stringify(fitted))
}

type Holder = Record<string, unknown>
/** A text of the envelope: where it is, and how many bytes of JSON it takes. */
type Text = { holder: Holder; key: string; value: string; bytes: number }

function shortenValues(envelope: WebhookEnvelope): WebhookEnvelope {
  const texts = unboundedParts(envelope).flatMap(({ holder, isList }) =>
    isList ? [] : textsOf(holder),
  )
  shorten(texts, excessOf(envelope), 0)
  return envelope
}

/** Shortens any text of the data that is longer than an id can be. */
function shortenTexts(envelope: WebhookEnvelope): WebhookEnvelope {
  const texts: Text[] = []
  const visit = (holder: Holder): void => {
    texts.push(...textsOf(holder))
    for (const value of Object.values(holder)) {
      if (typeof value === 'object' && value !== null) visit(value as Holder)
    }
  }
  visit(envelope.data)
  shorten(texts, excessOf(envelope), CONVERSATION_ID_BYTES)
  return envelope
}

/** Removes entries from the end, for envelopes whose names or tags alone are too large. */
function removeEntries(envelope: WebhookEnvelope): WebhookEnvelope {
  let excess = excessOf(envelope)
  for (const { holder, isList } of unboundedParts(envelope)) {
    for (const key of Object.keys(holder).toReversed()) {
      if (excess <= 0) return envelope
      const pair = isList ? '' : `${JSON.stringify(key)}:`
      excess -= Buffer.byteLength(`${pair}${JSON.stringify(holder[key])}`)
      if (isList) (holder as unknown as unknown[]).pop()
      else delete holder[key]
    }
  }
  return envelope
}

/** Returns the parts that a company can fill without bound: named values and tags. */
function unboundedParts(envelope: WebhookEnvelope): { holder: Holder; isList: boolean }[] {
  const data = envelope.data as {
    run?: { variables?: Holder }
    contact?: { fields?: Holder; tags?: Holder } | null
  }
  return [data.run?.variables, data.contact?.fields, data.contact?.tags].flatMap((holder) =>
    holder === undefined ? [] : [{ holder, isList: Array.isArray(holder) }],
  )
}

function textsOf(holder: Holder): Text[] {
  return Object.keys(holder).flatMap((key) => {
    const value = holder[key]
    return typeof value === 'string' ? [{ holder, key, value, bytes: jsonBytes(value) }] : []
  })
}

function excessOf(envelope: WebhookEnvelope): number {
  return Buffer.byteLength(JSON.stringify(envelope)) - DELIVERY_LIMITS.bodyBytes
}

/** Cuts the longest texts to one number of bytes, at least `floor`, which removes the excess. */
function shorten(texts: Text[], excess: number, floor: number): void {
  const longest = texts.toSorted((a, b) => b.bytes - a.bytes)
  let limit = floor
  let sum = 0
  for (const [index, { bytes }] of longest.entries()) {
    sum += bytes
    const level = Math.floor((sum - excess) / (index + 1))
    if (level >= (longest[index + 1]?.bytes ?? floor)) {
      limit = Math.max(level, floor)
      break
    }
  }
  for (const { holder, key, value, bytes } of longest) {
    if (bytes <= limit) break
    holder[key] = cut(value, limit)
  }
}

/** Returns the longest prefix of whole characters that fits into `maxBytes` of JSON with the ellipsis. */
function cut(text: string, maxBytes: number): string {
  if (maxBytes < ELLIPSIS_BYTES) return ''
  let left = maxBytes - ELLIPSIS_BYTES
  let end = 0
  for (const character of text) {
    left -= characterBytes(character)
    if (left < 0) break
    end += character.length
  }
  return text.slice(0, end) + ELLIPSIS
}

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2
}

/** Returns the bytes of one code point as `JSON.stringify` writes it; a lone surrogate is escaped. */
function characterBytes(character: string): number {
  const code = character.codePointAt(0)!
  if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff)) {
    return jsonBytes(character)
  }
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}
