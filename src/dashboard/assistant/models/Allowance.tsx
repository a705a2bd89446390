import { NumberInput } from '@mantine/core'
import type { ModelsView } from '../../../contract/dashboard/model.ts'
import { accountApi } from '../../app/resources.ts'
import { useMay } from '../../app/session.ts'
import { Form, useApiForm } from '../../parts/form.tsx'
import { Meter, Panel } from '../../parts/Page.tsx'
import { useFormat } from '../../words/format.ts'
import { useWords } from '../../words/use-words.tsx'
import layout from '../../parts/layout.module.css'
import { modelsWords } from './words.ts'

/** The share of the account's daily tokens that is used, and for Owners a field that lowers their limit. */
export function Allowance({
  allowance: { tokensPerDay, maxTokensPerDay: mostTokensPerDay, usedToday },
}: {
  allowance: ModelsView['allowance']
}) {
  const t = useWords(modelsWords)
  const format = useFormat()
  const { own } = useMay()
  const form = useApiForm<{ tokensPerDay: number | string }>({
    values: { tokensPerDay: tokensPerDay === mostTokensPerDay ? '' : tokensPerDay },
    onSubmit: async (values) => {
      const json = { tokensPerDay: values.tokensPerDay === '' ? null : Number(values.tokensPerDay) }
      await accountApi.put('/models/allowance', json)
    },
    done: t('allowance_saved'),
  })
  return (
    <Panel
      title={t('allowance')}
      end={t('allowance_of', {
        used: format.number(usedToday),
        limit: format.number(tokensPerDay),
      })}
    >
      <div className={layout.pageForm}>
        <Meter value={usedToday} limit={tokensPerDay} label={t('allowance')} />
        <p className={layout.help}>{t('allowance_why')}</p>
        {own && (
          <Form form={form} className={layout.pageForm}>
            <NumberInput
              label={t('allowance_set')}
              description={t('allowance_most', { n: mostTokensPerDay })}
              min={1}
              allowDecimal={false}
              thousandSeparator=","
              {...form.pick('tokensPerDay')}
            />
          </Form>
        )}
      </div>
    </Panel>
  )
}
