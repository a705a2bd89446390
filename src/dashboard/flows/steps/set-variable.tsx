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

function Form({ id, step, set }: FormProps<SetVariable>) {
  const t = useWords(formWords)
  return (
    <>
      <Line
        at={`steps.${id}.name`}
        label={t('variable')}
        help={t('variable_name_help')}
        isCode
        value={step.name}
        onChange={(name) => set({ name })}
      />
      <FilledText
        at={`steps.${id}.text`}
        label={t('value')}
        value={step.text}
        stepId={id}
        onChange={(text) => set({ text })}
      />
    </>
  )
}
