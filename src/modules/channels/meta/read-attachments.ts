import type { MessageType } from '../../../core/vocabulary/channels.ts'
import type { MediaRef } from '../inbound.ts'
import { readFields, readList, readText, type Fields } from '../provider/read-values.ts'

type Attached = { type: MessageType; media?: MediaRef }

/** Provider type to ours. What is not listed cannot be shown: shares, mentions, hearts, templates, reels. */
const TYPES = new Map<string, MessageType>([
  ['image', 'image'],
  ['video', 'video'],
  ['audio', 'audio'],
  ['file', 'document'],
  ['sticker', 'sticker'],
  ['location', 'location'],
])

/** The types of attachments that are read. @internal */
export const MESSAGING_ATTACHMENTS: readonly string[] = [...TYPES.keys()]

/** What came beside the words: of its pieces those that can be shown, else the first. */
export function readAttachments(attachments: unknown): Attached[] {
  const read = readList(attachments).map((item) => readAttachment(readFields(item)))
  const shown = read.filter(({ type }) => type !== 'unknown')
  return shown.length === 0 ? read.slice(0, 1) : shown
}

function readAttachment({ type, payload }: Fields): Attached {
  const { url, sticker_id: stickerId } = readFields(payload)
  const known = TYPES.get(readText(type) ?? '') ?? 'unknown'
  // Before June 2026 a sticker was a picture with a number.
  const shown = known === 'image' && stickerId != null ? 'sticker' : known
  const address = readText(url)
  const isFile = shown !== 'unknown' && shown !== 'location' && address !== undefined
  return { type: shown, ...(isFile ? { media: { url: address } } : {}) }
}
