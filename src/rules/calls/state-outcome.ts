/**
 * Renders the outcome of a proposal for the customer. Code writes it, never a model, and it precedes the model's text.
 * Spec: Calls › Confirmation.
 */
import { cutCodePoints } from '../text/json-text.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'

/**
 * The outcomes of a proposal. `failed`: the merchant's system refused it. `unknown`: the result cannot be determined.
 */
export const OUTCOME_STATES = [
  'agreed',
  'failed',
  'unknown',
  'refused',
  'late',
  'unclear',
  'withdrawn',
] as const
export type OutcomeState = (typeof OUTCOME_STATES)[number]

/** The limit of the repeated name; the customer has already read the whole confirmation text. */
const MAX_CHARS = 500

const CATALOGS: Readonly<Record<Language, Readonly<Record<OutcomeState, string>>>> = {
  en: {
    agreed: 'Done',
    failed: 'The shop’s system did not accept this, and nothing was changed',
    unknown: 'I could not find out whether this went through',
    refused: 'All right, I did not do this',
    late: 'Your answer came too late for this, and nothing was changed',
    unclear: 'I had no clear yes, so nothing was changed',
    withdrawn: 'This is no longer possible as it was, and nothing was changed',
  },
  ar: {
    agreed: 'تم',
    failed: 'لم يقبله نظام المتجر، ولم يتغيّر شيء',
    unknown: 'لم أستطع التأكد من تنفيذ هذا',
    refused: 'حسناً، لم أنفّذ هذا',
    late: 'وصل ردّك متأخراً، ولم يتغيّر شيء',
    unclear: 'لم تصلني موافقة واضحة، فلم يتغيّر شيء',
    withdrawn: 'لم يعد هذا ممكناً كما كان، ولم يتغيّر شيء',
  },
}

/**
 * Returns the sentence that tells the customer what became of a proposal. `what` names the action, and is null when its
 * name is no longer known.
 */
export function stateOutcome(state: OutcomeState, what: string | null, language: Language): string {
  const sentence = CATALOGS[language][state]
  return what === null ? `${sentence}.` : `${sentence}: ${cutCodePoints(what, MAX_CHARS)}.`
}
