import { getDocumentProxy } from 'unpdf'
import { KNOWLEDGE_LIMITS } from '../../../core/limits/knowledge.ts'
import type { Block } from '../chunk-text.ts'
import { Unreadable } from './unreadable.ts'

type Line = { text: string; height: number }

/** The height of a heading's letters, as a multiple of the usual height. */
const HEADING_HEIGHT = 1.2
const HEADING_CHARS = 120

/**
 * Returns the text of a PDF, page by page; lines of tall letters are headings. Text in pictures is not read.
 * @throws Unreadable
 */
export async function blocksOfPdf(bytes: Buffer): Promise<Block[]> {
  const document = await getDocumentProxy(new Uint8Array(bytes), { stopAtErrors: false })
  if (document.numPages > KNOWLEDGE_LIMITS.pdfPages) throw new Unreadable('pages')
  const pages: Line[][] = []
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    pages.push(linesOf(items))
    page.cleanup()
  }
  const heights = pages
    .flat()
    .map(({ height }) => height)
    .toSorted((one, other) => one - other)
  const usual = heights[Math.floor(heights.length / 2)] ?? 0
  return pages.flatMap((lines) => blocksOfPage(lines, usual * HEADING_HEIGHT))
}

function linesOf(items: readonly object[]): Line[] {
  const lines: Line[] = []
  let text = ''
  let height = 0
  const flush = () => {
    if (text.trim() !== '') lines.push({ text: text.trim(), height })
    text = ''
    height = 0
  }
  for (const item of items) {
    if (!('str' in item)) continue
    const {
      str,
      height: itemHeight,
      hasEOL,
    } = item as { str: string; height: number; hasEOL: boolean }
    text += str
    height = Math.max(height, itemHeight)
    if (hasEOL) flush()
  }
  flush()
  return lines
}

function blocksOfPage(lines: readonly Line[], headingFrom: number): Block[] {
  const blocks: Block[] = []
  let paragraph = ''
  const flush = () => {
    if (paragraph !== '') blocks.push({ kind: 'text', text: paragraph })
    paragraph = ''
  }
  for (const { text, height } of lines) {
    if (height >= headingFrom && height > 0 && text.length <= HEADING_CHARS) {
      flush()
      blocks.push({ kind: 'heading', text })
    } else {
      paragraph += paragraph === '' ? text : ` ${text}`
      if (/[.!?؟:]$/.test(text)) flush()
    }
  }
  flush()
  return blocks
}
