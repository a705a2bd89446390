/** What a company tells its assistant. Spec: Assistant › Settings. */
import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { ASSISTANT_SETUP_LIMITS as LIMITS } from '../../core/limits/assistant-setup.ts'
import {
  ASSISTANT_TONES,
  HANDOVER_TEXTS,
  type AssistantState,
} from '../../core/vocabulary/assistant-setup.ts'
import { LANGUAGES } from '../../core/vocabulary/hooks.ts'
import { breaks } from '../../schemas/broken-rule.ts'
import { tagText } from './contact.ts'
import { formText } from '../../schemas/form-text.ts'
import { LEAD_LIMITS } from '../../core/limits/leads.ts'
import { CONTACT_LIMITS } from '../../core/limits/contacts.ts'

/** None: ours is said. */
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
  /** By which it calls itself; null: the company's assistant. */
  name: formText(1, LIMITS.nameChars).nullable(),
  /** What the business is and does. */
  profile: formText(0, LIMITS.profileChars),
  /** What it shall do and leave. */
  guidance: formText(0, LIMITS.guidanceChars),
  tone: z.enum(ASSISTANT_TONES),
  /** In which it answers where nothing tells the customer's. */
  language: z.enum(LANGUAGES),
  /** So long it waits for a further message. */
  debounceMs: z.int().min(0).max(LIMITS.debounceMs),
  /** What customers are told at a handover; all sentences replace all. */
  texts,
  /** Who is a lead, and how much it is worth. */
  leadCriteria: formText(0, LIMITS.leadCriteriaChars),
  /** From this score on a lead is qualified. */
  qualifyAt: z.int().min(0).max(LEAD_LIMITS.scoreMost),
  handsOverQualified: z.boolean(),
  /** Keys of the fields of contacts that the model may see. */
  readableFields: z
    .array(formText(1, CONTACT_LIMITS.fieldKeyChars))
    .max(LIMITS.readableFields)
    .refine(once, breaks(fact('value_twice'))),
  /** Voice notes are transcribed by the models that can. */
  transcribes: z.boolean(),
  /** Photos are shown to the models that read images. */
  readsImages: z.boolean(),
  /** Tags that it may give. */
  tags: z
    .array(tagText)
    .max(LIMITS.tags)
    .refine(once, breaks(fact('value_twice'))),
})

/** Only what is named changes. `revision`: of the settings as they were seen; 0 before the first save. */
export const EditAssistant = assistant.partial().extend({ revision: z.int().min(0) })
export type EditAssistant = z.output<typeof EditAssistant>

export type AssistantView = z.output<typeof assistant> & {
  state: AssistantState
  /** What a model that can be asked is able to do: what it is not cannot be switched on. */
  able: { transcribes: boolean; readsImages: boolean }
  revision: number
  /** Null before the first save. */
  updatedAt: string | null
}

/** `ours`: what customers are told where the company has no sentence of its own. */
export type AssistantWithOurs = AssistantView & { ours: HandoverTexts }
