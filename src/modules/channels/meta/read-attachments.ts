import type { MessageType } from '../../../core/vocabulary/channels.ts'
import type { MediaRef } from '../inbound.ts'
import { readFields, readList, readText, type Fields } from '../provider/read-values.ts'

type Attached = { type: MessageType; media?: MediaRef }

/** The provider's types and this service's. Others cannot be displayed: shares, mentions, hearts, templates, reels. */
const TYPES = new Map<string, MessageType>([
  ['image', 'image'],
  ['video', 'video'],
  ['audio', 'audio'],
  ['file', 'document'],
  ['sticker', 'sticker'],
  ['location', 'location'],
])

/** Types of attachments that are read. @internal */
export const MESSAGING_ATTACHMENTS: readonly string[] = [...TYPES.keys()]

/** Returns the attachments that can be displayed, else the first one. */
export function readAttachments(attachments: unknown): Attached[] {
  const read = readList(attachments).map((item) => readAttachment(readFields(item)))
  const shown = read.filter(({ type }) => type !== 'unknown')
  return shown.length === 0 ? read.slice(0, 1) : shown
}

function readAttachment({ type, payload }: Fields): Attached {
  const { url, sticker_id: stickerId } = readFields(payload)
  const known = TYPES.get(readText(type) ?? '') ?? 'unknown'
  // Until June 2026 stickers were pictures with a number.
  const shown = known === 'image' && stickerId != null ? 'sticker' : known
  const address = readText(url)
  const isFile = shown !== 'unknown' && shown !== 'location' && address !== undefined
  return { type: shown, ...(isFile ? { media: { url: address } } : {}) }
}
