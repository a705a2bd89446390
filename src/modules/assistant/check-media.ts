/** Which voice notes and photos of a burst are heard and shown, and how long they are waited for. */
import { REPLY_MEDIA as LIMITS } from '../../core/limits/replies.ts'
import { pendingMessagesOf } from './pending-messages.ts'
import type { Decision } from './decision.ts'
import { heardOf, type LoadedReply, type MediaFile, type TalkMessage } from './reply.ts'

/** Shown to models as they are. */
const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp']

/** Of the messages that the reply gathered, what is to be heard or waited for; null: nothing. */
export function checkMedia(hand: LoadedReply, now: Date): Decision | null {
  const { able, reply } = hand
  if (!able.hears && !able.sees) return null
  const untilMs = ({ createdAt }: TalkMessage) => createdAt.getTime() + LIMITS.waitMs
  const late = reply.debounceMaxAt ?? now
  const burst = pendingMessagesOf(hand).filter(
    (message) => message.createdAt <= late && untilMs(message) > now.getTime(),
  )
  const notes = able.hears ? notesToHear(hand, burst) : []
  const kept = notes.flatMap((message) => {
    const file = keptFile(message, LIMITS.bytes)
    return file ? [{ messageId: message.id, file, untilMs: untilMs(message) }] : []
  })
  if (kept.length > 0) {
    const until = new Date(Math.max(...kept.map((note) => note.untilMs)))
    return { kind: 'hear', notes: kept.map(({ messageId, file }) => ({ messageId, file })), until }
  }
  const photos = able.sees ? burst.filter(({ type }) => type === 'image') : []
  const isAwaited = [...notes, ...photos].some(({ media }) => media?.state === 'awaited')
  return isAwaited ? { kind: 'wait', dueAt: new Date(now.getTime() + LIMITS.lookMs) } : null
}

/** Those that nobody has tried to hear, the first few of a reply. */
function notesToHear(hand: LoadedReply, burst: readonly TalkMessage[]): TalkMessage[] {
  const tried = heardOf(hand)
  return burst
    .filter(({ type, transcript, id }) => type === 'audio' && transcript === null && !tried.has(id))
    .slice(0, Math.max(0, LIMITS.voiceNotes - tried.size))
}

/** Photos of the burst that are shown to a model that reads images, by their messages; the newest few. */
export function shownPhotos(hand: LoadedReply): Map<string, MediaFile> {
  if (!hand.able.sees) return new Map()
  const shown = pendingMessagesOf(hand).flatMap((message) => {
    const file = message.type === 'image' ? keptFile(message, LIMITS.bytes) : null
    return file && IMAGE_TYPES.includes(file.mediaType) ? [[message.id, file] as const] : []
  })
  return new Map(shown.slice(-LIMITS.images))
}

function keptFile({ media }: TalkMessage, mostBytes: number): MediaFile | null {
  if (media?.state !== 'kept') return null
  const { fileId, mediaType, size } = media
  return mediaType !== null && size !== null && size <= mostBytes
    ? { fileId, mediaType, size }
    : null
}
