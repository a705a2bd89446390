import { useWords } from '../../words/use-words.tsx'
import type { TriggerOf } from '../draft.ts'
import { formWords } from '../words-forms.ts'
import type { TriggerKindDesign } from './trigger-kind.ts'

export const MANUAL: TriggerKindDesign<TriggerOf<'manual'>> = {
  icon: 'play',
  make: () => ({ kind: 'manual' }),
  sets: () => [],
  summary: (_, say) => ({ title: say('manual_summary') }),
  Form,
}

function Form() {
  const t = useWords(formWords)
  return <p>{t('manual_help')}</p>
}
