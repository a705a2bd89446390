import type { MediaKind } from '../vocabulary/files.ts'
import type { None } from './none.ts'

/** Reasons why a file is not sent, stored or deleted. */
export type FileFacts = {
  channel_sends_no_files: None
  /**
   * `types` are the types that the channel sends, `maxBytes` the maximum bytes of each, in the same order. Old stored
   * facts have no `maxBytes`.
   */
  file_type_not_sendable: { mediaType: string; types: string[]; maxBytes?: number[] }
  file_too_large_for_channel: { bytes: number; max: number }
  media_without_caption: { mediaKind: MediaKind }
  caption_too_long: { length: number; max: number; unit: 'code_points' | 'utf8_bytes' }
  no_such_file: None
  file_not_here_yet: None
  /** The file was deleted or never stored. */
  file_gone: None
  file_empty: None
  /** The file is deleted together with its message. */
  file_of_message: None
  /** `flows` are their names. */
  file_in_use: { flows: string[] }
  file_too_large: { max: number }
  file_body_type: None
  /** An account's uploads may have `max` bytes in total. */
  uploads_full: { max: number }
  /** The downloaded content has another checksum than the provider reported. */
  file_differs: None
  provider_fetches_no_files: None
  store_failed: { fault: string }
}
