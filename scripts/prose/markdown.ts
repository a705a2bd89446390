/** Checks the prose of Markdown: words, length of sentences, first words, links, and the forms of changelog and decisions. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { findBannedWords } from '../lint/banned-words.mjs'

/** A failure with the number of its line, from 1. */
export type Failure = { file: string; line: number; message: string }

const MAX_WORDS = 35
const HEADLESS = /^(?:Of (?:a|an|the)\b|What\b|Whoever\b|Who [a-z]+s\b|Whose\b|Those\b|Ours\b)/
const DECISION_LINES = 40
const DECISION_SECTIONS = ['Context', 'Decision', 'Consequences']
const RELEASE = /^(?:\[?Unreleased\]?|\[?\d+\.\d+\.\d+\]?(?: - \d{4}-\d\d-\d\d)?)$/
const CHANGES = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']
const CHANGE_LENGTH = 120

/** Returns the failures of one document. `file` is its path from `root`, where its links are looked for. */
export function checkMarkdown(root: string, file: string, text: string): Failure[] {
  const lines = withoutCode(text).split('\n')
  const found: Failure[] = []
  const say = (line: number, message: string) => found.push({ file, line, message })
  for (const { line, prose } of blocksOf(lines)) {
    for (const { message } of findBannedWords(prose)) say(line, message)
    for (const sentence of prose.split(/(?<=[.!?])\s+(?=[A-Z`"“([])/)) {
      const words = sentence.split(/\s+/).length
      if (words > MAX_WORDS) say(line, `a sentence has ${words} words, at most ${MAX_WORDS}`)
      if (HEADLESS.test(sentence)) say(line, `a sentence begins with "${sentence.slice(0, 20)}…"`)
    }
  }
  for (const [index, line] of lines.entries()) {
    for (const [, target = ''] of line.matchAll(/\]\(([^()\s]+)\)/g)) {
      if (leadsNowhere(path.join(root, file), target)) say(index + 1, `no such target: ${target}`)
    }
  }
  if (file === 'CHANGELOG.md') checkChangelog(lines, say)
  if (/^docs\/decisions\/\d/.test(file)) checkDecision(file, lines, say)
  return found
}

/** Returns a document with empty lines in place of code blocks, so that line numbers stay the same. */
const withoutCode = (text: string) =>
  text.replaceAll(/^( *)(```+|~~~+)[^\n]*\n.*?^\1\2/gms, (block) => block.replaceAll(/[^\n]/g, ''))

/** Returns headings, paragraphs, list items and table cells, each with its first line, as text without markup. */
function blocksOf(lines: readonly string[]): { line: number; prose: string }[] {
  const blocks: { line: number; prose: string }[] = []
  let isOpen = false
  for (const [index, raw] of lines.entries()) {
    const line = raw.trim()
    const begins = /^(?:[-*+]|\d+\.) /.test(line)
    if (line.startsWith('|')) {
      for (const cell of line.split('|')) blocks.push({ line: index + 1, prose: cell.trim() })
      isOpen = false
    } else if (line === '' || /^(?:#|<|-{3})/.test(line)) {
      if (line.startsWith('#')) blocks.push({ line: index + 1, prose: line.replace(/^#+ /, '') })
      isOpen = false
    } else if (begins || !isOpen) {
      blocks.push({ line: index + 1, prose: line.replace(/^(?:[-*+]|\d+\.) /, '') })
      isOpen = true
    } else blocks.at(-1)!.prose += ` ${line}`
  }
  return blocks.map(({ line, prose }) => ({ line, prose: plain(prose) }))
}

const plain = (prose: string) =>
  prose
    .replaceAll(/`[^`]*`/g, 'Code')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\*\*|__/g, '')
    .replace(/^[A-Z]\d+ /, '')

const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')

function leadsNowhere(from: string, target: string): boolean {
  if (/^[a-z]+:/.test(target)) return false
  const [page = '', anchor] = target.split('#')
  const file = page === '' ? from : path.join(path.dirname(from), decodeURIComponent(page))
  if (!existsSync(file)) return true
  if (anchor === undefined || !file.endsWith('.md')) return false
  const text = readFileSync(file, 'utf8')
  const anchors = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slugOf(heading!))
  return !anchors.includes(anchor) && !text.includes(`id="${anchor}"`)
}

type Say = (line: number, message: string) => void

function checkChangelog(lines: readonly string[], say: Say): void {
  for (const [index, line] of lines.entries()) {
    const [, marks, title = ''] = /^(##+) (.+)$/.exec(line) ?? []
    if (marks === '##' && !RELEASE.test(title)) say(index + 1, `"${title}" is no release`)
    if (marks === '###' && !CHANGES.includes(title))
      say(index + 1, `"${title}" is no kind of change`)
    if (line.startsWith('- ') && /^ {2}\S/.test(lines[index + 1] ?? '')) {
      say(index + 1, 'a change is one line')
    }
    if (line.length > CHANGE_LENGTH)
      say(index + 1, `a line has at most ${CHANGE_LENGTH} characters`)
  }
}

function checkDecision(file: string, lines: readonly string[], say: Say): void {
  const number = /\/(\d{4})-/.exec(file)?.[1]
  if (!lines[0]?.startsWith(`# ${number} `)) say(1, `a decision begins with "# ${number} …"`)
  if (lines.length > DECISION_LINES + 1) say(1, `a decision has at most ${DECISION_LINES} lines`)
  const text = lines.join('\n')
  for (const section of DECISION_SECTIONS) {
    const heading = new RegExp(String.raw`^(?:## ${section}$|\*\*${section}\.\*\*)`, 'm')
    if (!heading.test(text)) say(1, `a decision has a section "${section}"`)
  }
}
