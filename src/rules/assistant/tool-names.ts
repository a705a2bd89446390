/** Finds names of tools in a text, also where a model writes them in another spelling. */
import { foldText } from '../text/fold-text.ts'

const WRITTEN_NAME = /(?<![\p{L}\p{N}])[a-z]+_[a-z0-9_]+/gu

/**
 * Returns whether a text names a tool: as it is spelled, with other signs between its words, or in plain words next to
 * a word for tools. "You can book an appointment" names none.
 */
export function namesTool(text: string, tools: readonly string[]): boolean {
  const plain = foldText(text.replace(/\\([_*])/g, '$1'))
  const isTool = (name: string) =>
    name.startsWith('action_') || tools.some((tool) => name === tool.toLowerCase())
  if ([...plain.matchAll(WRITTEN_NAME)].some(([name]) => isTool(name))) return true
  // "action order status", "action-order-status".
  const spaced = plain.replaceAll('-', ' ')
  return tools.some((tool) => {
    const words = tool.toLowerCase().split('_').filter(Boolean)
    if (words.length < 2) return false
    if (tool.startsWith('action_')) return spaced.includes(words.join(' '))
    return isJoined(text, plain, words) || isUsed(plain, words.join(' '))
  })
}

/** Joined names of tools that are words of English. */
const WORDS_OF_ENGLISH = new Set(['handover', 'hand-over'])

/** "searchKnowledge", "search-knowledge", "search.knowledge". */
function isJoined(text: string, plain: string, words: readonly string[]): boolean {
  const [first = '', ...rest] = words
  const camel = rest.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')
  if (text.includes(first.slice(1) + camel)) return true
  return ['', '-', '.'].some((sign) => {
    const joined = words.join(sign)
    return (
      !WORDS_OF_ENGLISH.has(joined) &&
      placesOf(plain, joined).some((at) => !isInWord(plain, at, joined))
    )
  })
}

function placesOf(text: string, piece: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(piece); at !== -1; at = text.indexOf(piece, at + piece.length))
    places.push(at)
  return places
}

const isInWord = (text: string, at: number, piece: string) =>
  /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at)) ||
  /^[\p{L}\p{N}]/u.test(text.slice(at + piece.length, at + piece.length + 2))

/** Number of UTF-16 units before and after a name in which a word for tools is searched. */
const NEAR_UNITS = 40
const USES =
  /(?:tool ?= ?|results? (?:of|from) |(?:calling|invoking|running|executing|triggering|uses|invoked|invoke|tool|function|tool call|اداه|الاداه|استدعاء|استدعي|استدعيت|استخدمت|استعملت|ساستعمل|ساستدعي|ساستخدم|استخدم|باستخدام)[ :"'`«*[(]{1,3}|(?:i|i'll|i’ll|will|let me|i'm|am|need to|going to) (?:use|run|call|using|used|called|ran)[ "'`«*]{1,3})(?:the |my |our |a |tool )?["'`«*]{0,2}$/u
const IS_A_TOOL =
  /^["'`»*]{0,2}(?:\(|[ \t]?(?:: ?[{["'«“]|\{)|[ -](?:tool|function|api|endpoint|was called|results?|returned|gave|responded|call (?:returned|failed|gave)))/u

/** "Calling find slots", "the find slots tool": plain words, where something says that they are a tool. */
function isUsed(plain: string, name: string): boolean {
  return placesOf(plain, name).some((at) => {
    if (isInWord(plain, at, name)) return false
    const end = at + name.length
    return (
      USES.test(plain.slice(Math.max(0, at - NEAR_UNITS), at)) ||
      IS_A_TOOL.test(plain.slice(end, end + NEAR_UNITS))
    )
  })
}
