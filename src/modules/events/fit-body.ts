import type { WebhookEnvelope } from '../../contract/webhook-envelope.ts'
import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'
import { CONVERSATION_ID_BYTES } from '../../core/limits/messaging.ts'

const ELLIPSIS = '…'
const ELLIPSIS_BYTES = Buffer.byteLength(ELLIPSIS)

/**
 * The bytes of an envelope, at most 64 KB. What makes one larger are the values of a run's variables
 * and of a contact's custom fields: the longest of them are shortened to one length and end with an
 * ellipsis, so that the JSON stays valid and the event is never dropped. Only when that cannot be
 * enough are other long texts shortened too, and last the latest variables, fields and tags left out.
 *
 * Spec: Events › Size; reading E11.
 */
export function fitBody(envelope: WebhookEnvelope): Buffer {
  const body = Buffer.from(JSON.stringify(envelope))
  if (body.length <= DELIVERY_LIMITS.bodyBytes) return body
  let fitted = structuredClone(envelope)
  for (const lessen of [shortenValues, shortenTexts, leaveOut]) {
    fitted = lessen(fitted)
    const shorter = Buffer.from(JSON.stringify(fitted))
    if (shorter.length <= DELIVERY_LIMITS.bodyBytes) return shorter
  }
  return Buffer.from(JSON.stringify(fitted))
}

type Holder = Record<string, unknown>
/** A text of the envelope: where it is, and how many bytes of the JSON it takes. */
type Text = { holder: Holder; key: string; value: string; bytes: number }

function shortenValues(envelope: WebhookEnvelope): WebhookEnvelope {
  const texts = growing(envelope).flatMap(({ holder, isList }) => (isList ? [] : textsOf(holder)))
  shorten(texts, excessOf(envelope), 0)
  return envelope
}

/** Any text of the data that is longer than an id can be. */
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

/** So many names or tags that they alone are too much: the first ones stay. */
function leaveOut(envelope: WebhookEnvelope): WebhookEnvelope {
  let excess = excessOf(envelope)
  for (const { holder, isList } of growing(envelope)) {
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

/** What a company fills without a bound: names with their values, and tags. */
function growing(envelope: WebhookEnvelope): { holder: Holder; isList: boolean }[] {
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

/** Cuts the longest texts to one number of bytes, at least `floor`, that takes the excess away. */
function shorten(texts: Text[], excess: number, floor: number): void {
  const longest = texts.toSorted((a, b) => b.bytes - a.bytes)
  let most = floor
  let sum = 0
  for (const [index, { bytes }] of longest.entries()) {
    sum += bytes
    const level = Math.floor((sum - excess) / (index + 1))
    if (level >= (longest[index + 1]?.bytes ?? floor)) {
      most = Math.max(level, floor)
      break
    }
  }
  for (const { holder, key, value, bytes } of longest) {
    if (bytes <= most) break
    holder[key] = cut(value, most)
  }
}

/** As many whole characters as fit, with the ellipsis, in so many bytes of JSON. */
function cut(text: string, most: number): string {
  if (most < ELLIPSIS_BYTES) return ''
  let left = most - ELLIPSIS_BYTES
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

/** Bytes of one code point as `JSON.stringify` writes it; half a surrogate pair is escaped. */
function characterBytes(character: string): number {
  const code = character.codePointAt(0)!
  if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff)) {
    return jsonBytes(character)
  }
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}
