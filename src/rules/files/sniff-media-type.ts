/**
 * Detects a file's type from its bytes. The sender's, the name's and the provider's statements are ignored, because
 * they could mislead the person who opens the file.
 */

const UNKNOWN_MEDIA_TYPE = 'application/octet-stream'

/** Bytes at offsets, as Latin-1; a file must have all of them. */
type Mark = readonly (readonly [offset: number, bytes: string])[]

const MARKS: readonly (readonly [mediaType: string, mark: Mark])[] = [
  ['image/jpeg', [[0, '\xff\xd8\xff']]],
  ['image/png', [[0, '\x89PNG\r\n\x1a\n']]],
  ['image/gif', [[0, 'GIF87a']]],
  ['image/gif', [[0, 'GIF89a']]],
  [
    'image/webp',
    [
      [0, 'RIFF'],
      [8, 'WEBP'],
    ],
  ],
  [
    'audio/wav',
    [
      [0, 'RIFF'],
      [8, 'WAVE'],
    ],
  ],
  ['audio/ogg', [[0, 'OggS']]],
  ['audio/amr', [[0, '#!AMR']]],
  ['audio/mpeg', [[0, 'ID3']]],
  ['video/webm', [[0, '\x1a\x45\xdf\xa3']]],
  ['application/pdf', [[0, '%PDF-']]],
  ['application/zip', [[0, 'PK\x03\x04']]],
  ['application/x-ole-storage', [[0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1']]],
]

/** Brands of the `ftyp` box; a file of this family with any other brand is a video. */
const BRANDS: readonly (readonly [brand: RegExp, mediaType: string])[] = [
  [/^3g/, 'video/3gpp'],
  [/^(M4A|M4B|F4A)/, 'audio/mp4'],
  [/^qt/, 'video/quicktime'],
  [/^(heic|heix|hevc|mif1|msf1)/, 'image/heic'],
  [/^avi[fs]/, 'image/avif'],
]

const OFFICE = 'application/vnd.openxmlformats-officedocument'
/** Names that identify a kind of document inside a zip or an older container. */
const IN_ZIP: readonly (readonly [name: string, mediaType: string])[] = [
  ['word/document.xml', `${OFFICE}.wordprocessingml.document`],
  ['xl/workbook.xml', `${OFFICE}.spreadsheetml.sheet`],
  ['ppt/presentation.xml', `${OFFICE}.presentationml.presentation`],
]
const IN_OLE: readonly (readonly [name: string, mediaType: string])[] = [
  ['WordDocument', 'application/msword'],
  ['Workbook', 'application/vnd.ms-excel'],
  ['PowerPoint Document', 'application/vnd.ms-powerpoint'],
]

/** Returns a file's media type from its bytes, one of a fixed list; `application/octet-stream` for any other file. */
export function sniffMediaType(file: Uint8Array): string {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const head = bytes.toString('latin1', 0, 64)
  const found = MARKS.find(([, mark]) => mark.every(([at, part]) => head.startsWith(part, at)))
  if (found) {
    const [mediaType] = found
    if (mediaType === 'application/zip') return holding(bytes, IN_ZIP, 'latin1') ?? mediaType
    if (mediaType !== 'application/x-ole-storage') return mediaType
    return holding(bytes, IN_OLE, 'utf16le') ?? UNKNOWN_MEDIA_TYPE
  }
  if (head.startsWith('ftyp', 4)) {
    const brand = head.slice(8, 12)
    return BRANDS.find(([of]) => of.test(brand))?.[1] ?? 'video/mp4'
  }
  return soundFrame(bytes) ?? (isPlainText(bytes) ? 'text/plain' : UNKNOWN_MEDIA_TYPE)
}

function holding(
  bytes: Buffer,
  names: readonly (readonly [name: string, mediaType: string])[],
  encoding: BufferEncoding,
): string | null {
  return names.find(([name]) => bytes.includes(name, 0, encoding))?.[1] ?? null
}

/** Detects a frame of MPEG audio, which has no signature but its first eleven bits: layer 3, or AAC. */
function soundFrame(bytes: Buffer): string | null {
  const [first = 0, second = 0, third = 0] = bytes
  if (first !== 0xff) return null
  if ((second & 0xf6) === 0xf0) return 'audio/aac'
  const hasBitrate = (third & 0xf0) !== 0xf0 && (third & 0x0c) !== 0x0c
  return (second & 0xe6) === 0xe2 && hasBitrate ? 'audio/mpeg' : null
}

/** The bytes of a text that are examined, a limit on the time for a large one. */
const TEXT_BYTES = 1_048_576
/** Matches control characters that texts do not contain; tab, line feed, form feed and carriage return are allowed. */
const CONTROL = /(?![\t\n\f\r])\p{Cc}/u

function isPlainText(bytes: Buffer): boolean {
  if (bytes.length === 0) return false
  try {
    const start = bytes.subarray(0, TEXT_BYTES)
    // The limit may cut the last character in two.
    const stream = start.length < bytes.length
    return !CONTROL.test(new TextDecoder('utf-8', { fatal: true }).decode(start, { stream }))
  } catch {
    return false
  }
}
