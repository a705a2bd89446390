import { useWords } from '../../words/use-words.tsx'
import { useBuilderContext } from '../builder-context.ts'
import type { StepOf } from '../draft.ts'
import { formWords } from '../words-forms.ts'
import { Comparison, comparisonText } from './comparison.tsx'
import { VariableName } from './VariableName.tsx'
import { mainNext, type FormProps, type StepKindDesign } from './step-kind.ts'

type Condition = StepOf<'condition'>

export const CONDITION: StepKindDesign<Condition> = {
  icon: 'help',
  group: 'decide',
  make: () => ({
    kind: 'condition',
    variable: 'answer',
    is: 'equal',
    value: '',
    next: null,
    otherwise: null,
  }),
  exits: ({ next, otherwise }) => [
    { exit: 'next', to: next, label: (say) => say('exit_holds'), tone: 'ok' },
    { exit: 'otherwise', to: otherwise, label: (say) => say('exit_otherwise') },
  ],
  main: mainNext,
  summary: ({ variable, is, value }, say) => ({ title: comparisonText(variable, is, value, say) }),
  Form,
}

function Form({ id, step, set, field }: FormProps<Condition>) {
  const t = useWords(formWords)
  const { variablesAt } = useBuilderContext()
  return (
    <>
      <VariableName label={t('variable')} names={variablesAt(id)} {...field('variable')} />
      <Comparison at={`steps.${id}`} is={step.is} value={step.value} onChange={set} />
    </>
  )
}
