import type { Capabilities, OptionForm } from '../messaging/channel-capabilities.ts'
import { countCodePoints } from '../text/json-text.ts'
import { isInArabic } from './is-in-arabic.ts'
import { stepMessageWords } from './step-message-words.ts'

/** An option that a question offers: its label, and the payload that a tap on it returns. */
export type OfferedOption = { label: string; payload: string }

/** A question in the form in which it is sent. */
export type ShapedQuestion =
  | { kind: 'text'; text: string }
  | { kind: 'buttons'; text: string; buttons: OfferedOption[] }
  /** `button` is the label that opens the list. */
  | { kind: 'list'; text: string; button: string; rows: OfferedOption[] }

/**
 * Returns how a channel offers a number of options: as buttons or as a list; null when it can only number them in the
 * text.
 */
export function widestForm(
  { buttons, list }: Pick<Capabilities, 'buttons' | 'list'>,
  options: number,
): OptionForm | null {
  if (buttons && options <= buttons.max) return buttons
  return list && options <= list.max ? list : null
}

/**
 * Returns the form of a question: buttons for few options, a list for more, and numbered text when the channel has
 * neither or a text or label does not fit.
 * Spec: Flows › Questions; reading F30.
 */
export function shapeQuestion(
  capabilities: Pick<Capabilities, 'buttons' | 'list'>,
  text: string,
  options: readonly OfferedOption[],
): ShapedQuestion {
  if (options.length === 0) return { kind: 'text', text }
  const form = widestForm(capabilities, options.length)
  const fits =
    form !== null &&
    countCodePoints(text) <= form.textChars &&
    options.every(({ label }) => countCodePoints(label) <= form.labelChars)
  if (!fits) return { kind: 'text', text: numbered(text, options) }
  if (form === capabilities.buttons) return { kind: 'buttons', text, buttons: [...options] }
  const { options: button } = stepMessageWords[isInArabic(text) ? 'ar' : 'en']
  return { kind: 'list', text, button, rows: [...options] }
}

/** Returns a question as text with numbered options. The inbox shows it, and channels without buttons send it. */
export function numbered(text: string, options: readonly OfferedOption[]): string {
  const lines = options.map(({ label }, place) => `${place + 1}. ${label}`)
  return [text, '', ...lines].join('\n')
}
