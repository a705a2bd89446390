import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useGo } from '../app/pages.ts'
import { Form, useApiForm } from '../parts/form.tsx'
import type { NewEndpoint as MadeEndpoint } from '../../contract/dashboard/endpoint.ts'
import { CURRENT_API_VERSION, EVENT_TYPES, type EventType } from '../../core/vocabulary/events.ts'
import { useApi } from '../app/resources.ts'
import { SecretDialog } from '../parts/Dialogs.tsx'
import { Details, PageHeader } from '../parts/Page.tsx'
import { Ltr } from '../parts/Code.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useLeaveGuard } from '../parts/use-leave-guard.ts'
import { useWords } from '../words/use-words.tsx'
import { EventTypesField } from './EventTypesField.tsx'
import { PlanBanner } from './PlanBanner.tsx'
import { UrlField } from './UrlField.tsx'
import { SECRET_ENV } from './secret-env.ts'
import styles from './webhooks.module.css'
import { webhooksWords } from './words.ts'

type Values = { name: string; url: string; eventTypes: EventType[] }

/** The page with the form that creates an endpoint, and shows its secret once. */
export function NewEndpoint() {
  const t = useWords(webhooksWords)
  const api = useApi()
  const go = useGo()
  const [made, setMade] = useState<MadeEndpoint | null>(null)
  const form = useApiForm<Values>({
    values: { name: '', url: '', eventTypes: [...EVENT_TYPES] },
    onSubmit: async (values) => {
      // The secret is shown once, so its dialog does not wait for another read.
      setMade(await api.call('post', 'endpoints', { ...values, url: values.url.trim() }))
      void api.changed('endpoints')
    },
  })
  useLeaveGuard(form.isBusy)
  return (
    <>
      <PageHeader isBelow title={t('new_title')} lead={t('new_lead')} />
      <PlanBanner />
      <Form form={form} act={t('add')} className={styles.form}>
        <TextInput
          label={t('name')}
          description={t('name_help')}
          {...form.field('name', {
            validate: (text) => text.trim() !== '' || t('name_missing'),
          })}
        />
        <UrlField form={form} />
        <EventTypesField
          {...form.pick('eventTypes', {
            validate: (chosen) => chosen.length > 0 || t('choose_types'),
          })}
        />
        <Details items={[[t('version'), <Ltr key="version">{CURRENT_API_VERSION}</Ltr>]]} />
      </Form>
      <SecretDialog
        title={t('secret_title')}
        secret={made?.secret ?? null}
        fingerprint={made?.endpoint.secrets[0]?.fingerprint ?? undefined}
        envName={SECRET_ENV}
        onClose={() => {
          toastSuccess(t('created'))
          void go('webhooks/$endpoint', { endpoint: made!.endpoint.id }, { test: true })
        }}
      />
    </>
  )
}
