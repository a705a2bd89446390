/** Kinds of sources of the assistant's knowledge. Spec: Assistant › Knowledge. */
export const SOURCE_KINDS = ['text', 'faq', 'file', 'page'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

/** States of a source. `failed` with chunks: they are still searched, but a newer version could not be read. */
export const SOURCE_STATES = ['waiting', 'reading', 'ready', 'failed'] as const
export type SourceState = (typeof SOURCE_STATES)[number]

/** Formats of files that are read as knowledge. */
export const KNOWLEDGE_FILE_KINDS = ['txt', 'md', 'csv', 'html', 'docx', 'pdf'] as const
export type KnowledgeFileKind = (typeof KNOWLEDGE_FILE_KINDS)[number]
