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
  summary: ({ text, personId }, say, builder) => ({
    title: text ?? say('handover_summary'),
    detail: say('assigned_to', { name: personNamed(personId, builder, say) }),
  }),
  Form,
}

function Form({ field, text }: FormProps<Handover>) {
  const t = useWords(formWords)
  return (
    <>
      <p>{t('handover_help')}</p>
      <FilledText label={t('why_for_staff')} {...text('text')} />
      <Person label={t('who_gets_it')} noneLabel={t('whoever_takes_it')} {...field('personId')} />
    </>
  )
}
