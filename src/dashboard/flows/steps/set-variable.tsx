import { useWords } from '../../words/use-words.tsx'
import type { StepOf } from '../draft.ts'
import { formWords } from '../words-forms.ts'
import { FilledText, Line } from './fields.tsx'
import { mainNext, onlyNext, type FormProps, type StepKindDesign } from './step-kind.ts'

type SetVariable = StepOf<'set_variable'>

export const SET_VARIABLE: StepKindDesign<SetVariable> = {
  icon: 'code',
  group: 'decide',
  make: () => ({ kind: 'set_variable', name: 'value', text: '', next: null }),
  exits: onlyNext,
  main: mainNext,
  sets: ({ name }) => [name],
  summary: ({ name, text }, say) => ({ title: name, isCode: true, detail: text || say('empty') }),
  Form,
}

function Form({ field }: FormProps<SetVariable>) {
  const t = useWords(formWords)
  return (
    <>
      <Line label={t('variable')} help={t('variable_name_help')} isCode {...field('name')} />
      <FilledText label={t('value')} {...field('text')} />
    </>
  )
}
