import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { PageButton } from '../../parts/PageLink.tsx'
import type { ChannelView } from '../../../contract/dashboard/channel.ts'
import { useApi } from '../../app/resources.ts'
import { Form, useApiForm } from '../../parts/form.tsx'
import { Banner, Details, PageHeader, Panel } from '../../parts/Page.tsx'
import { Time } from '../../parts/Time.tsx'
import { useWords } from '../../words/use-words.tsx'
import layout from '../../parts/layout.module.css'
import styles from '../channels.module.css'
import { LinkedPhone } from './LinkedPhone.tsx'
import type { ChannelGuide } from './channel-guide.ts'
import { whatsAppQrWords } from './whatsapp-qr-words.ts'

export const whatsAppQrGuide: ChannelGuide = {
  useTexts() {
    const t = useWords(whatsAppQrWords)
    return {
      connect: t('connect'),
      lead: t('lead'),
      given: t('risk'),
      needed: null,
      tryIt: t('try_it'),
      fields: [],
    }
  },
  Panels: LinkPanel,
  Connect: LinkNumber,
}

/** The page that links a number: first the member accepts the risk, then the phone scans the code. */
function LinkNumber() {
  const t = useWords(whatsAppQrWords)
  const [made, setMade] = useState<ChannelView | null>(null)
  return (
    <>
      <PageHeader isBelow title={t('connect')} lead={t('lead')} />
      <ol className={styles.steps}>
        <li>
          <Panel title={t('risk')}>
            {made ? <Accepted channel={made} /> : <Risk onMade={setMade} />}
          </Panel>
        </li>
        <li>
          <Panel title={t('scan')}>
            {made ? (
              <LinkedPhone channelId={made.id} />
            ) : (
              <p className={layout.help}>{t('scan_later')}</p>
            )}
          </Panel>
        </li>
        <li>
          <Panel title={t('check_step')}>
            {made ? (
              <div className={styles.form}>
                <p>{t('try_it')}</p>
                <div>
                  <PageButton to="channels/$channel" params={{ channel: made.id }}>
                    {t('to_channel')}
                  </PageButton>
                </div>
              </div>
            ) : (
              <p className={layout.help}>{t('check_later')}</p>
            )}
          </Panel>
        </li>
      </ol>
    </>
  )
}

function Risk({ onMade }: { onMade(channel: ChannelView): void }) {
  const t = useWords(whatsAppQrWords)
  const api = useApi()
  const form = useApiForm<{ name: string; acceptsRisk: boolean }>({
    values: { name: '', acceptsRisk: false },
    onSubmit: async ({ name, acceptsRisk }) => {
      const { channel } = await api.call('post', 'channels', {
        type: 'whatsapp_qr',
        name,
        acceptsRisk,
        credentials: {},
      })
      onMade(channel)
      await api.changed('channels')
    },
  })
  return (
    <Form form={form} act={t('continue')} className={styles.form}>
      <Banner tone="bad" title={t('risk_ban')}>
        {t('risk_lead')}
      </Banner>
      <p>{t('risk_pace')}</p>
      <p>{t('risk_not_first')}</p>
      <TextInput label={t('name')} description={t('name_why')} {...form.field('name')} />
      <Checkbox label={t('accept')} {...form.field('acceptsRisk')} />
    </Form>
  )
}

function Accepted({ channel: { riskAcceptedAt } }: { channel: ChannelView }) {
  const t = useWords(whatsAppQrWords)
  if (riskAcceptedAt === null) return null
  return <Details items={[[t('accepted'), <Time key="at" at={riskAcceptedAt} />]]} />
}

function LinkPanel({ channel }: { channel: ChannelView }) {
  const t = useWords(whatsAppQrWords)
  return (
    <Panel title={t('link_title')}>
      <div className={styles.form}>
        <LinkedPhone channelId={channel.id} />
        <Accepted channel={channel} />
      </div>
    </Panel>
  )
}
