/** Decides which voice notes are transcribed and which photos are shown, and how long they are waited for. */
import { REPLY_MEDIA as LIMITS } from '../../core/limits/replies.ts'
import { pendingMessagesOf } from './pending-messages.ts'
import type { Decision } from './decision.ts'
import {
  transcribedIdsOf,
  type LoadedReply,
  type MediaFile,
  type ConversationMessage,
} from './reply.ts'

/** The image types that models accept. */
const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp']

/**
 * Returns the next decision about media of the pending messages, or null when nothing is to be transcribed or
 * awaited.
 */
export function checkMedia(loaded: LoadedReply, now: Date): Decision | null {
  const { able, reply } = loaded
  if (!able.hears && !able.sees) return null
  const untilMs = ({ createdAt }: ConversationMessage) => createdAt.getTime() + LIMITS.waitMs
  const late = reply.debounceMaxAt ?? now
  const burst = pendingMessagesOf(loaded).filter(
    (message) => message.createdAt <= late && untilMs(message) > now.getTime(),
  )
  const notes = able.hears ? notesToHear(loaded, burst) : []
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

/** Returns the voice notes that have not been tried, up to the limit of a reply. */
function notesToHear(
  loaded: LoadedReply,
  burst: readonly ConversationMessage[],
): ConversationMessage[] {
  const tried = transcribedIdsOf(loaded)
  return burst
    .filter(({ type, transcript, id }) => type === 'audio' && transcript === null && !tried.has(id))
    .slice(0, Math.max(0, LIMITS.voiceNotes - tried.size))
}

/** Returns the newest photos of the pending messages by message id, for a model that reads images. */
export function shownPhotos(loaded: LoadedReply): Map<string, MediaFile> {
  if (!loaded.able.sees) return new Map()
  const shown = pendingMessagesOf(loaded).flatMap((message) => {
    const file = message.type === 'image' ? keptFile(message, LIMITS.bytes) : null
    return file && IMAGE_TYPES.includes(file.mediaType) ? [[message.id, file] as const] : []
  })
  return new Map(shown.slice(-LIMITS.images))
}

function keptFile({ media }: ConversationMessage, maxBytes: number): MediaFile | null {
  if (media?.state !== 'kept') return null
  const { fileId, mediaType, size } = media
  return mediaType !== null && size !== null && size <= maxBytes
    ? { fileId, mediaType, size }
    : null
}
