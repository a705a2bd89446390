/**
 * What a customer is told before an action is called for them, and the question whether they agree. Code
 * writes it, never a model: what they agree to is what is then called. Spec: Calls › Confirmation.
 */
import type { Language } from '../../core/vocabulary/hooks.ts'
import { CANCELLING_WORDS } from '../../core/vocabulary/calls.ts'
import { foldText } from '../text/fold-text.ts'
import { cutCodePoints } from '../text/json-text.ts'
import type { ActionArguments, ParameterRule } from './action-arguments.ts'
import { fillTemplate, placeholdersOf } from './call-placeholders.ts'

/** The merchant's own sentences, by language; null: ours. */
export type Statements = Readonly<Record<Language, string | null>>

export type StatedAction = {
  toolName: string
  parameters: readonly ParameterRule[]
  statement: Statements
}

const WORDS = {
  en: {
    offer: 'I can do this for you:',
    ask: 'Shall I go ahead?',
    typed: 'Please answer yes or no.',
    yes: 'Yes',
    no: 'No',
  },
  ar: {
    offer: 'يمكنني تنفيذ هذا لك:',
    ask: 'هل أنفّذ ذلك؟',
    typed: 'الرجاء الرد بكلمة «نعم» أو «لا».',
    yes: 'نعم',
    no: 'لا',
  },
} as const

const YES_NO = { en: { true: 'yes', false: 'no' }, ar: { true: 'نعم', false: 'لا' } } as const

/** Longer than any: a value of each parameter and a sentence between them. */
const MOST_CHARS = 20_000

/**
 * The merchant's sentence with its arguments, else what the action is called; then a line for each argument
 * that stands in neither, so that nothing is called that was not stated; then the question, unless the
 * sentence asks already.
 */
export function stateAction(
  { toolName, parameters, statement }: StatedAction,
  args: ActionArguments,
  language: Language,
): string {
  const own = statement[language]
  const stated = new Map(
    parameters.flatMap((parameter) => {
      const value = args[parameter.name] ?? null
      return value === null ? [] : [[parameter.name, shownValue(parameter, value, language)]]
    }),
  )
  const filled = own === null ? null : fill(own, Object.fromEntries(stated))
  const named = new Set(filled === null ? [] : placeholdersOf(own!))
  const lines = [...stated].flatMap(([name, value]) =>
    named.has(`args.${name}`) ? [] : [`${inWords(name)}: ${value}`],
  )
  const { offer, ask } = WORDS[language]
  const head = filled ?? `${offer} ${inWords(toolName)}`
  const asks = lines.length === 0 && /[?؟]$/.test(head)
  return [[head, ...lines].join('\n'), ...(asks ? [] : [ask])].join('\n\n')
}

/** By which words a question opens: without them it names what is asked about. */
const ASKS =
  /^(?:(?:shall|should|may|can) i|(?:do you want|would you like) me to|i (?:will|can)|هل (?:تريد|تود|ترغب في|ترغب)(?: أن| ان)?|هل|تبي|تبين|تبغى|بدك|تحب|عايز|عاوز)\s+/iu

/**
 * Names what was stated, in one line: the merchant's sentence without its question, else what the action is called
 * with its arguments.
 */
export function nameAction(
  { toolName, parameters, statement }: StatedAction,
  args: ActionArguments,
  language: Language,
): string {
  const stated = parameters.flatMap((parameter): [string, string][] => {
    const value = args[parameter.name] ?? null
    return value === null ? [] : [[parameter.name, shownValue(parameter, value, language)]]
  })
  const own = statement[language]
  const filled = own === null ? null : fill(own, Object.fromEntries(stated))
  const asked = filled
    ?.split(/(?<=[.!?؟])\s+|\n+/u)[0]
    ?.replace(/[.!?؟\s]+$/u, '')
    .replace(ASKS, '')
  if (asked) return asked
  const values = stated.map(([name, value]) => `${inWords(name)}: ${value}`)
  return values.length === 0 ? inWords(toolName) : `${inWords(toolName)} (${values.join(', ')})`
}

/** What can be tapped. */
export function answerLabels(language: Language): { yes: string; no: string } {
  return WORDS[language]
}

/** A statement where nothing can be tapped: it asks for a word. */
export function asTyped(text: string, language: Language): string {
  return `${text} ${WORDS[language].typed}`
}

/** Whether an action takes something back, as far as its words tell. */
export function isCancellation({
  toolName,
  description,
  statement,
}: Pick<StatedAction, 'toolName' | 'statement'> & { description: string }): boolean {
  const folded = foldText([toolName, description, statement.en, statement.ar].join(' '))
  return CANCELLING_WORDS.some((word) => folded.includes(word))
}

function fill(sentence: string, args: Record<string, string>): string | null {
  const filled = fillTemplate(sentence, { args }, { mostChars: MOST_CHARS })
  return filled.ok ? filled.text : null
}

/** Marks that turn the direction around until they are ended, be it behind the value. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * One line, so that a value cannot pass for the question or for another argument, in the order of its letters: that
 * is what is called.
 */
function shownValue({ type }: ParameterRule, value: string, language: Language): string {
  if (type === 'yes_no') return YES_NO[language][value === 'true' ? 'true' : 'false']
  const line = value.replace(TURNS, '').replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
  return cutCodePoints(line.trim(), MOST_CHARS)
}

const inWords = (name: string) => name.replaceAll('_', ' ')
