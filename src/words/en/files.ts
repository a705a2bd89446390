import type { FileFacts } from '../../facts/files.ts'
import { FILE_TYPE_NAMES, namesBySize } from '../../vocabulary/files.ts'
import { written } from '../counted.ts'
import { inEnglish, quotedInEnglish } from '../isolate.ts'
import { lengthInEnglish } from './runs.ts'
import type { Sentences } from '../sentences.ts'

const MEGABYTE = 1_048_576

/** Bytes as people say them. */
export const megabytes = (bytes: number): string =>
  `${written(Math.round((bytes / MEGABYTE) * 10) / 10)} MB`

export const EN_FILES: Sentences<FileFacts> = {
  channel_sends_no_files: () => 'No files can be sent on this channel.',
  file_type_not_sendable: ({ mediaType, types, most }) => {
    const sent = namesBySize(types, most).map(
      ({ names, most: size }) =>
        `${names.map(inEnglish).join(', ')}${size === undefined ? '' : ` up to ${megabytes(size)}`}`,
    )
    const refused = FILE_TYPE_NAMES[mediaType] ?? inEnglish(mediaType)
    return `This channel does not send ${refused} files. It sends ${sent.join('; ')}.`
  },
  file_too_large_for_channel: ({ bytes, most }) =>
    `The file has ${megabytes(bytes)}, and this channel sends at most ${megabytes(most)} of its kind.`,
  media_without_caption: ({ mediaKind }) =>
    `This channel sends ${mediaKind} files without words. Send the words as a message of their own.`,
  caption_too_long: ({ length, most, unit }) =>
    `The words with the file are too long: ${lengthInEnglish(length, unit)}, and the channel takes at most ${written(most)}.`,
  no_such_file: () => 'There is no such file in this company.',
  file_not_here_yet: () => 'The file is still on its way from the provider. Try again in a moment.',
  file_gone: () => 'The file is not kept any more.',
  file_empty: () => 'The file is empty.',
  file_of_message: () =>
    'The file belongs to a message and is kept as long as the message. One that was never sent goes by itself after a day.',
  file_in_use: ({ flows }) =>
    `Flows send the file: ${flows.map(quotedInEnglish).join(', ')}. Take it out of them first.`,
  file_too_large: ({ most }) => `A file may have at most ${megabytes(most)}.`,
  file_body_type: () =>
    'A file is sent as it is, as the body, with the content type application/octet-stream.',
  uploads_full: ({ most }) =>
    `The members of this account have uploaded ${megabytes(most)}, which is the most that is kept. Delete files that flows no longer send.`,
  file_differs: () => 'What the provider sent is not what it had told of: the checksum is another.',
  provider_fetches_no_files: () => 'Files cannot be fetched on this kind of channel.',
  store_failed: ({ fault }) => `The store of files could not be used (${inEnglish(fault)}).`,
}
