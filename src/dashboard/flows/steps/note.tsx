import { FLOW_LIMITS } from '../../../core/limits/flows.ts'
import { useWords } from '../../words/use-words.tsx'
import type { StepOf } from '../draft.ts'
import { formWords } from '../words-forms.ts'
import { FilledText } from './fields.tsx'
import { mainNext, onlyNext, type FormProps, type StepKindDesign } from './step-kind.ts'

type Note = StepOf<'note'>

export const NOTE: StepKindDesign<Note> = {
  icon: 'note',
  group: 'customer',
  make: () => ({ kind: 'note', text: '', next: null }),
  exits: onlyNext,
  main: mainNext,
  summary: ({ text }, say) => ({ title: text || say('nothing_yet') }),
  Form,
}

function Form({ field }: FormProps<Note>) {
  const t = useWords(formWords)
  return (
    <FilledText
      label={t('text')}
      help={t('note_help')}
      max={FLOW_LIMITS.noteChars}
      {...field('text')}
    />
  )
}
