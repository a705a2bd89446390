import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useGo } from '../app/pages.ts'
import type { EndpointView } from '../../contract/dashboard/endpoint.ts'
import { useApi } from '../app/resources.ts'
import { Confirm, ConfirmButton } from '../parts/Dialogs.tsx'
import { Form, useApiForm } from '../parts/form.tsx'
import { Panel } from '../parts/Page.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useWords } from '../words/use-words.tsx'
import { UrlField } from './UrlField.tsx'
import { useEditEndpoint } from './use-edit-endpoint.ts'
import styles from './webhooks.module.css'
import { endpointWords } from './words-endpoint.ts'
import { webhooksWords } from './words.ts'

/** The settings tab of an endpoint: a form that changes it, and a button that deletes it. */
export function EndpointSettings({ endpoint }: { endpoint: EndpointView }) {
  return (
    <div className={`${styles.stack} ${styles.narrow}`}>
      <Change endpoint={endpoint} />
      <Delete endpoint={endpoint} />
    </div>
  )
}

type Values = { name: string; url: string }

/** The form of name and URL. A changed URL needs a confirmation, because customers' data is sent there. */
function Change({ endpoint }: { endpoint: EndpointView }) {
  const t = useWords(endpointWords)
  const list = useWords(webhooksWords)
  const edit = useEditEndpoint(endpoint)
  const [asked, setAsked] = useState<Values | null>(null)
  const save = async ({ name, url }: Values) => {
    await edit({ name, ...(url !== endpoint.url && { url }) })
    toastSuccess(t('saved'))
  }
  const form = useApiForm<Values>({
    values: { name: endpoint.name, url: endpoint.url },
    version: endpoint.updatedAt,
    onSubmit: async ({ name, url }) => {
      const values = { name, url: url.trim() }
      if (values.url !== endpoint.url && asked === null) {
        setAsked(values)
        return false
      }
      await save(values)
      return true
    },
  })
  return (
    <Panel title={t('settings')}>
      <Form form={form} className={styles.form}>
        <TextInput label={t('name')} description={list('name_help')} {...form.field('name')} />
        <UrlField form={form} />
      </Form>
      <Confirm
        isOpen={asked !== null}
        title={t('url_ask')}
        act={t('url_act')}
        send={() => form.submit()}
        onClose={() => setAsked(null)}
      >
        {t('url_text')}
        <code className={styles.address}>{asked?.url}</code>
      </Confirm>
    </Panel>
  )
}

function Delete({ endpoint }: { endpoint: EndpointView }) {
  const t = useWords(endpointWords)
  const api = useApi()
  const go = useGo()
  const { name } = endpoint
  return (
    <Panel title={t('delete_title')}>
      <p className={styles.help}>{t('delete_help')}</p>
      <ConfirmButton
        label={t('delete')}
        isGrave
        title={t('delete_ask', { name })}
        typed={{ label: t('name'), name }}
        send={async () => {
          await api.delete('endpoints/:endpointId', { endpointId: endpoint.id })
          await go('webhooks', {})
        }}
        done={t('deleted')}
      >
        <p className={styles.help}>{t('delete_text')}</p>
      </ConfirmButton>
    </Panel>
  )
}
