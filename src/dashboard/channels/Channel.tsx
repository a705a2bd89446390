import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useGo } from '../app/pages.ts'
import type { ChannelView } from '../../contract/dashboard/channel.ts'
import { useApi } from '../app/resources.ts'
import { useChannelName } from '../parts/use-channel-name.ts'
import { ConfirmButton } from '../parts/Dialogs.tsx'
import { Banner, PageHeader, Panel, ReadState } from '../parts/Page.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { useWords } from '../words/use-words.tsx'
import { Capabilities } from './Capabilities.tsx'
import { ChannelPill } from './ChannelPill.tsx'
import { ChannelSettings } from './ChannelSettings.tsx'
import { CheckButton } from './CheckButton.tsx'
import styles from './channels.module.css'
import { guideOf } from './connect/guides.ts'
import { KnownAtProvider } from './KnownAtProvider.tsx'
import { channelsWords } from './words.ts'

/** Secrets are shown only when a channel is connected. */
const NO_SECRETS = {}

/** The page of one channel: its state, its settings and what it can do. */
export function Channel() {
  const t = useWords(channelsWords)
  const channelName = useChannelName()
  const api = useApi()
  const { channel: channelId } = useParams({ from: '/p/$company/channels/$channel' })
  const query = useQuery(api.get('channels/:channelId', { channelId }))
  const { data: channel } = query
  if (!channel) return <ReadState of={query} />
  const guide = guideOf(channel.type)
  const canDo = (
    <Panel title={t('can_do')}>
      <Capabilities type={channel.type} />
    </Panel>
  )
  return (
    <>
      <PageHeader
        isBelow
        title={<bdi>{channel.name ?? channelName(channel.type)}</bdi>}
        lead={channelName(channel.type)}
        pill={<ChannelPill channel={channel} />}
        acts={<Switches channel={channel} />}
      />
      {!channel.isConnected && (
        <Banner tone="bad" title={t('is_disconnected')}>
          {channel.disconnectedReason?.text}
        </Banner>
      )}
      {channel.isConnected && channel.problem && (
        <Banner tone="busy" title={channel.problem.text} />
      )}
      {channel.isConnected && !channel.problem && channel.isSimulated && (
        <Banner tone="busy" title={t('simulated_why')} />
      )}
      <div className={styles.columns}>
        <div className={styles.form}>
          <ChannelSettings channel={channel} guide={guide} />
          {guide?.Panels && <guide.Panels channel={channel} />}
          {!guide?.isOurs && canDo}
        </div>
        <div className={styles.form}>
          {guide?.isOurs ? (
            canDo
          ) : (
            <>
              <Panel title={t('health')}>
                <CheckButton channelId={channel.id} />
              </Panel>
              <Panel title={t('at_provider')}>
                <KnownAtProvider channel={channel} guide={guide} />
              </Panel>
            </>
          )}
          {guide?.AtProvider && (
            <Panel title={t('provider_needs')}>
              <guide.AtProvider channel={channel} shownOnce={NO_SECRETS} />
            </Panel>
          )}
        </div>
      </div>
    </>
  )
}

function Switches({ channel }: { channel: ChannelView }) {
  const t = useWords(channelsWords)
  const channelName = useChannelName()
  const api = useApi()
  const go = useGo()
  const { isBusy, run } = useApiMutation()
  const name = channel.name ?? channelName(channel.type)
  const reconnect = () =>
    run(() => api.post('channels/:channelId/connect', { channelId: channel.id }), {
      done: t('was_reconnected'),
    })
  return (
    <>
      <ConfirmButton
        label={t('delete')}
        isGrave
        title={t('delete_title', { name })}
        act={t('delete')}
        send={async () => {
          await api.delete('channels/:channelId', { channelId: channel.id })
          await go('channels', {})
        }}
        done={t('was_deleted')}
      >
        {t('delete_why')}
      </ConfirmButton>
      {channel.isConnected ? (
        <ConfirmButton
          label={t('disconnect')}
          title={t('disconnect_title', { name })}
          act={t('disconnect')}
          send={async () => {
            await api.post('channels/:channelId/disconnect', { channelId: channel.id })
            toastSuccess(t('was_disconnected'), {
              label: t('reconnect'),
              run: () => void reconnect(),
            })
          }}
        >
          {t('disconnect_why')}
        </ConfirmButton>
      ) : (
        <Button variant="filled" loading={isBusy} onClick={() => void reconnect()}>
          {t('reconnect')}
        </Button>
      )}
    </>
  )
}
