/** Decides whether a channel may send a file, and as which kind of media. */
import { fact, type Fact } from '../../core/facts/fact.ts'
import { FILE_LIMITS } from '../../core/limits/files.ts'
import type { MediaKind } from '../../core/vocabulary/files.ts'
import type { Capabilities } from './channel-capabilities.ts'
import { measureText } from '../text/text-length.ts'

type SentFile = { mediaType: string; size: number }
type Media = NonNullable<Capabilities['media']>

/** Returns the kind of a detected media type: image, video or audio, and document for all others. */
export function mediaKindOf(mediaType: string): MediaKind {
  const [family] = mediaType.split('/', 1)
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'document'
}

/**
 * Returns the kind as which a channel sends a file: its own, or else a document. Null when the channel accepts it as
 * neither. Spec: Files › Sending.
 */
export function mediaKindToSend(
  file: SentFile,
  { media }: Pick<Capabilities, 'media'>,
): MediaKind | null {
  if (media === null) return null
  const own = mediaKindOf(file.mediaType)
  if (isTaken(media, own, file)) return own
  return isTaken(media, 'document', file) ? 'document' : null
}

/** Returns why a channel does not send a file; null when it does. Spec: Files › Sending. */
export function whyNotSendable(
  file: SentFile,
  capabilities: Pick<Capabilities, 'media'>,
): Fact | null {
  const { media } = capabilities
  if (media === null) return fact('channel_sends_no_files')
  if (mediaKindToSend(file, capabilities) !== null) return null
  const { mediaType, size } = file
  const { types, maxBytes } = media.kinds[mediaKindOf(mediaType)]
  if (types.includes(mediaType)) {
    return fact('file_too_large_for_channel', { bytes: size, max: maxBytes })
  }
  return fact('file_type_not_sendable', { mediaType, ...sentTypes(media) })
}

/** Returns the types that a channel sends with the maximum bytes of each that the service accepts, sorted by size. */
function sentTypes({ kinds }: Media): { types: string[]; maxBytes: number[] } {
  const sizes = new Map<string, number>()
  for (const { types, maxBytes } of Object.values(kinds)) {
    for (const type of types) {
      const max = Math.max(maxBytes, sizes.get(type) ?? 0)
      sizes.set(type, Math.min(max, FILE_LIMITS.bytes))
    }
  }
  const sorted = [...sizes].toSorted(([, one], [, other]) => one - other)
  return { types: sorted.map(([type]) => type), maxBytes: sorted.map(([, max]) => max) }
}

function isTaken({ kinds }: Media, kind: MediaKind, { mediaType, size }: SentFile): boolean {
  const { types, maxBytes } = kinds[kind]
  return types.includes(mediaType) && size <= maxBytes
}

/** Returns why a caption cannot be sent with a file on a channel; null when it can. */
export function whyNoCaption(
  mediaKind: MediaKind,
  caption: string | null,
  { media, textUnit: unit }: Pick<Capabilities, 'media' | 'textUnit'>,
): Fact | null {
  if (caption === null || media === null) return null
  if (!media.kinds[mediaKind].hasCaption) return fact('media_without_caption', { mediaKind })
  const length = measureText(caption, unit)
  const max = media.longestCaption
  return length > max ? fact('caption_too_long', { length, max, unit }) : null
}
