import { useWords } from '../../words/use-words.tsx'
import type { TriggerOf } from '../draft.ts'
import { formWords } from '../words-forms.ts'
import type { TriggerKindDesign } from './trigger-kind.ts'

export const CONVERSATION_STARTED: TriggerKindDesign<TriggerOf<'conversation_started'>> = {
  icon: 'inbox',
  make: () => ({ kind: 'conversation_started' }),
  sets: () => [],
  summary: (_, say) => ({ title: say('conversation_started_summary') }),
  Form,
}

function Form() {
  const t = useWords(formWords)
  return <p>{t('conversation_started_help')}</p>
}
