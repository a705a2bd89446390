import type { Block } from '../chunk-text.ts'

const QUESTION = /^\s*(?:س|سؤال|السؤال|q|question)\s*[:：\-.)]\s*/i
const ANSWER = /^\s*(?:ج|جواب|الجواب|الإجابة|a|answer)\s*[:：\-.)]\s*/i

/**
 * Returns the blocks of a plain text: paragraphs between empty lines. A question that is marked as such stays with
 * its answer.
 */
export function blocksOfText(text: string): Block[] {
  const blocks: Block[] = []
  for (const paragraph of paragraphsOf(text)) {
    const last = blocks.at(-1)
    if (QUESTION.test(paragraph)) {
      blocks.push({ kind: 'whole', text: paragraph })
    } else if (last?.kind === 'whole' && ANSWER.test(paragraph)) {
      last.text += `\n${paragraph}`
    } else blocks.push({ kind: 'text', text: paragraph })
  }
  return blocks
}

const HEADING = /^ {0,3}(#{1,6})\s(.*)$/
const FENCE = /^\s*(?:```|~~~)/

/** Returns the blocks of a Markdown text: its headings, and paragraphs without their markup. */
export function blocksOfMarkdown(text: string): Block[] {
  const blocks: Block[] = []
  let lines: string[] = []
  let isCode = false
  const flush = () => {
    blocks.push(...blocksOfText(lines.join('\n')))
    lines = []
  }
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (FENCE.test(line)) isCode = !isCode
    const heading = isCode ? null : HEADING.exec(line)
    if (heading) {
      flush()
      blocks.push({ kind: 'heading', text: plain(titleOf(heading[2]!)), level: heading[1]!.length })
    } else if (!FENCE.test(line)) lines.push(isCode ? line : plain(line))
  }
  flush()
  return blocks
}

/** Returns the text of a heading without closing number signs. */
function titleOf(words: string): string {
  let end = words.trimEnd().length
  while (words[end - 1] === '#') end--
  return words.slice(0, end).trim()
}

function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = []
  let lines: string[] = []
  for (const line of text.split(/\r\n|\r|\n|\f/)) {
    const begins = QUESTION.test(line)
    if ((line.trim() === '' || begins) && lines.length > 0) {
      paragraphs.push(lines.join('\n'))
      lines = []
    }
    if (line.trim() !== '') lines.push(line.trim())
  }
  if (lines.length > 0) paragraphs.push(lines.join('\n'))
  return paragraphs
}

/** Returns whether a line is a table's rule, such as `| --- | :-: |`. */
const isTableRule = (line: string): boolean =>
  /^[\s|:-]+$/.test(line) && line.includes('---') && line.includes('|')

/** Returns a line without emphasis, list marks and quote marks; links become their words and address. */
function plain(line: string): string {
  if (isTableRule(line)) return ''
  return line
    .replace(/^\s*(?:>\s?|[-*+]\s+(?=\S))/, '')
    .replace(
      /!?\[([^\]]{0,500})\]\(([^)\s]{0,500})(?:\s[^)]{0,200})?\)/g,
      (_all, words: string, url: string) => (/^https?:/.test(url) ? `${words} (${url})` : words),
    )
    .replace(/(\*\*|__|~~|`)/g, '')
}
