/**
 * The markup that models and their servers leave in a text: reasoning in tags or channels, marks of chat templates,
 * and turns that the model wrote in the customer's name. All of it is looked for in linear time.
 *
 * Spec: Assistant › Markup of models.
 */

import { wordSet } from '../../core/vocabulary/word-set.ts'
import { withoutSpeakerLabels } from './speaker-labels.ts'

/** A text without markup, and the number of UTF-16 units that were removed as reasoning. */
export type WithoutMarkup = { text: string; thoughtChars: number }

/** Returns the part of a model's text that is for the customer; empty when all of it was reasoning. */
export function withoutMarkup(written: string): WithoutMarkup {
  const shown = withoutComments(finalChannel(written))
  const answer = behindFirstTag(withoutReasoning(behindPreamble(shown)))
  const thoughtChars = Math.max(0, written.length - answer.length)
  return { text: withoutTemplate(answer).trim(), thoughtChars }
}

/** Returns whether a text still has a tag of a template, of reasoning, or any of the form `<|word|>`. */
export function hasMarkup(text: string): boolean {
  return marksIn(text).some(({ kind, word }) => kind !== 'tool' && word !== 'details')
}

/** Returns whether a text has a tag of a call or of a tool's result. */
export function hasToolMark(text: string): boolean {
  return marksIn(text).some(({ kind }) => kind === 'tool')
}

type MarkKind = 'opens' | 'closes' | 'harmony' | 'template' | 'user' | 'tool' | 'unknown'
type Mark = { kind: MarkKind; word: string; at: number; end: number }

/** The maximum length of a tag, in UTF-16 units. */
const MARK_UNITS = 120
const STARTS = /[<＜[◁]|&lt;/g

/** Returns the tags of a text in their order. */
function marksIn(text: string): Mark[] {
  const marks: Mark[] = []
  STARTS.lastIndex = 0
  for (let found = STARTS.exec(text); found; found = STARTS.exec(text)) {
    const mark = markAt(text, found.index, found[0])
    if (!mark) continue
    marks.push(mark)
    STARTS.lastIndex = mark.end
  }
  return marks
}

const ENDS: Readonly<Record<string, string>> = {
  '<': '>',
  '＜': '＞',
  '&lt;': '&gt;',
  '[': ']',
  '◁': '▷',
}

function markAt(text: string, at: number, start: string): Mark | null {
  const from = at + start.length
  const near = text.slice(from, from + MARK_UNITS)
  const end = ENDS[start]!
  const length = near.indexOf(end)
  if (length <= 0) return null
  const inner = near.slice(0, length)
  const read = start === '[' ? readSquare(inner) : readAngle(inner, start === '◁')
  return read && { ...read, at, end: from + length + end.length }
}

const SQUARE = /^[ \t]{0,3}(\/?)[ \t]{0,3}([a-z_]{3,20})[ \t]{0,3}$/i
const SQUARE_TOOLS =
  wordSet(`tool_call tool_request end_tool_request function_call tool_calls tool_results
  available_tools args call_id`)

/** Tags in capitals only; a text may have these words in brackets in lower case. */
const SQUARE_THOUGHTS = new Set(['THINKING', 'REASONING', 'THOUGHT', 'THOUGHTS', 'ANALYSIS'])
const SQUARE_USERS = new Set(['USER', 'HUMAN', 'SYSTEM'])
const SQUARE_TOKENS = wordSet('ASSISTANT BOS EOS PAD UNK SEP CLS MASK EOT')

/** Reads a tag of Mistral, or a token or role of another template, in square brackets and capitals. */
function readSquare(inner: string): Pick<Mark, 'kind' | 'word'> | null {
  const [, slash = '', name = ''] = SQUARE.exec(inner) ?? []
  const word = name.toLowerCase()
  if (SQUARE_TOOLS.has(word)) return { kind: 'tool', word }
  if (word === 'inst') return { kind: slash ? 'template' : 'user', word }
  const isThought = word === 'think' || SQUARE_THOUGHTS.has(name)
  if (isThought) return { kind: slash ? 'closes' : 'opens', word }
  if (SQUARE_USERS.has(name)) return { kind: slash ? 'template' : 'user', word }
  if (SQUARE_TOKENS.has(name)) return { kind: 'template', word }
  return word === 'system_prompt' ? { kind: 'user', word } : null
}

const ANGLE = /^([ \t|｜/]{0,7})([\p{L}\p{N}][\p{L}\p{N}_▁:.-]{0,40})([^]*)$/u
const THOUGHT =
  /^(?:(?:think(?:ing)?|thoughts?|reason(?:ing)?|analysis)(?:_(?:process|content|mode|block|trace|steps))?|(?:inner|internal|private|hidden)_(?:thoughts?|thinking|reasoning|monologue|dialogue)|monologue|scratch_?pad|reflection|deliberation|ponder(?:ing)?|planning|rationale|chain[_-]of[_-]thoughts?|cot|ant_?thinking|unused9[45])$/
const TEMPLATE_PIPED =
  /^(?:im_(?:start|end|sep)|(?:start|end)_header_id|eot_id|eom_id|(?:begin|end)_of_(?:text|sentence|solution)|endof(?:text|prompt)|(?:start|end)_(?:response|text|answer)|(?:start|end)_of_turn(?:_token)?|(?:chatbot|bos|eos)_token|turn|assistant|model|bot|chatbot|eos|bos|pad|unk|sep|cls|eod|eoa|final)$/
const TEMPLATE_TAG =
  /^(?:(?:start|end)_of_turn|turn|eos|bos|pad|unk|mask|s|sys|assistant|answer|response|output|final(?:_answer)?|0x[0-9a-f]{2}|(?:extra_id|unused|reserved|special|fim|image|audio)_[a-z0-9_]{1,20})$/
/** Tags around a turn of the customer. */
const USER_TAG = /^(?:user|human|customer)$/
const HARMONY = /^(?:start|end|channel|message|constrain|return|call)$/
const USER_PIPED =
  /^(?:user|human|customer|system|observation|ipython|(?:user|system|system_tool)_token|tool|function|developer|latest_reminder)$/
const TOOL =
  /^(?:(?:[a-z]{1,10}:)?(?:tool|function)s?_?(?:calls?|use|response|responses|result|results|outputs?|code|sep|list)?(?:_(?:section|argument|arguments))?(?:_(?:begin|end))?|(?:[a-z]{1,10}:)?(?:invoke|parameter|parameters|arg_key|arg_value)|python_tag|(?:start|end)_(?:action|tool_result|function_call)|toolcalls?|escape)$/

/** Reads a tag in angle brackets, with an optional `|` inside; a Kimi model uses triangles. */
function readAngle(inner: string, isTriangle: boolean): Pick<Mark, 'kind' | 'word'> | null {
  const [, before = '', name = '', behind = ''] = ANGLE.exec(inner) ?? []
  if (name === '') return null
  const rest = behind.trim()
  const isPiped = /[|｜]/.test(before) || rest === '|' || rest === '｜'
  const isBare = rest === '' || rest === '|' || rest === '｜' || rest === '/'
  const word = name
    .toLowerCase()
    .replaceAll('▁', '_')
    .replaceAll(/^(?:begin|start)_of_(?=thought)/g, 'begin_')
  // A size, as in "from <S> to <XL>".
  if (name === 'S') return null
  const thought = kindOfThought(word, before, rest, isBare)
  if (thought) return { kind: thought, word }
  if (isTriangle) return isBare ? { kind: 'unknown', word } : null
  if (!isPiped) {
    // `<function=find_slots>` and `<invoke name="find_slots">` have attributes after the word.
    const isTool =
      TOOL.test(word) && (isBare ? !/^(?:tools?|functions?)$/.test(word) : /^[=\s]/.test(behind))
    if (isTool) return { kind: 'tool', word }
    return isBare ? tagOfTurn(word, before) : null
  }
  const kind = kindOfPiped(word, isBare)
  return kind === 'unknown' && /\s/.test(inner) ? null : { kind, word }
}

function tagOfTurn(word: string, before: string): Pick<Mark, 'kind' | 'word'> | null {
  if (USER_TAG.test(word)) return { kind: before.includes('/') ? 'template' : 'user', word }
  return TEMPLATE_TAG.test(word) ? { kind: 'template', word } : null
}

function kindOfPiped(word: string, isBare: boolean): MarkKind {
  if (USER_PIPED.test(word)) return 'user'
  if (TOOL.test(word)) return 'tool'
  if (isBare && HARMONY.test(word)) return 'harmony'
  return isBare && TEMPLATE_PIPED.test(word) ? 'template' : 'unknown'
}

function kindOfThought(
  name: string,
  before: string,
  rest: string,
  isBare: boolean,
): 'opens' | 'closes' | null {
  // Gemma opens with `<|channel>thought` and closes with `<channel|>`.
  if (name === 'channel' && /[|｜]/.test(before) !== /^[|｜]/.test(rest)) {
    return rest === '' ? 'opens' : 'closes'
  }
  // Open WebUI writes `<details type="reasoning" done="true">`. Its closing tag also closes other details.
  if (name === 'details') {
    if (before.includes('/')) return 'closes'
    return /^type=["']?reasoning/.test(rest) ? 'opens' : null
  }
  const [, end, word = ''] = /^(?:[a-z]{1,10}:)?(start_|begin_|end_of_|end_)?(.*)$/.exec(name) ?? []
  if (!THOUGHT.test(word) || (!isBare && !/^[\w-]{1,20}=/.test(rest))) return null
  return before.includes('/') || end?.startsWith('end') || word === 'unused95' ? 'closes' : 'opens'
}

/**
 * Returns the last final channel of a text in OpenAI's "harmony" form. Without one it returns the calls in a common
 * notation, and else an empty text. A text without channels is returned unchanged.
 */
function finalChannel(text: string): string {
  const marks = marksIn(text).filter(({ kind }) => kind === 'harmony')
  if (!marks.some(({ word }) => word === 'channel' || word === 'message')) return markless(text)
  const messages: { header: string; content: string }[] = []
  let header = text.slice(0, marks[0]!.at)
  let isHeader = true
  for (const [place, { word, end }] of marks.entries()) {
    const piece = text.slice(end, marks[place + 1]?.at ?? text.length)
    if (word === 'message') {
      messages.push({ header, content: piece })
      isHeader = false
    } else if (word === 'start' || (word === 'channel' && !isHeader)) {
      header = piece
      isHeader = true
    } else if (isHeader) header += ` ${piece}`
  }
  const final = messages.findLast(({ header: words }) => /\bfinal\b/i.test(words.slice(0, 200)))
  if (final) return final.content
  return messages.flatMap(({ header: words, content }) => asCall(words, content)).join('\n')
}

const RECIPIENT = /\bto=([\w.-]{1,100})/

/** Returns a call in one of the notations that `written-calls.ts` reads. */
function asCall(header: string, content: string): string[] {
  const [, recipient] = RECIPIENT.exec(header.slice(0, 400)) ?? []
  if (recipient === undefined) return []
  const name = JSON.stringify(recipient.replace(/^functions\./, ''))
  return [`<tool_call>{"name":${name},"arguments":${content.trim() || '{}'}}</tool_call>`]
}

const DROPPED_THOUGHTS =
  /^\s{0,9}(?:assistant(?:analysis|commentary)|(?:analysis|commentary)(?=[\p{Lu}\p{Lo}\p{N}"'*(]|\s{0,3}to=))/u
const DROPPED_CALL = /(?:assistant)?commentary {0,3}to=([\w.-]{1,100}) {0,3}(?:json|code)?/g
const DROPPED_FINAL = 'assistantfinal'

/** Returns the final channel of a text whose tags the server dropped while it kept the names of channels. */
function markless(text: string): string {
  const thinks = DROPPED_THOUGHTS.test(text)
  const final = text.lastIndexOf(DROPPED_FINAL)
  if (final >= 0) {
    return text.slice(final + DROPPED_FINAL.length)
  }
  if (!thinks) return text.replace(/^\s{0,9}(?:assistant)?final(?=[\p{Lu}\p{Lo}])/u, '')
  const calls = [...text.matchAll(DROPPED_CALL)]
  return calls
    .map((call, place) => {
      const content = text.slice(call.index + call[0].length, calls[place + 1]?.index)
      return asCall(call[0], content)
    })
    .join('\n')
}

const PREAMBLE =
  /^\s{0,9}\*{0,3}\s{0,3}here(?:'s|’s| is) my (?:thought process|thinking|reasoning)\b/i
const ITS_END = /here(?:'s|’s| is) my (?:final )?(?:response|answer)\W{0,5}/gi
const STEPS = /^\s{0,9}thought\s{0,3}:/i
const STEPS_END = /^[ \t]{0,3}final answer[ \t]{0,3}:/gim

/** Matches headings of reasoning. They count only before a heading of the answer, since an answer may have them too. */
const HEADED =
  /^\s{0,9}[*#]{0,4} {0,2}(?:(?:my )?(?:thinking|thoughts?|thought process|reasoning|analysis)|التفكير|التحليل)\*{0,3} {0,3}(?::|\n)/iu
const HEADED_END =
  /^[ \t]{0,3}[*#]{0,4} {0,2}(?:(?:my |the )?(?:final )?(?:answer|response|reply)|الإجابة|الجواب|الرد)\*{0,3} {0,3}(?::|$)\*{0,3}/gimu
const FENCE =
  /^[ \t]{0,3}(?:```|~~~)[ \t]{0,3}(?:think(?:ing)?|thoughts?|reasoning|analysis|scratchpad)[ \t]{0,3}\n/i

/** Returns the text after reasoning that plain words announce: "Here is my thought process: … Here is my response:". */
function behindPreamble(text: string): string {
  const fence = FENCE.exec(text)
  if (fence) {
    const closed = text.indexOf(fence[0].includes('~') ? '\n~~~' : '\n```', fence[0].length - 1)
    return closed === -1 ? '' : text.slice(closed + 4)
  }
  const headed = HEADED.test(text) ? [...text.matchAll(HEADED_END)].at(-1) : undefined
  if (headed) return text.slice(headed.index + headed[0].length)
  const end = PREAMBLE.test(text) ? ITS_END : STEPS.test(text) ? STEPS_END : null
  if (end === null) return text
  const last = [...text.matchAll(end)].at(-1)
  if (last) return text.slice(last.index + last[0].length)
  return end === ITS_END ? '' : text.replace(/^[^\n]*\n?/, '')
}

/** Returns a text without comments of HTML and system prompts; one that is never closed extends to the end. */
const withoutComments = (text: string): string =>
  withoutPairs(withoutPairs(text, '<!--', '-->'), '<<SYS>>', '<</SYS>>')

function withoutPairs(text: string, opens: string, closes: string): string {
  let kept = ''
  let from = 0
  for (let at = text.indexOf(opens); at !== -1; at = text.indexOf(opens, from)) {
    kept += text.slice(from, at)
    const end = text.indexOf(closes, at + opens.length)
    if (end === -1) return kept
    from = end + closes.length
  }
  return kept + text.slice(from)
}

const FIRST_TAG = /^\s{0,9}<([a-z][a-z_-]{2,30})>/i
/**
 * Matches tags of HTML and tags around an answer. Any other pair at the beginning encloses text that is not for the
 * customer.
 */
const SAID_TAGS =
  /^(?:html|body|main|section|article|header|div|span|strong|small|mark|sub|sup|del|ins|code|pre|table|thead|tbody|blockquote|details|summary|reply|message|msg|text|say|speak|customer|answer|response|output|final|final_answer|sys|turn|(?:start|end)_of_turn)$/i

/** Returns the text after a leading pair of unknown tags; the whole text when it has none. */
function behindFirstTag(text: string): string {
  const [, name = ''] = FIRST_TAG.exec(text) ?? []
  if (name === '' || SAID_TAGS.test(name) || TOOL.test(name.toLowerCase())) return text
  const closes = `</${name}>`
  const at = text.indexOf(closes)
  const behind = at === -1 ? '' : text.slice(at + closes.length)
  return behind.trim() === '' ? text : behind
}

/** Returns a text without the contents of reasoning tags, which are paired and may be nested. */
function withoutReasoning(text: string): string {
  let kept = ''
  let from = 0
  let depth = 0
  for (const { kind, word, at, end } of marksIn(text)) {
    if (kind === 'opens') {
      if (depth === 0) kept += text.slice(from, at)
      depth++
    } else if (kind === 'closes' && (depth > 0 || word !== 'details')) {
      // A closing tag without an opening one ends reasoning that began with the text.
      if (depth === 0) kept = ''
      depth = Math.max(0, depth - 1)
      from = end
    }
  }
  return depth === 0 ? kept + text.slice(from) : kept
}

const WITH_ROLE = wordSet('im_start start_header_id start_of_turn start_of_turn_token start turn')
const ROLE =
  /[ \t]{0,3}\n?(assistant|model|ai|bot|chatbot|think|thinking|thought|analysis|reasoning|user|human|customer|system|tool|function|developer|ipython)(?![\p{L}\p{N}])/iuy
const THOUGHT_ROLES = new Set(['think', 'thinking', 'thought', 'analysis', 'reasoning'])
const OWN_ROLES = new Set(['assistant', 'model', 'ai', 'bot', 'chatbot'])

/** Returns a text without tags of chat templates, up to the point where the model continues as another speaker. */
function withoutTemplate(text: string): string {
  let kept = ''
  let from = 0
  let isThought = false
  for (const { kind, word, at, end } of marksIn(text)) {
    if (at < from || kind === 'tool' || kind === 'unknown' || word === 'details') continue
    if (!isThought) kept += text.slice(from, at)
    isThought = false
    // After the end tag a model continues with another text.
    const isOver = word === 'endoftext' && kept.trim() !== ''
    if (kind === 'user' || isOver) return withoutSpeakerLabels(kept)
    from = end
    // The texts before and after a tag were two messages.
    if (kept.trim() !== '') kept += '\n'
    if (!WITH_ROLE.has(word)) continue
    ROLE.lastIndex = end
    const role = ROLE.exec(text)
    if (!role) continue
    isThought = THOUGHT_ROLES.has(role[1]!.toLowerCase())
    if (!isThought && !OWN_ROLES.has(role[1]!.toLowerCase())) return withoutSpeakerLabels(kept)
    from = ROLE.lastIndex
  }
  return withoutSpeakerLabels(isThought ? kept : kept + text.slice(from))
}
