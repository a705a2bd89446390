/**
 * What a customer is told of what came of a proposal. Code writes it, never a model: it stands before whatever the
 * model says. Spec: Calls › Confirmation.
 */
import { cutCodePoints } from '../text/json-text.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'

/** `failed`: their system refused it. `unknown`: nobody knows whether it was done. */
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

/** Of what was stated: the customer has read it whole. */
const MOST_CHARS = 500

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

/** `what` is null where what was stated is not there any more. */
export function stateOutcome(state: OutcomeState, what: string | null, language: Language): string {
  const sentence = CATALOGS[language][state]
  return what === null ? `${sentence}.` : `${sentence}: ${cutCodePoints(what, MOST_CHARS)}.`
}
