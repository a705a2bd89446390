import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { PageButton } from '../../parts/PageLink.tsx'
import type { ConnectedChannel } from '../../../contract/dashboard/channel.ts'
import type { ChannelType } from '../../../core/vocabulary/channels.ts'
import { PageHeader, Panel } from '../../parts/Page.tsx'
import { useWords } from '../../words/use-words.tsx'
import layout from '../../parts/layout.module.css'
import styles from '../channels.module.css'
import { CheckButton } from '../CheckButton.tsx'
import { channelsWords } from '../words.ts'
import type { ChannelGuide } from './channel-guide.ts'
import { ConnectForm } from './ConnectForm.tsx'
import { guideOf } from './guides.ts'
import { PickType } from './PickType.tsx'

/** The page that connects a channel of one type; for an unknown type, the page that chooses one. */
export function Connect() {
  const { type } = useParams({ from: '/p/$company/channels/connect/$type' })
  const guide = guideOf(type)
  if (!guide) return <PickType />
  return guide.Connect ? (
    <guide.Connect key={type} />
  ) : (
    <Guided key={type} type={type as ChannelType} guide={guide} />
  )
}

/** The two parts of connecting: the provider's values are entered here, then this service's at the provider. */
function Guided({ type, guide }: { type: ChannelType; guide: ChannelGuide }) {
  const t = useWords(channelsWords)
  const texts = guide.useTexts()
  const [made, setMade] = useState<ConnectedChannel | null>(null)
  const hasStepAtProvider = guide.AtProvider !== undefined && texts.needed !== null
  return (
    <>
      <PageHeader isBelow title={texts.connect} lead={texts.lead} />
      <ol className={styles.steps}>
        <li>
          <Panel title={texts.given}>
            {made === null ? (
              <ConnectForm type={type} guide={guide} onConnected={setMade} />
            ) : (
              <p>{t('given_done')}</p>
            )}
          </Panel>
        </li>
        {guide.AtProvider && texts.needed !== null && (
          <li>
            <Panel title={texts.needed}>
              {made === null ? (
                <p className={layout.help}>{t('needed_later')}</p>
              ) : (
                <guide.AtProvider channel={made.channel} shownOnce={made.shownOnce} />
              )}
            </Panel>
          </li>
        )}
        <li>
          <Panel title={t('check_step', { step: hasStepAtProvider ? '3' : '2' })}>
            {made === null ? (
              <p className={layout.help}>{t('check_later')}</p>
            ) : (
              <TryIt channelId={made.channel.id} tryIt={texts.tryIt} />
            )}
          </Panel>
        </li>
      </ol>
    </>
  )
}

/** The last step: the check at the provider, and the first message. */
function TryIt({ channelId, tryIt }: { channelId: string; tryIt: string }) {
  const t = useWords(channelsWords)
  return (
    <div className={styles.form}>
      <CheckButton channelId={channelId} />
      <p>{tryIt}</p>
      <PageButton to="channels/$channel" params={{ channel: channelId }}>
        {t('to_channel')}
      </PageButton>
    </div>
  )
}
