/**
 * Finds traces of machinery that are no known tag of a model. They are pairs of invented tags, halves of special
 * tokens, notes to itself, steps of an agent, and examples of a prompt. Time is linear in the length of the text.
 *
 * Spec: Assistant › Markup of models.
 */

/** Returns whether a model's text shows traces of its machinery, apart from the tags that `hasMarkup` knows. */
export function hasTraces(text: string): boolean {
  if (NOTE_TO_ITSELF.test(text) || PROMPT.test(text) || OBSERVATION.test(text)) return true
  if (HALF_TOKEN.test(text) || CURLY_END.test(text) || OF_PROGRAM.test(text)) return true
  if ((text.match(PIECE_OF_WORD) ?? []).length >= 2) return true
  return [...text.matchAll(CLOSING_TAG)].some(([, name]) => !HTML.has(name!.toLowerCase()))
}

/** Matches the closing tag of a pair. */
const CLOSING_TAG = /<\/([\p{L}][\p{L}\p{N}_:.-]{0,40})>/gu
const HTML = new Set(
  (
    'a abbr address article aside b bdi bdo big blockquote body button caption center cite code dd del details dfn ' +
    'div dl dt em figcaption figure font footer form h1 h2 h3 h4 h5 h6 head header html i ins kbd label legend li ' +
    'main mark nav ol option p pre q s samp section select small span strike strong sub summary sup table tbody td ' +
    'tfoot th thead time title tr tt u ul var'
  ).split(' '),
)
const CURLY_END = /\{\/[a-z_]{3,30}\}|\[\/[A-Z_]{3,30}\]|%\/think|[«‹《〈⟨]\/[a-z]{3}/

/** Matches a dictionary of Python, or the label of a prompt's question. */
const OF_PROGRAM =
  /^\s{0,9}(?:[{[]{1,2}\s{0,9}'[a-z_]{1,40}'\s{0,3}:|user (?:question|query|message|input)[ \t]{0,3}:)/i

/** Matches `<|im_end` without its end, and `|im_end|>` without its beginning. */
const HALF_TOKEN = /<[|｜][a-z_▁]{2,40}|[|｜][a-z]{2,20}[_▁][a-z_▁]{2,30}[|｜]>/i

/** Matches a word as tokenizers write it, with a sign for the space before it. */
const PIECE_OF_WORD = /(?:▁|(?<![\p{L}\p{N}])Ġ)[\p{L}\p{N}]/gu

/** Matches a note at the beginning that the model wrote to itself. */
const NOTE_TO_ITSELF =
  /^\s{0,9}(?:[([][ \t]{0,3}(?:تفكير|التفكير|تحليل|ملاحظة داخلية|ملاحظة لنفسي|thinking|thoughts?|reasoning|analysis|note to self|(?:internal|private|inner)(?: (?:note|thoughts?|monologue|reasoning))?)[ \t]{0,3}:|\*{1,3}(?:thinking|thinks|reasoning|internal monologue)\*{1,3}(?!:))/i

/** Matches the beginning of a system's prompt, which orders how to answer. */
const PROMPT =
  /^\s{0,9}\*{0,3}system\*{0,3}[ \t]{0,3}:\*{0,3}[ \t]{0,3}(?:you (?:are|must|should|will)|never|always|act as|respond|answer|be |do not)/i

/** Matches the steps of an agent: what it observed, or an action with its argument in brackets. */
const OBSERVATION =
  /^[ \t]{0,3}observation[ \t]{0,3}:|^[ \t]{0,3}action[ \t]{0,3}:[ \t]{0,3}\w{1,40}\[/im

const LINE_UNITS = 12
const ASKS = /^\*{0,3}(?:q|question|سؤال|السؤال|س)\*{0,3}[ \t]{0,2}\p{Nd}{0,2}[:.)]/iu
const ANSWERS = /^\*{0,3}(?:a|answer|جواب|الجواب|ج)\*{0,3}[ \t]{0,2}\p{Nd}{0,2}[:.)]/iu
const TAKES = /^\*{0,3}input\*{0,3}[ \t]{0,2}:/i
const GIVES = /^\*{0,3}output\*{0,3}[ \t]{0,2}:/i

/**
 * Returns whether a model's text continues its prompt with made-up questions and answers. A merchant's own list of
 * questions is written alike.
 */
export function hasExamples(text: string): boolean {
  const lines = text.split('\n').map((line) => line.trim())
  const pairs = pairsOf(lines, ASKS, ANSWERS)
  if (pairs >= 2 || pairsOf(lines, TAKES, GIVES) >= 2) return true
  const asked = lines.findIndex((line) => begins(line, ASKS))
  if (asked < 1) return false
  const before = lines.slice(0, asked)
  if (before.some((line) => begins(line, ANSWERS))) return true
  return pairs === 1 && /[.!?؟…]$/u.test(before.findLast((line) => line !== '') ?? '')
}

function pairsOf(lines: readonly string[], asks: RegExp, answers: RegExp): number {
  let pairs = 0
  let isAsked = false
  for (const line of lines) {
    if (begins(line, asks)) isAsked = true
    else if (isAsked && begins(line, answers)) {
      pairs++
      isAsked = false
    }
  }
  return pairs
}

const begins = (line: string, pattern: RegExp) => pattern.test(line.slice(0, LINE_UNITS))
