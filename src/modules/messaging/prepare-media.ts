import type { Outbound } from '../channels/channel-adapter.ts'
import type { Fact } from '../../core/facts/fact.ts'
import type { KeptFile } from '../files/files-to-send.ts'
import {
  mediaKindToSend,
  whyNoCaption,
  whyNotSendable,
} from '../../rules/messaging/sendable-media.ts'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'

/** A file as the content of a message, or why it cannot be sent. */
export type PreparedMedia =
  | { ok: true; content: Extract<Outbound, { kind: 'media' }> }
  | { ok: false; reason: Fact }

/**
 * Returns a file as the content of a message for a channel type, or why it cannot be sent. The caller has locked the
 * file by `lockFilesToSend`. Blank text is no caption. Spec: Files › Sending.
 */
export function prepareMedia(
  file: KeptFile,
  { channelType, caption }: { channelType: string; caption: string | null },
): PreparedMedia {
  const capabilities = capabilitiesOf(channelType)
  const text = caption?.trim() || null
  const mediaKind = mediaKindToSend(file, capabilities)
  if (mediaKind === null) return { ok: false, reason: whyNotSendable(file, capabilities)! }
  const problem = whyNoCaption(mediaKind, text, capabilities)
  if (problem) return { ok: false, reason: problem }
  const { id: fileId, name: fileName } = file
  return { ok: true, content: { kind: 'media', fileId, mediaKind, caption: text, fileName } }
}
