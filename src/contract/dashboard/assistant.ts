/** The settings of a company's assistant. Spec: Assistant › Settings. */
import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { ASSISTANT_SETUP_LIMITS as LIMITS } from '../../core/limits/assistant-setup.ts'
import {
  ASSISTANT_TONES,
  HANDOVER_TEXTS,
  type AssistantState,
} from '../../core/vocabulary/assistant-setup.ts'
import { LANGUAGES } from '../../core/vocabulary/hooks.ts'
import { failsWith } from '../../schemas/broken-rule.ts'
import { tagText } from './contact.ts'
import { formText } from '../../schemas/form-text.ts'
import { LEAD_LIMITS } from '../../core/limits/leads.ts'
import { CONTACT_LIMITS } from '../../core/limits/contacts.ts'

/** Null sends the service's own sentence. */
const sentence = formText(1, LIMITS.textChars).nullable()
const texts = z.strictObject(
  Object.fromEntries(LANGUAGES.map((language) => [language, sentencesOf()])) as Record<
    (typeof LANGUAGES)[number],
    ReturnType<typeof sentencesOf>
  >,
)
export type HandoverTexts = z.output<typeof texts>

function sentencesOf() {
  return z.strictObject(
    Object.fromEntries(HANDOVER_TEXTS.map((when) => [when, sentence])) as Record<
      (typeof HANDOVER_TEXTS)[number],
      typeof sentence
    >,
  )
}

const once = (items: readonly string[]) => new Set(items).size === items.length

const assistant = z.strictObject({
  isOn: z.boolean(),
  /** The name by which the assistant introduces itself. With null, it is the company's assistant. */
  name: formText(1, LIMITS.nameChars).nullable(),
  /** A description of the business. */
  profile: formText(0, LIMITS.profileChars),
  /** Instructions: what the assistant must do and must not do. */
  guidance: formText(0, LIMITS.guidanceChars),
  tone: z.enum(ASSISTANT_TONES),
  /** The language of answers if the customer's language is unknown. */
  language: z.enum(LANGUAGES),
  /** The time in ms that the assistant waits for another message. */
  debounceMs: z.int().min(0).max(LIMITS.debounceMs),
  /** The sentences that customers receive at a handover. Sent sentences replace all stored ones. */
  texts,
  /** The criteria for a lead and for its score. */
  leadCriteria: formText(0, LIMITS.leadCriteriaChars),
  /** The lowest score of a qualified lead. */
  qualifyAt: z.int().min(0).max(LEAD_LIMITS.maxScore),
  handsOverQualified: z.boolean(),
  /** Keys of the fields of contacts that the model may see. */
  readableFields: z
    .array(formText(1, CONTACT_LIMITS.fieldKeyChars))
    .max(LIMITS.readableFields)
    .refine(once, failsWith(fact('value_twice'))),
  /** Voice notes are transcribed by the models that can. */
  transcribes: z.boolean(),
  /** Photos are shown to the models that read images. */
  readsImages: z.boolean(),
  /** Tags that it may give. */
  tags: z
    .array(tagText)
    .max(LIMITS.tags)
    .refine(once, failsWith(fact('value_twice'))),
})

/** The settings to change, and the required `revision`: the one that the member saw, 0 before the first save. */
export const EditAssistant = assistant.partial().extend({ revision: z.int().min(0) })
export type EditAssistant = z.output<typeof EditAssistant>

export type AssistantView = z.output<typeof assistant> & {
  state: AssistantState
  /** The abilities of the models in use. A setting without an able model cannot be switched on. */
  able: { transcribes: boolean; readsImages: boolean }
  revision: number
  /** Null before the first save. */
  updatedAt: string | null
}

/** The settings with `ours`: all sentences of the service, each sent where the company has not written its own. */
export type AssistantWithDefaults = AssistantView & { ours: HandoverTexts }
