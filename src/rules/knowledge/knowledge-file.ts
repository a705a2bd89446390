/**
 * Detects the kind of a document from its name and its first bytes.
 *
 * Spec: Assistant › Knowledge.
 */
import type { KnowledgeFileKind } from '../../core/vocabulary/knowledge.ts'
import { accept, refuse, type Result } from '../result.ts'

/** The reasons for which a file is refused: an unknown extension, or contents of another kind. */
export type KnowledgeFileRefusal = 'unknown' | 'other_content'

const KIND_OF_END: Record<string, KnowledgeFileKind> = {
  txt: 'txt',
  md: 'md',
  markdown: 'md',
  csv: 'csv',
  html: 'html',
  htm: 'html',
  docx: 'docx',
  pdf: 'pdf',
}
/** The bytes that are searched for a PDF's signature, since other bytes may precede it. */
const PDF_HEAD_BYTES = 1_024

/**
 * Returns the kind of an uploaded document by its name and bytes, such as PDF or Word. Refuses an unknown extension
 * with `unknown`, and contents of another kind with `other_content`.
 */
export function knowledgeFileKind(
  name: string,
  bytes: Buffer,
): Result<KnowledgeFileKind, KnowledgeFileRefusal> {
  const end = /\.([a-z]+)$/i.exec(name.trim())?.[1]?.toLowerCase() ?? ''
  const kind = Object.hasOwn(KIND_OF_END, end) ? KIND_OF_END[end] : undefined
  if (kind === undefined) return refuse('unknown')
  return isOfKind(kind, bytes) ? accept(kind) : refuse('other_content')
}

function isOfKind(kind: KnowledgeFileKind, bytes: Buffer): boolean {
  if (kind === 'pdf') return bytes.subarray(0, PDF_HEAD_BYTES).includes('%PDF-')
  if (kind === 'docx') return bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004', 'latin1'))
  return isUtf16(bytes) || !bytes.includes(0)
}

const isUtf16 = (bytes: Buffer): boolean =>
  (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
