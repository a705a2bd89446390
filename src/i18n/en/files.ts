import type { FileFacts } from '../../core/facts/files.ts'
import { FILE_TYPE_NAMES, namesBySize } from '../../core/vocabulary/files.ts'
import { written } from '../counted.ts'
import { inEnglish, quotedInEnglish } from '../isolate.ts'
import { lengthInEnglish } from './runs.ts'
import type { Catalog } from '../catalog.ts'

const MEGABYTE = 1_048_576

/** Formats a number of bytes for people. */
export const megabytes = (bytes: number): string =>
  `${written(Math.round((bytes / MEGABYTE) * 10) / 10)} MB`

export const EN_FILES: Catalog<FileFacts> = {
  channel_sends_no_files: () => 'Files can’t be sent on this channel.',
  file_type_not_sendable: ({ mediaType, types, maxBytes }) => {
    const sent = namesBySize(types, maxBytes).map(
      ({ names, max: size }) =>
        `${names.map(inEnglish).join(', ')}${size === undefined ? '' : ` up to ${megabytes(size)}`}`,
    )
    const refused = FILE_TYPE_NAMES[mediaType] ?? inEnglish(mediaType)
    return `This channel doesn’t support ${refused} files. Supported types: ${sent.join('; ')}.`
  },
  file_too_large_for_channel: ({ bytes, max }) =>
    `The file is ${megabytes(bytes)}. This channel allows at most ${megabytes(max)} for this type.`,
  media_without_caption: ({ mediaKind }) =>
    `On this channel, ${mediaKind} files can’t have a caption. Send the text as a separate message.`,
  caption_too_long: ({ length, max, unit }) =>
    `The caption is too long: ${lengthInEnglish(length, unit)}. The channel allows at most ${written(max)}.`,
  no_such_file: () => 'No file with this ID.',
  file_not_here_yet: () =>
    'The file is still being downloaded from the provider. Try again in a moment.',
  file_gone: () => 'This file is no longer stored.',
  file_empty: () => 'The file is empty.',
  file_of_message: () =>
    'This file belongs to a message and is kept as long as the message. Files that were never sent are deleted after a day.',
  file_in_use: ({ flows }) =>
    `Flows use this file: ${flows.map(quotedInEnglish).join(', ')}. Remove it from them first.`,
  file_too_large: ({ max }) => `A file can be at most ${megabytes(max)}.`,
  file_body_type: () =>
    'Send the file itself as the body, with Content-Type: application/octet-stream.',
  uploads_full: ({ max }) =>
    `Your team has uploaded ${megabytes(max)}, the maximum. Delete files that flows no longer use.`,
  file_differs: () =>
    'The provider sent a different file than announced: the checksum doesn’t match.',
  provider_fetches_no_files: () => 'Files can’t be downloaded on this type of channel.',
  store_failed: ({ fault }) => `The file store failed (${inEnglish(fault)}).`,
}
