import { LEAD_LIMITS } from '../../../core/limits/leads.ts'
import { LEAD_TEMPERATURES } from '../../../core/vocabulary/leads.ts'
import { useWords } from '../../words/use-words.tsx'
import type { StepOf } from '../draft.ts'
import { formWords } from '../words-forms.ts'
import { FilledText, MaybeNumber, OneOf, YesNo } from './fields.tsx'
import { mainNext, onlyNext, type FormProps, type StepKindDesign } from './step-kind.ts'

type Lead = StepOf<'lead'>

export const LEAD: StepKindDesign<Lead> = {
  icon: 'target',
  group: 'customer',
  make: () => ({
    kind: 'lead',
    temperature: null,
    score: null,
    summary: null,
    qualify: false,
    next: null,
  }),
  exits: onlyNext,
  main: mainNext,
  summary: ({ temperature, score, summary }, say) => ({
    title: summary ?? say('lead_summary'),
    ...(temperature !== null && { detail: say(temperature) }),
    ...(score !== null && temperature === null && { detail: say('lead_score', { n: score }) }),
  }),
  Form,
}

function Form({ id, step, set, field, text }: FormProps<Lead>) {
  const t = useWords(formWords)
  return (
    <>
      <OneOf
        at={`steps.${id}.temperature`}
        label={t('temperature')}
        value={step.temperature ?? ''}
        options={[
          { value: '', label: t('as_it_is') },
          ...LEAD_TEMPERATURES.map((value) => ({ value, label: t(value) })),
        ]}
        onChange={(value) => set({ temperature: value === '' ? null : value })}
      />
      <MaybeNumber label={t('score')} min={0} max={LEAD_LIMITS.maxScore} {...field('score')} />
      <FilledText label={t('lead_text')} {...text('summary')} />
      <YesNo
        label={t('qualify')}
        help={t('qualify_help')}
        value={step.qualify}
        onChange={(qualify) => set({ qualify })}
      />
    </>
  )
}
