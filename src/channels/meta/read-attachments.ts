import type { MessageType } from '../../vocabulary/channels.ts'
import type { MediaRef } from '../channel-adapter.ts'
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

/** What came beside the words: the first of its pieces that can be shown; null where there is none. */
export function readAttachments(attachments: unknown): Attached | null {
  const read = readList(attachments).map((item) => readAttachment(readFields(item)))
  return read.find(({ type }) => type !== 'unknown') ?? read[0] ?? null
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
