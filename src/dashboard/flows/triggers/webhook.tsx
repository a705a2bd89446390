import { PageButton } from '../../parts/PageLink.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { useWords } from '../../words/use-words.tsx'
import { useBuilderContext } from '../builder-context.ts'
import type { TriggerOf } from '../draft.ts'
import { Line } from '../steps/fields.tsx'
import { formWords } from '../words-forms.ts'
import type { TriggerFormProps, TriggerKindDesign } from './trigger-kind.ts'

type Webhook = TriggerOf<'webhook'>

export const WEBHOOK: TriggerKindDesign<Webhook> = {
  icon: 'webhook',
  needsTemplateFirst: true,
  make: () => ({
    kind: 'webhook',
    phonePath: 'customer.phone',
    namePath: null,
    languagePath: null,
    keep: [],
  }),
  sets: ({ keep }) => keep.map(({ name }) => name),
  summary: ({ phonePath, namePath, languagePath, keep }, say) => ({
    title: say('webhook_summary'),
    detail: say('fields_mapped', {
      n: [phonePath, namePath, languagePath].filter(Boolean).length + keep.length,
    }),
  }),
  Form,
}

/** A summary of the paths, which are edited on the hook page, next to the last request. */
function Form({ field, text }: TriggerFormProps<Webhook>) {
  const t = useWords(formWords)
  const { flowId } = useBuilderContext()
  return (
    <>
      <p>{t('webhook_help')}</p>
      <PageButton
        variant="filled"
        leftSection={<Icon name="webhook" />}
        to="flows/$flowId/hook"
        params={{ flowId }}
      >
        {t('open_hook')}
      </PageButton>
      <Line label={t('phone_path')} isCode {...field('phonePath')} />
      <Line label={t('name_path')} isCode {...text('namePath')} />
      <Line label={t('language_path')} isCode {...text('languagePath')} />
    </>
  )
}
