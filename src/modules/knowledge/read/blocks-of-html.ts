import { wordSet } from '../../../core/vocabulary/word-set.ts'
import { Parser } from 'htmlparser2'
import type { Block } from '../chunk-text.ts'

/** The text of an HTML page in blocks, with its title and the character encoding that it declares; null without. */
export type HtmlRead = { title: string | null; charset: string | null; blocks: Block[] }

/** Elements whose content people do not read. */
const LEFT_OUT =
  wordSet(`script style noscript template svg math iframe object nav select button textarea canvas
  audio video dialog`)
/** Elements that do not end a line of text. */
const WITHIN_LINE =
  wordSet(`a abbr b bdi bdo cite code data em font i ins kbd label mark q s small span strong sub sup
  time u var wbr img`)
const HEADING = /^h([1-6])$/
/** Elements whose content stays in one block: table rows, and terms with their descriptions. */
const KEPT_TOGETHER = new Set(['tr', 'dl', 'summary'])

/** Returns the headings, paragraphs and rows of a page in order, without invisible content, and its title. */
export function readHtml(html: string): HtmlRead {
  const read: HtmlRead = { title: null, charset: null, blocks: [] }
  let text = ''
  let title = ''
  let isTitle = false
  /** The number of skipped elements that are open. */
  let leftOut = 0
  let row = 0
  let heading: number | null = null
  const flush = () => {
    const clean = text
      .replace(/[^\S\n]+/g, ' ')
      .replace(/ ?\n ?/g, '\n')
      .trim()
    text = ''
    if (clean === '') return
    if (heading !== null) read.blocks.push({ kind: 'heading', text: clean, level: heading })
    else read.blocks.push({ kind: 'text', text: clean })
  }
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'meta') read.charset ??= charsetOf(attributes)
        if (LEFT_OUT.has(name)) leftOut += 1
        if (name === 'title' && read.title === null) isTitle = true
        if (leftOut > 0 || WITHIN_LINE.has(name)) return
        if (name === 'br') text += '\n'
        else if (row > 0 && !HEADING.test(name)) text += ' '
        else flush()
        if (KEPT_TOGETHER.has(name)) row += 1
        const level = HEADING.exec(name)?.[1]
        if (level !== undefined) heading = Number(level)
      },
      ontext(words) {
        if (isTitle) title += words
        else if (leftOut === 0) text += words.replace(/\s+/g, ' ')
      },
      onclosetag(name) {
        if (name === 'title' && isTitle) {
          isTitle = false
          read.title = title.replace(/\s+/g, ' ').trim() || null
          return
        }
        if (LEFT_OUT.has(name)) leftOut = Math.max(0, leftOut - 1)
        if (leftOut > 0 || WITHIN_LINE.has(name) || name === 'br') return
        if (KEPT_TOGETHER.has(name)) row = Math.max(0, row - 1)
        if (row === 0) flush()
        if (HEADING.test(name)) heading = null
      },
    },
    { decodeEntities: true },
  )
  parser.end(html)
  flush()
  return read
}

function charsetOf({ charset, content }: Record<string, string>): string | null {
  return charset ?? /charset=([\w-]+)/i.exec(content ?? '')?.[1] ?? null
}

/** Returns the character encoding that the beginning of a page declares; null without one. */
export function charsetInHtml(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 4_096)).toString('latin1')
  return /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1] ?? null
}
