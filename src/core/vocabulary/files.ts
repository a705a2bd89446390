/** Kinds of media by which channels display a sent file. */
export const MEDIA_KINDS = ['image', 'audio', 'video', 'document'] as const
export type MediaKind = (typeof MEDIA_KINDS)[number]

/** Purposes of an upload: sending it once, or sending it from flows. Spec: Files › Uploading. */
export const FILE_PURPOSES = ['message', 'flow'] as const
export type FilePurpose = (typeof FILE_PURPOSES)[number]

/** The states of a file. Spec: States › File. */
export const FILE_STATES = ['awaited', 'kept', 'lost', 'dropped'] as const
export type FileState = (typeof FILE_STATES)[number]

/** Common names of file types; types with the same name are shown once. */
export const FILE_TYPE_NAMES: Readonly<Record<string, string>> = {
  'image/jpeg': 'JPG',
  'image/png': 'PNG',
  'image/gif': 'GIF',
  'image/webp': 'WebP',
  'application/pdf': 'PDF',
  'text/plain': 'TXT',
  'application/msword': 'Word',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word',
  'application/vnd.ms-excel': 'Excel',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel',
  'application/vnd.ms-powerpoint': 'PowerPoint',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PowerPoint',
  'application/zip': 'ZIP',
  'audio/aac': 'AAC',
  'audio/amr': 'AMR',
  'audio/mpeg': 'MP3',
  'audio/mp4': 'M4A',
  'audio/ogg': 'OGG',
  'audio/wav': 'WAV',
  'audio/webm': 'WebM',
  'video/mp4': 'MP4',
  'video/3gpp': '3GP',
  'video/quicktime': 'MOV',
  'video/webm': 'WebM',
}

/** Returns the distinct common names of media types, grouped by their maximum bytes; `max` has one for each type. */
export function namesBySize(
  types: readonly string[],
  max: readonly number[] = [],
): { names: string[]; max: number | undefined }[] {
  const bySize = Map.groupBy(types, (type) => max[types.indexOf(type)])
  return [...bySize].map(([size, alike]) => ({
    names: [...new Set(alike.map((type) => FILE_TYPE_NAMES[type] ?? type))],
    max: size,
  }))
}
