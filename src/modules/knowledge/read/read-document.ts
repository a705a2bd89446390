import type { KnowledgeFileKind } from '../../../core/vocabulary/knowledge.ts'
import type { Block } from '../chunk-text.ts'
import { charsetInHtml, readHtml } from './blocks-of-html.ts'
import { blocksOfPdf } from './blocks-of-pdf.ts'
import { blocksOfMarkdown, blocksOfText } from './blocks-of-text.ts'
import mammoth from 'mammoth'
import { checkUnpacked } from './check-unpacked.ts'
import { parse } from 'csv-parse/sync'
import { findDelimiter } from '../../../rules/text/csv-delimiter.ts'

/** Returns the blocks of a table: one for each row, with the column's name before each value. */
function blocksOfCsv(text: string): Block[] {
  const { delimiter, start } = findDelimiter(text)
  const rows = parse(text.slice(start), {
    delimiter,
    bom: true,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  })
  const [headers = [], ...body] = rows
  if (body.length === 0) return [{ kind: 'text', text: headers.join(' ') }]
  return body.map((cells) => ({ kind: 'whole', text: formatRow(headers, cells) }))
}

function formatRow(headers: readonly string[], cells: readonly string[]): string {
  return cells
    .flatMap((cell, at) => {
      if (cell === '') return []
      const header = headers[at] ?? ''
      return [header === '' ? cell : `${header}: ${cell}`]
    })
    .join('\n')
}

/** The encoding of text that is not UTF-8 and declares no encoding: that of Windows in Arabic countries. */
const FALLBACK_ENCODING = 'windows-1256'

/**
 * Decodes bytes by their byte order mark, else by `charset`, else as UTF-8, else as Windows' Arabic encoding.
 * @param charset as a header or the document names it
 */
function decodeText(bytes: Uint8Array, charset: string | null = null): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  for (const label of [charset, 'utf-8']) {
    if (label === null) continue
    try {
      return new TextDecoder(label, { fatal: true }).decode(bytes)
    } catch {
      // The bytes are not in this encoding, or the label names none.
    }
  }
  return new TextDecoder(FALLBACK_ENCODING).decode(bytes)
}

/** Returns the blocks of a Word document: headings, paragraphs and tables, without pictures. @throws Unreadable */
async function blocksOfDocx(bytes: Buffer): Promise<Block[]> {
  checkUnpacked(bytes)
  const { value } = await mammoth.convertToHtml(
    { buffer: bytes },
    { convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })) },
  )
  return readHtml(value).blocks
}

/** A document's bytes; `charset` is the encoding that a header declares. */
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
