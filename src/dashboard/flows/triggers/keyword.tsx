import { TagsInput } from '@mantine/core'
import { FLOW_LIMITS } from '../../../core/limits/flows.ts'
import { useFormat } from '../../words/format.ts'
import { useWords } from '../../words/use-words.tsx'
import { useBuilderContext } from '../builder-context.ts'
import type { TriggerOf } from '../draft.ts'
import { Either, idOf, YesNo } from '../steps/fields.tsx'
import { formWords } from '../words-forms.ts'
import type { TriggerFormProps, TriggerKindDesign } from './trigger-kind.ts'

type Keyword = TriggerOf<'keyword'>

export const KEYWORD: TriggerKindDesign<Keyword> = {
  icon: 'channels',
  make: () => ({ kind: 'keyword', words: [], match: 'contained', interrupts: false }),
  sets: () => [],
  summary: ({ words }, say) => ({
    title: words.length === 0 ? say('nothing_yet') : words.join(', '),
  }),
  Form,
}

function Form({ trigger, set }: TriggerFormProps<Keyword>) {
  const t = useWords(formWords)
  const { number } = useFormat()
  const { errorAt, mayEdit } = useBuilderContext()
  return (
    <>
      <TagsInput
        id={idOf('trigger.words')}
        label={t('keywords')}
        description={t('keywords_help', { most: number(FLOW_LIMITS.keywords) })}
        value={trigger.words}
        maxTags={FLOW_LIMITS.keywords}
        error={errorAt('trigger.words')}
        readOnly={!mayEdit}
        onChange={(words) => set({ words })}
      />
      <Either
        label={t('keyword_match')}
        value={trigger.match}
        options={[
          { value: 'contained', label: t('keyword_contained') },
          { value: 'exact', label: t('keyword_exact') },
        ]}
        onChange={(match) => set({ match })}
      />
      <YesNo
        label={t('interrupts')}
        help={t('interrupts_help')}
        value={trigger.interrupts}
        onChange={(interrupts) => set({ interrupts })}
      />
    </>
  )
}
