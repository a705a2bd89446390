/**
 * Checks a model's text before it is sent. No internals, no unknown link and no claim of an undone act reaches a
 * customer. Code fixes what it can. Otherwise the model repairs the text once, or code replaces it.
 *
 * Spec: Assistant › Texts that are never sent.
 */
import { GUARD_LIMITS } from '../../core/limits/assistant.ts'
import type { GuardFault } from '../../core/vocabulary/reply-guard.ts'
import type { HandoverReason } from '../../core/vocabulary/inbox.ts'
import { foldText } from '../text/fold-text.ts'
import { withLatinDigits } from '../text/latin-digits.ts'
import { hasExamples, hasTraces } from './machine-traces.ts'
import { hasMarkup } from './model-markup.ts'
import { isToolText, holdsJson } from './written-calls.ts'
import { emailsIn, maskNamed, numbersIn, phonesIn } from '../calls/personal-data.ts'
import { capabilitiesOf } from '../messaging/channel-capabilities.ts'
import { namesOtherTime, type Booking } from './booked-time.ts'
import { isKnownLink, replaceLinks } from './reply-links.ts'
import { toChannelMarkup } from './reply-markdown.ts'
import { namesTool } from './tool-names.ts'
import {
  isOutcome,
  findUntrue,
  type KnownDeeds,
  type StatementFault,
} from './statements/check-statements.ts'

/**
 * The input of the check besides the text: known links, confidential texts, tools and ids that a reply must not show,
 * and the acts that were really done.
 */
export type GuardContext = KnownDeeds & {
  channelType: string
  /** The hosts of the profile, the knowledge and this reply's results. */
  hosts: readonly string[]
  /** The confidential parts of the prompt, without the profile, which customers may read. */
  instructions: string
  /** Names of the tools that were offered. */
  tools: readonly string[]
  /** The delimiters of untrusted data in this reply's requests. */
  marks: readonly string[]
  /** Internal ids that the model may have seen. */
  ids: readonly string[]
  /** The number of chunks that were found; citations count from 1. */
  found: number
  /** The booking of this reply; null or absent when there is none. */
  booking?: Booking | null
  /** Failures that are recorded only, so that the text is still sent. */
  observes?: ReadonlySet<GuardFault>
  /** True when the model was already called again; there is no third call. */
  isRepaired: boolean
}

/** The result of the check: the text to send, a fault that the model repairs, or what is sent in place of the text. */
export type GuardResult =
  /** `citations` are the numbers of the chunks that the text cites. `observed` lists failures with which it is sent. */
  | { verdict: 'send'; text: string; citations: number[]; observed?: GuardFault[] }
  /** `clause` holds the folded words of the clause that fails, when there is a single one. */
  | { verdict: 'repair'; why: GuardFault; clause?: string }
  | { verdict: 'replace'; reason: HandoverReason; why: GuardFault }
  /** The text is dropped, and only code's sentence on the outcome of a proposal or booking is sent. */
  | { verdict: 'outcome'; why: GuardFault }

/**
 * Checks a model's reply before it is sent. Returns the corrected text, or the fault for which it is blocked, with what
 * happens instead: a repair, a handover, or code's own sentence.
 */
export function guardReply(text: string, known: GuardContext): GuardResult {
  // One character may fold to eighteen letters, and the checks read all of them.
  if (text.length > GUARD_LIMITS.textUnits || written(text).length > GUARD_LIMITS.textUnits) {
    return notFit('too_long', known)
  }
  const observed: GuardFault[] = []
  /** Returns whether a failure blocks the text; one that is only observed is recorded. */
  const holds = (fault: GuardFault | null): fault is GuardFault => {
    if (fault === null || !known.observes?.has(fault)) return fault !== null
    observed.push(fault)
    return false
  }
  const visible = text.replace(HIDDEN, '').replace(LONG_SPACE, ' ')
  const markup = markupIn(visible, known)
  if (holds(markup)) return notFit(markup, known)
  const leak = leakIn(visible, known)
  if (holds(leak)) return notFit(leak, known)
  const { rest, citations } = takeOutCitations(visible, known.found)
  const shown = tidy(withoutForeignLinks(rest, known))
  if (!/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(shown.replace(FILLERS, ''))) {
    return notFit('nothing_left', known)
  }
  const others = othersData(shown, known)
  if (others.length > 0 && !known.isRepaired) return notFit('others_data', known)
  const untrue = findUntrue(shown, known)
  if (untrue && holds(untrue.fault)) return notFit(untrue.fault, known, untrue.clause)
  const isOtherTime = known.booking && namesOtherTime(shown, known.booking)
  if (isOtherTime && holds('other_time')) return notFit('other_time', known)
  const masked = others.length > 0 ? withoutData(shown, others) : shown
  return { verdict: 'send', text: masked, citations, ...(observed.length > 0 && { observed }) }
}

const written = (text: string): string => text.normalize('NFKC')

/**
 * Returns the numbers and addresses that only a merchant's system has returned, on channels that do not verify the
 * reader.
 */
function othersData(text: string, { channelType, done, said }: GuardContext): string[] {
  if (capabilitiesOf(channelType).verifiesIdentity) return []
  const result = done.filter(({ name }) => name.startsWith('action_')).map((deed) => deed.result)
  const theirs = new Set(result.flatMap((one) => [...phonesIn(one), ...emailsIn(one)]))
  const open = [...said, ...done.map(({ mayBeReported = '' }) => mayBeReported)]
  const own = new Set(open.flatMap((one) => [...numbersIn(one), ...emailsIn(one)]))
  const named = [...numbersIn(text), ...emailsIn(text)]
  return named.filter((one) => theirs.has(one) && !own.has(one))
}

function withoutData(text: string, others: readonly string[]): string {
  return maskNamed(text, new Set(others), (found) => found.replace(/[\p{L}\p{N}]/gu, '•'))
}

/**
 * Decides what replaces a failed text. Code's own sentence on an outcome replaces it, unless the customer's answer was
 * unclear. In all other cases the model repairs the text once.
 */
function notFit(
  why: GuardFault,
  { isRepaired, proposal, booking = null }: GuardContext,
  clause?: string,
): GuardResult {
  const state = proposal?.state ?? 'stated'
  if (isOutcome(state) && (isRepaired || state !== 'unclear')) return { verdict: 'outcome', why }
  if (!isRepaired) return { verdict: 'repair', why, ...(clause !== undefined && { clause }) }
  // The customer still gets the booking.
  if (booking !== null) return { verdict: 'outcome', why }
  return {
    verdict: 'replace',
    reason: OF_STATEMENTS.has(why) ? 'needs_staff_action' : 'missing_information',
    why,
  }
}

const OF_STATEMENTS: ReadonlySet<GuardFault> = new Set<StatementFault>([
  'not_done',
  'promised_person',
])

/** Returns the markup failure of a text. Known forms were removed before, so any rest is an unknown form. */
function markupIn(text: string, { found }: GuardContext): GuardFault | null {
  // When chunks were found, a quotation from them may be data.
  if (isToolText(text) || (found === 0 && holdsJson(text))) return 'tool_text'
  if (hasMarkup(text) || hasTraces(text)) return 'machinery'
  // A merchant's own list of questions is quoted from what was found.
  return found === 0 && hasExamples(text) ? 'machinery' : null
}

/** Matches invisible characters, direction marks, tags and characters for private use. */
const HIDDEN =
  /(?![\t\n\r])\p{Cc}|[\u00ad\u180e\u200b\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\ue000-\uf8ff\u{e0000}-\u{e007f}]/gu

/** Matches letters and signs that are displayed as blank. */
const FILLERS = /[\u115f\u1160\u3164\uffa0\u2800\u0640]|\p{Variation_Selector}/gu

/** Matches long white space, over which the patterns below would take quadratic time. */
const LONG_SPACE = /[ \t]{20,}/g

function leakIn(
  text: string,
  { tools, marks, ids, instructions }: GuardContext,
): GuardFault | null {
  const plain = foldText(text.replace(/\\([_*])/g, '$1'))
  if (namesTool(text, tools)) return 'tool_name'
  if (SPEAKS_OF_ITSELF.test(plain)) return 'of_itself'
  const has = (secret: string) => secret !== '' && plain.includes(foldText(secret))
  if (
    marks.some(has) ||
    ids.some(has) ||
    OUR_ID.test(plain) ||
    OUR_SECRET.test(plain) ||
    ANY_MARK.test(plain)
  ) {
    return 'mark_or_id'
  }
  const secret = undressed(instructions)
  return repeats(undressed(text), secret, GUARD_LIMITS.instructionChars) ? 'instructions' : null
}

/** Returns a folded text without Markdown marks. */
const undressed = (text: string): string => foldText(text.replace(/[*_~`>#|]+/g, ''))

/** Matches any delimiter, including one that the model invented. */
const ANY_MARK = /<<\s*(?:\/\s*)?data\b/
const OUR_ID = /\b(?:evt_[0-9a-f]{32}|(?:whsec|hook|cal)_[a-z0-9_-]{16,})/

/** Matches keys and tokens in the form of this service: of webhooks, hooks and calendars. */
const OUR_SECRET = /(?<![a-z0-9])(?:whsec|hook|cal|sk|pk)_[a-z0-9+/=_-]{16}/

/** Matches statements of a model about its nature or its tools. */
const SPEAKS_OF_ITSELF =
  /(?<!\p{L})(?:system prompt|my (?:system )?instructions (?:say|tell|state|are|do not|don'?t|forbid|prevent|require)|(?:according to|as per|by|under) my (?:system )?instructions|the (?:tool|function|api) (?:call )?(?:returned(?! (?:by|to))|responded|failed|gave|output)|you are a helpful assistant|as an ai(?: language)? model|(?:trained|made|developed|created|built) by (?:openai|anthropic|google|meta|mistral|deepseek|alibaba|cohere|xai)|large language model|(?:i am|i['’]?m) (?:chatgpt|gpt|claude|gemini|llama|qwen)|my (?:developers?|creators?|makers?) at (?:openai|anthropic|google|meta|mistral|deepseek)|tool_call|function call|نموذج لغوي|تعليمات النظام|تعليماتي (?:تقول|تنص|تمنع)|(?:وفقا|طبقا|حسب|بحسب) ?ل?تعليماتي|(?:طورت|دربت|طورني|دربني) من قبل (?:شركه )?(?:openai|google|anthropic|meta|اوبن|جوجل|انثروبيك|ميتا)|التعليمات المعطاه لي|الاداه (?:ارجعت|اعادت)|دربتني|طورتني (?:شركه )?(?:اوبن|جوجل|انثروبيك|ميتا))(?!\p{L})/u

/** Returns whether two texts share a run of at least `length` characters. */
function repeats(text: string, secret: string, length: number): boolean {
  // A run of this length contains a whole block of half the length.
  const block = Math.floor(length / 2)
  for (let at = 0; at + block <= text.length; at += block) {
    const piece = text.slice(at, at + block)
    for (
      let found = secret.indexOf(piece);
      found !== -1;
      found = secret.indexOf(piece, found + 1)
    ) {
      let from = 0
      while (from < at && from < found && text[at - from - 1] === secret[found - from - 1]) from++
      let to = block
      while (at + to < text.length && text[at + to] === secret[found + to]) to++
      if (from + to >= length) return true
    }
  }
  return false
}

const CITATION =
  /\s?(?:\[\^?(?:(?:source|sources|chunk|doc|المصدر|مصدر)\s*)?(\p{Nd}{1,3}(?:\s*[,،;–-]\s*\p{Nd}{1,3})*)\](?:\([^)\s]{0,500}\))?|【(\p{Nd}{1,3})[^】\n]{0,20}】)/giu

/**
 * Removes the numbers of chunks, and returns those that were found. When none were found, a number belongs to the text.
 */
function takeOutCitations(text: string, found: number): { rest: string; citations: number[] } {
  if (found === 0) return { rest: text, citations: [] }
  const cited = new Set<number>()
  const rest = text.replace(CITATION, (_, list?: string, one?: string) => {
    for (const number of withLatinDigits(list ?? one ?? '').match(/\d+/g) ?? []) {
      if (Number(number) >= 1 && Number(number) <= found) cited.add(Number(number))
    }
    return ''
  })
  return { rest, citations: [...cited].toSorted((a, b) => a - b) }
}

const NAMED_LINK =
  /!?\[([^[\]\n]{0,300})\]\([ \t]*<?([^()\s>]*(?:\([^()\s>]*\)[^()\s>]*)*)>?(?:[ \t]+["'][^()\n]{0,200}["'])?[ \t]*\)/gu
const HELD = /\ue000(\d+)\ue001/gu

/** Returns a text in the channel's markup, with known links only. */
function withoutForeignLinks(text: string, { hosts, channelType }: GuardContext): string {
  const kept: string[] = []
  const hold = (link: string): string => {
    if (!isKnownLink(link, hosts)) return ''
    kept.push(link)
    return `\ue000${kept.length - 1}\ue001`
  }
  const named = text.replace(NAMED_LINK, (_, words: string, link: string) => {
    const held = hold(link)
    if (held === '' || replaceLinks(words, () => '').trim() === '') return held || words
    return `${words}: ${held}`
  })
  const marked = toChannelMarkup(replaceLinks(named, hold), channelType)
  return marked.replace(HELD, (_, place: string) => kept[Number(place)]!)
}

/** Removes the brackets and spaces that deleted parts leave behind. */
function tidy(text: string): string {
  return text
    .replace(/<\s*>|\(\s*\)|\[\s*\]|«\s*»/gu, '')
    .replace(/[ \t]+([.,:;!?،؛؟](?!\S))/gu, '$1')
    .replace(/[ \t]{2,}/gu, ' ')
    .replace(/[ \t]+$/gmu, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
