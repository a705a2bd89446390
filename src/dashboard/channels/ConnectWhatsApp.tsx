import { Button, PasswordInput, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ConnectedChannel } from '../../contract/dashboard/channel.ts'
import { api, ask } from '../app/api.ts'
import { useCompanyId } from '../app/company.ts'
import { queries } from '../app/queries.ts'
import { FormFoot, useApiForm } from '../parts/form.tsx'
import { PageHeader, Panel } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { CheckButton } from './CheckButton.tsx'
import styles from './channels.module.css'
import { PasteAtProvider } from './PasteAtProvider.tsx'
import { channelsWords } from './words.ts'

const OPEN_FIELDS = ['displayNumber', 'phoneNumberId', 'businessAccountId'] as const
const SECRETS = ['accessToken', 'appSecret'] as const
type Field = (typeof OPEN_FIELDS)[number] | (typeof SECRETS)[number]

type Values = { name: string; country: string; credentials: Record<Field, string> }

/** First what the provider gives is entered here, then what we give is entered there. */
export function ConnectWhatsApp() {
  const t = useWords(channelsWords)
  const companyId = useCompanyId()
  const [made, setMade] = useState<ConnectedChannel | null>(null)
  const form = useApiForm<Values>({
    values: {
      name: '',
      country: '',
      credentials: {
        displayNumber: '',
        phoneNumberId: '',
        businessAccountId: '',
        accessToken: '',
        appSecret: '',
      },
    },
    onSubmit: async ({ name, country, credentials }) => {
      const connected = await ask(
        api.companies[':companyId'].channels.$post({
          param: { companyId },
          json: {
            type: 'whatsapp',
            name,
            credentials: {
              ...credentials,
              displayNumber: credentials.displayNumber.replaceAll(/[\s+()-]/g, ''),
            },
            ...(country !== '' && { country: country.toUpperCase() }),
          },
        }),
      )
      setMade(connected)
      await queries.invalidateQueries({ queryKey: ['channels', companyId] })
    },
  })
  return (
    <>
      <PageHeader title={t('connect_whatsapp')} lead={t('connect_lead')} />
      <ol className={styles.steps}>
        <li>
          <Panel title={t('step_1')}>
            {made === null ? (
              <form onSubmit={form.submit} className={styles.form} noValidate>
                <TextInput
                  label={t('name')}
                  description={t('name_why')}
                  dir="auto"
                  error={form.errorOf('name')}
                  {...form.register('name')}
                />
                {OPEN_FIELDS.map((field) => (
                  <TextInput
                    key={field}
                    label={t(field)}
                    description={t(`${field}_where`)}
                    classNames={{ input: styles.ltr! }}
                    error={form.errorOf(`credentials.${field}`)}
                    {...form.register(`credentials.${field}`)}
                  />
                ))}
                {SECRETS.map((field) => (
                  <PasswordInput
                    key={field}
                    label={t(field)}
                    description={t(`${field}_where`)}
                    autoComplete="off"
                    classNames={{ innerInput: styles.ltr! }}
                    error={form.errorOf(`credentials.${field}`)}
                    {...form.register(`credentials.${field}`)}
                  />
                ))}
                <TextInput
                  label={t('country')}
                  description={t('country_why')}
                  w={180}
                  classNames={{ input: styles.ltr! }}
                  error={form.errorOf('country')}
                  {...form.register('country')}
                />
                <FormFoot form={form} act={t('connect')} />
              </form>
            ) : (
              <p>{t('step_1_done')}</p>
            )}
          </Panel>
        </li>
        <li>
          <Panel title={t('step_2')}>
            {made === null ? (
              <p className={styles.faint}>{t('step_2_later')}</p>
            ) : (
              <PasteAtProvider
                url={made.channel.webhookUrl ?? ''}
                verifyToken={made.shownOnce['verifyToken'] ?? null}
              />
            )}
          </Panel>
        </li>
        <li>
          <Panel title={t('step_3')}>
            {made === null ? (
              <p className={styles.faint}>{t('step_3_later')}</p>
            ) : (
              <div className={styles.form}>
                <CheckButton channelId={made.channel.id} />
                <p>{t('step_3_write')}</p>
                <Button
                  renderRoot={(props) => (
                    <Link
                      to="/p/$company/channels/$channel"
                      params={{ company: companyId, channel: made.channel.id }}
                      {...props}
                    />
                  )}
                >
                  {t('to_channel')}
                </Button>
              </div>
            )}
          </Panel>
        </li>
      </ol>
    </>
  )
}
