/** Checks the prose of source files: comments, titles of tests, log messages and dictionaries. */
import { parseSync, Visitor, type Argument, type CallExpression } from 'oxc-parser'
import { findBannedWords } from '../lint/banned-words.mjs'
import { findCommentFailures } from '../lint/doc-comment.mjs'
import type { Failure } from './markdown.ts'

const TEST_FILE = /\.test\.tsx?$/
const DICTIONARY =
  /^src\/(?:i18n\/facts\/|i18n\/(?:terms|[^/]*words)|core\/words\/|rules\/[^/]+\/[^/]*-words\.ts$|dashboard\/.*words[^/]*\.ts$)/
const TITLED = new Set(['test', 'it', 'describe', 'systemTest', 'systemDescribe'])
const LEVELS = new Set(['info', 'warn', 'error', 'debug'])
const HEADLESS_TITLE = /^(?:of|that|whose|whom|and|or|not|what|an? [\w-]+ one)\b/i
const TITLE_LENGTH = 100
const LOG_LENGTH = 80
/** Words that are not used on screens. */
const SCREEN =
  /\b(?:told|tells|anew|whoever|somebody|nobody|is over(?! the)|stands here|taken away|its own way|goes on|mended|heard)\b/i

/** Returns the failures of one file of TypeScript or JavaScript. `file` is its path from the project's folder. */
export function checkSource(file: string, source: string): Failure[] {
  const parsed = parseSync(file, source)
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const lineOf = (offset: number) => starts.findLastIndex((start) => start <= offset) + 1
  const found: Failure[] = []
  const say = (offset: number, message: string) =>
    found.push({ file, line: lineOf(offset), message })
  for (const { start, message } of findCommentFailures(source, parsed.comments)) say(start, message)
  if (DICTIONARY.test(file)) checkDictionary(source, say)
  const hasTitles = TEST_FILE.test(file)
  // Reading the syntax tree takes most of the time, so only files with titles or log messages are read.
  if (hasTitles || /\blog\??\.(?:info|warn|error|debug)\(/.test(source)) {
    new Visitor({
      CallExpression(call) {
        if (hasTitles) checkTitle(call, say)
        if (hasTitles) checkRowNames(call, say)
        checkLog(call, say)
      },
    }).visit(parsed.program)
  }
  return found
}

type Say = (offset: number, message: string) => void

/** Returns the first name of a called expression, such as `test` for `test.each(…)(…)`. */
function rootOf(callee: CallExpression['callee']): string {
  if (callee.type === 'Identifier') return callee.name
  if (callee.type === 'MemberExpression') return rootOf(callee.object)
  return callee.type === 'CallExpression' ? rootOf(callee.callee) : ''
}

/** Returns a literal text, or the text of a template around its values; null for anything else. */
function textOf(node: Argument | undefined): string | null {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type !== 'TemplateLiteral') return null
  return node.quasis.map(({ value }) => value.raw).join('…')
}

function checkTitle({ callee, arguments: [title] }: CallExpression, say: Say): void {
  if (!TITLED.has(rootOf(callee))) return
  const text = textOf(title)
  if (text === null) return
  if (text.length > TITLE_LENGTH)
    say(title!.start, `a title has at most ${TITLE_LENGTH} characters`)
  checkTitleWords(text, title!.start, say)
}

function checkTitleWords(text: string, at: number, say: Say): void {
  const [headless] = HEADLESS_TITLE.exec(text) ?? []
  if (headless !== undefined) say(at, `a title begins with its subject or verb, not "${headless}"`)
  for (const { message } of findBannedWords(text)) say(at, `title: ${message}`)
}

/** Checks the rows of `test.each([['a row', …], …])('%s …')`, whose first value begins the title. */
function checkRowNames({ callee, arguments: [title] }: CallExpression, say: Say): void {
  if (!TITLED.has(rootOf(callee)) || callee.type !== 'CallExpression') return
  const [rows] = callee.arguments
  if (!textOf(title)?.startsWith('%s') || rows?.type !== 'ArrayExpression') return
  for (const row of rows.elements) {
    const name = row?.type === 'ArrayExpression' ? row.elements[0] : row
    const text = textOf(name ?? undefined)
    // A single word is a value that is tested, such as a code.
    if (text?.includes(' ')) checkTitleWords(text, name!.start, say)
  }
}

function checkLog({ callee, arguments: given }: CallExpression, say: Say): void {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
  if (!LEVELS.has(callee.property.name) || !/\blog$/i.test(lastNameOf(callee.object))) return
  const message = given.length > 1 ? given[1] : given[0]
  const text = textOf(message)
  if (message === undefined || text === null) return
  const at = message.start
  if (message.type === 'TemplateLiteral' && message.expressions.length > 0) {
    say(at, 'a log message has no variables: they are fields')
  }
  if (/^[A-Z][a-z]* /.test(text)) say(at, 'a log message begins in lower case')
  if (text.endsWith('.')) say(at, 'a log message has no full stop')
  if (text.length > LOG_LENGTH) say(at, `a log message has at most ${LOG_LENGTH} characters`)
  for (const { message: word } of findBannedWords(text)) say(at, `log message: ${word}`)
}

function lastNameOf(node: CallExpression['callee']): string {
  if (node.type === 'Identifier') return node.name
  const isNamed = node.type === 'MemberExpression' && node.property.type === 'Identifier'
  return isNamed ? (node.property as { name: string }).name : ''
}

/** Checks the texts of several words; a single word is a key or a code. */
function checkDictionary(source: string, say: Say): void {
  const code = source.replaceAll(/\/\*.*?\*\//gs, (comment) => ' '.repeat(comment.length))
  for (const { 0: text, index } of code.matchAll(
    /'[^'\n]* [^'\n]*'|"[^"\n]* [^"\n]*"|`[^`]* [^`]*`/g,
  )) {
    const [word] = SCREEN.exec(text) ?? []
    if (word !== undefined) say(index, `"${word}" is no word of the screen (docs/words.md)`)
  }
}
