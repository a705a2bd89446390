import type { KnowledgeFileKind } from '../../../core/vocabulary/knowledge.ts'
import type { Block } from '../chunk-text.ts'
import { blocksOfCsv } from './blocks-of-csv.ts'
import { blocksOfDocx } from './blocks-of-docx.ts'
import { charsetInHtml, readHtml } from './blocks-of-html.ts'
import { blocksOfPdf } from './blocks-of-pdf.ts'
import { blocksOfMarkdown, blocksOfText } from './blocks-of-text.ts'
import { decodeText } from './decode-text.ts'

export type DocumentToRead = { kind: KnowledgeFileKind; bytes: Buffer; charset: string | null }

/**
 * Returns the title and the text of a document, in blocks.
 * @throws Unreadable, and the reader's error for a broken document
 */
export async function readDocument({
  kind,
  bytes,
  charset,
}: DocumentToRead): Promise<{ title: string | null; blocks: Block[] }> {
  switch (kind) {
    case 'pdf':
      return { title: null, blocks: await blocksOfPdf(bytes) }
    case 'docx':
      return { title: null, blocks: await blocksOfDocx(bytes) }
    case 'html':
      return readHtml(decodeText(bytes, charset ?? charsetInHtml(bytes)))
    case 'md':
      return { title: null, blocks: blocksOfMarkdown(decodeText(bytes, charset)) }
    case 'csv':
      return { title: null, blocks: blocksOfCsv(decodeText(bytes, charset)) }
    case 'txt':
      return { title: null, blocks: blocksOfText(decodeText(bytes, charset)) }
  }
}
