import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ChannelCheck } from '../../contract/dashboard/channel.ts'
import { useApi } from '../app/resources.ts'
import { Banner } from '../parts/Page.tsx'
import { useAct } from '../parts/use-act.ts'
import { useWords } from '../words/use-words.tsx'
import styles from './channels.module.css'
import { channelsWords } from './words.ts'

/** Asks the provider whether what is stored works now. */
export function CheckButton({ channelId }: { channelId: string }) {
  const t = useWords(channelsWords)
  const api = useApi()
  const { isBusy, run } = useAct()
  const [check, setCheck] = useState<ChannelCheck | null>(null)
  const look = async () => {
    const answer = await run(() => api.post('channels/:channelId/check', { channelId }))
    if (answer) setCheck(answer)
  }
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
        <Button loading={isBusy} onClick={() => void look()}>
          {t('check')}
        </Button>
      </div>
    </div>
  )
}
