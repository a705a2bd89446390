/**
 * Renders the confirmation text that a customer must accept before an action is called. Code writes it, never a model,
 * so that the accepted call is the call that is made. Spec: Calls › Confirmation.
 */
import type { Language } from '../../core/vocabulary/hooks.ts'
import { CANCELLING_WORDS } from '../../core/vocabulary/calls.ts'
import { COMMA } from '../../core/words/comma.ts'
import { foldText } from '../text/fold-text.ts'
import { cutCodePoints } from '../text/json-text.ts'
import type { ActionArguments, ParameterRule } from './action-arguments.ts'
import { actionWords } from './action-words.ts'
import { fillCallTemplate, placeholdersOf } from './call-placeholders.ts'

/** The merchant's sentences by language. Null selects the built-in sentence. */
export type StatementByLanguage = Readonly<Record<Language, string | null>>

/** An action, as its confirmation text names it. */
export type StatedAction = {
  toolName: string
  parameters: readonly ParameterRule[]
  statement: StatementByLanguage
}

/** The limit of a text's length. No sentence with a value of each parameter is longer. */
const MAX_CHARS = 20_000

/**
 * Returns the confirmation text of an action: the merchant's sentence with its arguments, else the action's name. A
 * line follows for each argument that the sentence lacks, so that the customer sees every value. The question comes
 * last, unless the sentence already asks.
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
  const { offer, ask } = actionWords[language]
  const head = filled ?? `${offer} ${inWords(toolName)}`
  const asks = lines.length === 0 && /[?؟]$/.test(head)
  return [[head, ...lines].join('\n'), ...(asks ? [] : [ask])].join('\n\n')
}

/** Matches the opening of a question; the rest names the action. */
const ASKS =
  /^(?:(?:shall|should|may|can) i|(?:do you want|would you like) me to|i (?:will|can)|هل (?:تريد|تود|ترغب في|ترغب)(?: أن| ان)?|هل|تبي|تبين|تبغى|بدك|تحب|عايز|عاوز)\s+/iu

/**
 * Returns a one-line name of a confirmed action: the merchant's sentence without its question, else the action's name
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
  return values.length === 0
    ? inWords(toolName)
    : `${inWords(toolName)} (${values.join(COMMA[language])})`
}

/** Returns a confirmation text for channels without buttons, which asks for a typed answer. */
export function asTyped(text: string, language: Language): string {
  return `${text} ${actionWords[language].typed}`
}

/** Returns whether an action seems to cancel something, judged by its name, description and sentences. */
export function isCancellation({
  toolName,
  description,
  statement,
}: Pick<StatedAction, 'toolName' | 'statement'> & { description: string }): boolean {
  const folded = foldText([toolName, description, statement.en, statement.ar].join(' '))
  return CANCELLING_WORDS.some((word) => folded.includes(word))
}

function fill(sentence: string, args: Record<string, string>): string | null {
  const filled = fillCallTemplate(sentence, { args }, { maxChars: MAX_CHARS })
  return filled.ok ? filled.text : null
}

/** Matches marks that change the text direction, whose effect could extend beyond the value. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * Returns a value as one line, so that it cannot imitate the question or another argument. Direction marks are removed,
 * so that the shown order is the order that is sent.
 */
function shownValue({ type }: ParameterRule, value: string, language: Language): string {
  if (type === 'yes_no') return actionWords[language][value === 'true' ? 'true' : 'false']
  const line = value.replace(TURNS, '').replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
  return cutCodePoints(line.trim(), MAX_CHARS)
}

const inWords = (name: string) => name.replaceAll('_', ' ')
