import { useWords } from '../../words/use-words.tsx'
import type { StepOf } from '../draft.ts'
import { formWords } from '../words-forms.ts'
import { FilledText } from './fields.tsx'
import { Person, personNamed } from './Person.tsx'
import type { FormProps, StepKindDesign } from './step-kind.ts'

type Handover = StepOf<'handover'>

export const HANDOVER: StepKindDesign<Handover> = {
  icon: 'hand_over',
  group: 'finish',
  make: () => ({ kind: 'handover', text: null, personId: null }),
  exits: () => [],
  main: () => null,
  summary: ({ text, personId }, say, around) => ({
    title: text ?? say('handover_summary'),
    detail: say('assigned_to', { name: personNamed(personId, around, say) }),
  }),
  Form,
}

function Form({ id, step, set }: FormProps<Handover>) {
  const t = useWords(formWords)
  return (
    <>
      <p>{t('handover_help')}</p>
      <FilledText
        at={`steps.${id}.text`}
        label={t('why_for_staff')}
        value={step.text ?? ''}
        stepId={id}
        onChange={(text) => set({ text: text || null })}
      />
      <Person
        at={`steps.${id}.personId`}
        label={t('who_gets_it')}
        noneLabel={t('whoever_takes_it')}
        personId={step.personId}
        onChange={(personId) => set({ personId })}
      />
    </>
  )
}
