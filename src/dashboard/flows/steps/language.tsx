import { languageWords } from '../../../core/words/language-words.ts'
import { useWords } from '../../words/use-words.tsx'
import type { StepOf } from '../draft.ts'
import { formWords } from '../words-forms.ts'
import { OneOf } from './fields.tsx'
import { mainNext, onlyNext, type FormProps, type StepKindDesign } from './step-kind.ts'

type Language = StepOf<'language'>

export const LANGUAGE: StepKindDesign<Language> = {
  icon: 'globe',
  group: 'customer',
  make: () => ({ kind: 'language', language: 'ar', next: null }),
  exits: onlyNext,
  main: mainNext,
  summary: ({ language }, say) => ({ title: say(language) }),
  Form,
}

function Form({ field }: FormProps<Language>) {
  const t = useWords(formWords)
  const nameOfLanguage = useWords(languageWords)
  return (
    <OneOf
      label={t('language')}
      help={t('language_help')}
      options={[
        { value: 'ar', label: nameOfLanguage('ar') },
        { value: 'en', label: nameOfLanguage('en') },
      ]}
      {...field('language')}
    />
  )
}
