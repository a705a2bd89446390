import { useWords } from '../../words/use-words.tsx'
import type { StepOf } from '../draft.ts'
import { formWords } from '../words-forms.ts'
import type { StepKindDesign } from './step-kind.ts'

export const END: StepKindDesign<StepOf<'end'>> = {
  icon: 'stop',
  group: 'finish',
  make: () => ({ kind: 'end' }),
  exits: () => [],
  main: () => null,
  isEnd: true,
  summary: (_, say) => ({ title: say('end') }),
  Form,
}

function Form() {
  const t = useWords(formWords)
  return <p>{t('end_help')}</p>
}
