/**
 * A rule for the linter: comments are full sentences in plain words. A function's docstring begins with a verb in the
 * third person, a type's with an article or a plural. `scripts/check-prose.ts` reports the same failures.
 */
import { findBannedWords } from './banned-words.mjs'

const MAX_LINES = 8
const MAX_WORDS_FIRST = 30
const MAX_WORDS = 40

/** First words that replace the subject of a sentence. */
const HEADLESS =
  /^(?:Of|Those|Whose|Whom|None|By|Whoever|Nobody|Somebody|Told|Said|Ours|Its|It|Without|Beside|So|That|Which|What|Whatever|How|Whether|Why|Where|When|Who|As|For|In|To|From|With|Until|Also|Not|Nothing|Called|Given|Shown|Something|After|Before|Is|Has|Was|Are|On|Out|Under|While|Since|If|Than|Then|At(?! (?:most|least)\b))(?![\w-])(?!’| (?:GET|POST))/
/** Sentences after the first one may begin with a condition, but not with a word in place of a subject. */
const HEADLESS_LATER =
  /(?:^|[.!?]\s+)(Of|Whose|Whom|Whoever|Nobody|Somebody|Ours|Told|Those|None)\b(?! of\b)/
const NULL_FIRST = /(?:^|[.!?;]\s+)`?(?:[Nn]ull|[Uu]ndefined|[Tt]rue|[Ff]alse)`?:/
const VERB = /^(?:Re-)?[A-Z][a-z]+s\b(?!-)/
/** Plurals and other words in -s that are no verbs. */
const NO_VERBS = new Set(
  (
    'This Its Always Plus Days Rows Names Messages Words Bytes Deliveries Replies Events Items Ids Fields Texts Values ' +
    'Keys Channels Numbers Contacts Companies Connections Files Hours Times Things Statements Lines Codes Secrets'
  ).split(' '),
)
const VERB_OF_TYPE =
  /^(?:Returns|Makes|Gives|Reads|Writes|Takes|Says|Finds|Creates|Loads|Tells|Does|Begins|Ends|Holds|Keeps)\b/
/** The code after a comment, which shows what is documented. */
const FUNCTION =
  /^\s*export (?:default )?(?:async )?(?:function\*? ?[a-z_]|const [a-z]\w* =\s*(?:async )?(?:\([^()]*\)(?:: [^=]+)? =>|<|\w+ =>))/
const TYPE = /^\s*export (?:interface|class|type \w+(?:<[^=]*>)? =(?!\s*(?:\(|<|new)))/

/** Returns the prose of a comment without stars, and without tags, citations and examples. */
function readProse(value) {
  const lines = value
    .replace(/^\*/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
  const kept = lines
    .join('\n')
    .replace(/(?:^|\s)@(?:throws|param|returns|internal|see|example|deprecated)\b.*/s, '')
    .trim()
  const paragraphs = kept
    .split(/\n\s*\n/)
    .filter((text) => !/^(?:Isolation|Spec|Locks):/.test(text))
  return paragraphs.map((text) => text.replaceAll(/\n {2,}.*/g, '')).join('\n\n')
}

/** Returns the sentences of a prose. A full stop inside of a word, a name or an abbreviation ends none. */
const sentencesOf = (prose) =>
  prose
    .replaceAll(/`[^`]*`/g, 'Code')
    .split(/(?<=[.!?])(?<!\be\.g\.|\bi\.e\.)\s+(?=[A-Z`"“(])|\n\n+|\n(?=- )/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')

const countWords = (sentence) => sentence.split(/\s+/).length

function checkFirstWords(prose, after) {
  const found = []
  const say = (message) => found.push(message)
  const word = /^`?([\w'’-]+)/.exec(prose)?.[1] ?? ''
  if (HEADLESS.test(prose)) say(`begins with "${word}", which is no subject`)
  else if (
    FUNCTION.test(after) &&
    /^[A-Z]/.test(word) &&
    (!VERB.test(prose) || NO_VERBS.has(word))
  ) {
    say(
      `a function's docstring begins with a verb in the third person ("Returns …"), not "${word}"`,
    )
  } else if (TYPE.test(after) && VERB_OF_TYPE.test(prose)) {
    say(`a type's docstring begins with an article or a plural, not "${word}"`)
  }
  return found
}

function checkDocstring(value, after) {
  const prose = readProse(value)
  if (prose === '') return []
  const found = checkFirstWords(prose, after)
  const [first = '', ...rest] = sentencesOf(prose.replaceAll(/Spec[:] .*$/gms, '').trim())
  if (first !== '' && !/[.!?:)`"”…]$/.test(first)) found.push('the first sentence has no full stop')
  if (countWords(first) > MAX_WORDS_FIRST) {
    found.push(`the first sentence has ${countWords(first)} words, at most ${MAX_WORDS_FIRST}`)
  }
  for (const sentence of rest) {
    const words = countWords(sentence)
    if (words > MAX_WORDS) found.push(`a sentence has ${words} words, at most ${MAX_WORDS}`)
  }
  const lines = prose.split('\n').filter((line) => line !== '').length
  if (lines > MAX_LINES)
    found.push(`${lines} lines, at most ${MAX_LINES}: say less, or say it in docs/`)
  return found
}

/** Returns what is wrong with the comments of a source file, with the place of each failure. */
export function findCommentFailures(source, comments) {
  return comments.flatMap(({ type, value, start, end }) => {
    if (type === 'Line' && /^\s*(?:oxlint|eslint|@ts-|oxfmt)/.test(value)) return []
    const isDocstring = type === 'Block' && value.startsWith('*')
    const messages = isDocstring ? checkDocstring(value, source.slice(end, end + 300)) : []
    const joined = value.replaceAll(/\n\s*\*? ?/g, ' ')
    const text = joined.replaceAll(/`[^`]*`/g, '').replaceAll(/Spec[:] [^.]*/g, '')
    const later = HEADLESS_LATER.exec(text.replace(/^\*?\s*/, ''))
    if (later && (later.index > 0 || !isDocstring)) {
      messages.push(`a sentence begins with "${later[1]}", which is no subject`)
    }
    if (NULL_FIRST.test(joined.replace(/^\*?\s*/, ''))) {
      messages.push('"null:" is no sentence; write "Returns null when …" or "Null while …"')
    }
    for (const { message } of findBannedWords(text)) messages.push(message)
    return messages.map((message) => ({ start, end, message }))
  })
}

export const docComment = {
  create(context) {
    return {
      'Program:exit'() {
        const { sourceCode } = context
        const comments = sourceCode.getAllComments()
        for (const { start, end, message } of findCommentFailures(sourceCode.text, comments)) {
          const loc = {
            start: sourceCode.getLocFromIndex(start),
            end: sourceCode.getLocFromIndex(end),
          }
          context.report({ loc, message: `Comment: ${message}.` })
        }
      },
    }
  },
}
