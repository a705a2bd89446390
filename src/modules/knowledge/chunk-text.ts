/**
 * Splits the text of a source into chunks that are found and cited one by one: along headings, then paragraphs, then
 * sentences. Pure.
 *
 * Spec: Assistant › Knowledge.
 */
import { CHUNK_LIMITS } from '../../core/limits/knowledge.ts'
import { cleanText } from '../../rules/text/json-text.ts'

/**
 * A piece of a document, in its order. A `whole` block, such as a question with its answer, is not split while it
 * fits.
 */
export type Block = { kind: 'heading' | 'text' | 'whole'; text: string; level?: number }

/** A part of a source that is found and cited; `heading` has the headings above it. */
export type Chunk = { heading: string | null; body: string }

/**
 * Splits blocks into chunks of 500 to 900 characters where the text allows. The text below a short heading may give a
 * shorter chunk.
 */
export function chunkText(blocks: readonly Block[]): Chunk[] {
  const chunks: Chunk[] = []
  const path: { level: number; text: string }[] = []
  let pending: string[] = []
  const flush = () => {
    const heading = headingOf(path)
    for (const body of packed(pending)) chunks.push({ heading, body })
    pending = []
  }
  for (const { kind, text, level = 1 } of blocks) {
    const clean = cleaned(text)
    if (clean === '') continue
    if (kind === 'heading') {
      flush()
      while (path.length > 0 && path.at(-1)!.level >= level) path.pop()
      path.push({ level, text: oneLine(clean) })
    } else if (kind === 'whole') {
      flush()
      const heading = headingOf(path)
      for (const body of cutToFit(clean)) chunks.push({ heading, body })
    } else pending.push(clean)
  }
  flush()
  return chunks
}

function headingOf(path: readonly { text: string }[]): string | null {
  const heading = path.map(({ text }) => text).join(' › ')
  return heading === '' ? null : cutAt(heading, CHUNK_LIMITS.headingChars)
}

/** Joins paragraphs as long as they fit into a chunk. */
function packed(paragraphs: readonly string[]): string[] {
  const bodies: string[] = []
  let body = ''
  for (const piece of paragraphs.flatMap(cutToFit)) {
    const isFull =
      body.length >= CHUNK_LIMITS.minChars || body.length + piece.length + 1 > CHUNK_LIMITS.maxChars
    if (body !== '' && isFull) {
      bodies.push(body)
      body = ''
    }
    body = body === '' ? piece : `${body}\n${piece}`
  }
  if (body !== '') bodies.push(body)
  return bodies
}

/**
 * Splits a paragraph into pieces that fit: after sentences, else after words, else anywhere but inside a character.
 */
function cutToFit(paragraph: string): string[] {
  const pieces: string[] = []
  let rest = paragraph
  while (rest.length > CHUNK_LIMITS.maxChars) {
    const part = rest.slice(0, CHUNK_LIMITS.maxChars)
    const at =
      lastEnd(part, /[.!?؟۔\n](?=\s)/g) ?? lastEnd(part, /[,،;؛](?=\s)/g) ?? lastEnd(part, /\s/g)
    const piece = at === null ? cutAt(part, part.length) : part.slice(0, at)
    pieces.push(piece.trim())
    rest = rest.slice(piece.length).trim()
  }
  if (rest !== '') pieces.push(rest)
  return pieces
}

/** Returns the end of the last match if enough of the part precedes it. */
function lastEnd(part: string, ends: RegExp): number | null {
  const last = [...part.matchAll(ends)].at(-1)
  const at = last ? last.index + last[0].length : 0
  return at >= CHUNK_LIMITS.minChars ? at : null
}

/** Cuts a text, but never between the halves of a surrogate pair. */
function cutAt(text: string, chars: number): string {
  const cut = text.slice(0, chars)
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut
}

/** Presentation forms, with which old documents write Arabic letters. The model receives the plain letters. */
const SHAPED = /[\ufb50-\ufdff\ufe70-\ufefc]+/g

function cleaned(text: string): string {
  const letters = text.replace(SHAPED, (shaped) => shaped.normalize('NFKC'))
  return cleanText(letters)
    .replace(/[ \t\u00a0]+/g, ' ')
    .trim()
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ')
