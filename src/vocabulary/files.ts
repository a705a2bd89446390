/** As what a file is shown that the business sends. */
export const MEDIA_KINDS = ['image', 'audio', 'video', 'document'] as const
export type MediaKind = (typeof MEDIA_KINDS)[number]

/** What a member uploads a file for: to send it once, or to have flows send it. Spec: Files › Uploading. */
export const FILE_PURPOSES = ['message', 'flow'] as const
export type FilePurpose = (typeof FILE_PURPOSES)[number]

/** Spec: States › File. */
export const FILE_STATES = ['awaited', 'kept', 'lost', 'dropped'] as const
export type FileState = (typeof FILE_STATES)[number]
