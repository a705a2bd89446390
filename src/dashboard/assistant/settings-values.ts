import type { AssistantView, HandoverTexts } from '../../contract/dashboard/assistant.ts'
import { numberOf } from '../parts/number-of.ts'

/** The values of the settings form: those of the API, except where the form needs another type. */
export type SettingsValues = {
  name: string
  profile: string
  guidance: string
  tone: AssistantView['tone']
  language: AssistantView['language']
  /** The value of the field `debounceMs`, whose errors appear at it too. */
  debounceMs: number | string
  texts: { [Language in keyof HandoverTexts]: { inHours: string; outOfHours: string } }
  leadCriteria: string
  qualifyAt: number | string
  handsOverQualified: boolean
  transcribes: boolean
  readsImages: boolean
  readableFields: string[]
  tags: string[]
}

const SECOND_MS = 1_000

/** Returns the form's values for the assistant's settings. Its durations are in seconds, the API's in milliseconds. */
export function toValues(view: AssistantView): SettingsValues {
  const { name, profile, guidance, tone, language } = view
  const { leadCriteria, qualifyAt, handsOverQualified } = view
  const texts = (of: keyof HandoverTexts) => ({
    inHours: view.texts[of].inHours ?? '',
    outOfHours: view.texts[of].outOfHours ?? '',
  })
  return {
    name: name ?? '',
    profile,
    guidance,
    tone,
    language,
    debounceMs: view.debounceMs / SECOND_MS,
    texts: { ar: texts('ar'), en: texts('en') },
    leadCriteria,
    qualifyAt,
    handsOverQualified,
    transcribes: view.transcribes,
    readsImages: view.readsImages,
    readableFields: view.readableFields,
    tags: view.tags,
  }
}

/** Returns the API's input; an empty name or sentence becomes null. */
export function toJson({ name, debounceMs, qualifyAt, texts, ...rest }: SettingsValues) {
  const orNone = (text: string) => (text.trim() === '' ? null : text)
  const sentences = ({ inHours, outOfHours }: SettingsValues['texts']['ar']) => ({
    inHours: orNone(inHours),
    outOfHours: orNone(outOfHours),
  })
  return {
    ...rest,
    name: orNone(name),
    debounceMs: Math.round(numberOf(debounceMs) * SECOND_MS),
    qualifyAt: numberOf(qualifyAt),
    texts: { ar: sentences(texts.ar), en: sentences(texts.en) },
  }
}
