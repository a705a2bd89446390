import { useState } from 'react'
import type { ChannelCheck } from '../../contract/dashboard/channel.ts'
import { useApi } from '../app/resources.ts'
import { Banner } from '../parts/Page.tsx'
import { ActButton } from '../parts/ActButton.tsx'
import { useWords } from '../words/use-words.tsx'
import styles from './channels.module.css'
import { channelsWords } from './words.ts'

/** A button that checks at the provider whether a channel's stored credentials work, and shows the result. */
export function CheckButton({ channelId }: { channelId: string }) {
  const t = useWords(channelsWords)
  const api = useApi()
  const [check, setCheck] = useState<ChannelCheck | null>(null)
  const look = async () => setCheck(await api.post('channels/:channelId/check', { channelId }))
  return (
    <div className={styles.form} aria-live="polite">
      {check &&
        (check.ok ? (
          <Banner tone="ok" title={t(check.isSubscribed ? 'check_ok_posts' : 'check_ok')}>
            <bdi>{check.label}</bdi>
          </Banner>
        ) : (
          <Banner tone="bad" title={t('check_failed')}>
            {check.reason.text}
          </Banner>
        ))}
      <div>
        <ActButton act={look}>{t('check')}</ActButton>
      </div>
    </div>
  )
}
