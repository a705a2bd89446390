import { TextInput } from '@mantine/core'
import { useGo } from '../../app/pages.ts'
import { useApi } from '../../app/resources.ts'
import { Form, useApiForm } from '../../parts/form.tsx'
import { PageHeader, Panel } from '../../parts/Page.tsx'
import { toastSuccess } from '../../parts/toasts.tsx'
import { useApiMutation } from '../../parts/use-api-mutation.ts'
import { useWords } from '../../words/use-words.tsx'
import layout from '../../parts/layout.module.css'
import styles from '../channels.module.css'
import { siteWords } from './site-words.ts'

/** A channel type that is part of a website and has no provider. */
export type SiteType = 'web_widget' | 'website'

/** A form that connects a widget or web form by a name and a site. The channel's page then shows the code to paste. */
export function ConnectSite({ type }: { type: SiteType }) {
  const t = useWords(siteWords)
  const api = useApi()
  const go = useGo()
  const { run } = useApiMutation()
  const form = useApiForm<{ name: string; origins: string[] }>({
    values: { name: '', origins: [''] },
    onSubmit: async ({ name, origins }) => {
      const { channel } = await api.post('channels', { type, name, credentials: {} })
      // The channel exists already, so a refused site is shown as a toast and is corrected on the channel's page.
      await run(() =>
        api.patch(
          'channels/:channelId/site',
          { channelId: channel.id },
          { origins: origins.filter(Boolean) },
        ),
      )
      toastSuccess(t('connected'))
      await go('channels/$channel', { channel: channel.id })
    },
  })
  return (
    <>
      <PageHeader isBelow title={t(`connect_${type}`)} lead={t(`lead_${type}`)} />
      <ol className={styles.steps}>
        <li>
          <Panel title={t('given')}>
            <Form form={form} act={t('connect')} className={styles.form}>
              <TextInput label={t('name')} description={t('name_why')} {...form.field('name')} />
              <TextInput
                label={t('site')}
                description={t('site_where')}
                classNames={{ input: layout.ltr! }}
                {...form.field('origins.0')}
              />
            </Form>
          </Panel>
        </li>
      </ol>
    </>
  )
}
