import { useWords } from '../../words/use-words.tsx'
import type { StepOf } from '../draft.ts'
import { formWords } from '../words-forms.ts'
import type { StepKindDesign } from './step-kind.ts'

export const RESOLVE: StepKindDesign<StepOf<'resolve'>> = {
  icon: 'check',
  group: 'finish',
  make: () => ({ kind: 'resolve' }),
  exits: () => [],
  main: () => null,
  summary: (_, say) => ({ title: say('resolve_summary') }),
  Form,
}

function Form() {
  const t = useWords(formWords)
  return <p>{t('resolve_help')}</p>
}
