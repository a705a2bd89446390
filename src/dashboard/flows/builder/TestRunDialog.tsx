import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useGo } from '../../app/pages.ts'
import { useApi } from '../../app/resources.ts'
import { newKey } from '../../app/new-key.ts'
import type { FlowDetail } from '../../../contract/dashboard/flow.ts'
import type { ChosenCountry } from '../../parts/chosen-country.ts'
import { useChosenCountry } from '../../parts/use-chosen-country.ts'
import { PhoneField } from '../../parts/PhoneField.tsx'
import { useApiForm } from '../../parts/form.tsx'
import { toastSuccess } from '../../parts/toasts.tsx'
import { useWords } from '../../words/use-words.tsx'
import { variablesOfTrigger } from '../triggers/kinds.ts'
import styles from '../flows.module.css'
import { builderWords } from '../words-builder.ts'
import { FormDialog } from '../../parts/FormDialog.tsx'

const OF_COMPANY: { country: ChosenCountry } = { country: 'company' }

/** A dialog that runs the published version for the member's own number, with values for those of the trigger. */
export function TestRunDialog({ flow, onClose }: { flow: FlowDetail; onClose(): void }) {
  const t = useWords(builderWords)
  const api = useApi()
  const go = useGo()
  const { published } = flow
  const [key] = useState(newKey)
  const countryOf = useChosenCountry()
  const names = published ? variablesOfTrigger(published.definition.trigger) : []
  const form = useApiForm({
    values: {
      phone: '',
      ...OF_COMPANY,
      variables: Object.fromEntries(names.map((name) => [name, ''])),
    },
    onSubmit: async ({ phone, country, variables }) => {
      const { id } = await api.post(
        'flows/:flowId/test-runs',
        { flowId: flow.id },
        {
          phone,
          country: countryOf(country),
          key,
          variables: Object.fromEntries(
            Object.entries(variables).map(([name, value]) => [name, value || null]),
          ),
        },
      )
      onClose()
      toastSuccess(t('test_started'), {
        label: t('see_run'),
        run: () => void go('runs/$run', { run: id }),
      })
    },
  })
  return (
    <FormDialog form={form} title={t('test_run')} act={t('test_start')} onClose={onClose}>
      <p className={styles.help}>{t('test_run_lead', { n: published?.number ?? 0 })}</p>
      <PhoneField form={form} name="phone" label={t('test_phone')} isNeeded hasFocus />
      {names.map((name) => (
        <TextInput
          key={name}
          label={t('sample_for', { name })}
          {...form.field(`variables.${name}`)}
        />
      ))}
    </FormDialog>
  )
}
