import { useWords } from '../../words/use-words.tsx'
import type { StepOf } from '../draft.ts'
import { formWords } from '../words-forms.ts'
import { Person, personNamed } from './Person.tsx'
import { mainNext, onlyNext, type FormProps, type StepKindDesign } from './step-kind.ts'

type Assign = StepOf<'assign'>

export const ASSIGN: StepKindDesign<Assign> = {
  icon: 'person_add',
  group: 'customer',
  make: () => ({ kind: 'assign', personId: null, next: null }),
  exits: onlyNext,
  main: mainNext,
  summary: ({ personId }, say, builder) => ({
    title: personId === null ? say('to_nobody') : personNamed(personId, builder, say),
  }),
  Form,
}

function Form({ field }: FormProps<Assign>) {
  const t = useWords(formWords)
  return <Person label={t('who_gets_it')} noneLabel={t('to_nobody')} {...field('personId')} />
}
