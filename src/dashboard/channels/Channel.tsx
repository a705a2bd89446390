import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useGo } from '../app/pages.ts'
import type { ChannelView } from '../../contract/dashboard/channel.ts'
import { useApi } from '../app/resources.ts'
import { useChannelName } from '../parts/use-channel-name.ts'
import { ConfirmButton } from '../parts/Dialogs.tsx'
import { Banner, PageHeader, Panel, ReadState, Details } from '../parts/Page.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { useWords } from '../words/use-words.tsx'
import { ChannelPill } from './ChannelPill.tsx'
import { ChannelSettings } from './ChannelSettings.tsx'
import { CheckButton } from './CheckButton.tsx'
import styles from './channels.module.css'
import { guideOf } from './connect/guides.ts'
import { channelsWords } from './words.ts'
import { PageLink } from '../parts/PageLink.tsx'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import { Ltr } from '../parts/Code.tsx'
import { Phone } from '../parts/Phone.tsx'
import { Time } from '../parts/Time.tsx'
import { NO_GUIDE, type ChannelGuide } from './connect/channel-guide.ts'
import { HOUR_MS } from '../../core/limits/units.ts'
import type { ChannelType } from '../../core/vocabulary/channels.ts'
import { Icon } from '../parts/Icon.tsx'
import { useFormat } from '../words/format.ts'

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

/** The data of a channel at its provider: the filled-in form, with only the last characters of secrets. */
function KnownAtProvider({ channel, guide }: { channel: ChannelView; guide: ChannelGuide | null }) {
  const t = useWords(channelsWords)
  const { fields } = (guide ?? NO_GUIDE).useTexts()
  const shown = fields.flatMap(({ name, label, options }) => {
    const value = channel.credentials[name]
    if (value != null) {
      const optionLabel = options?.find((option) => option.value === value)?.label
      if (name === 'displayNumber') {
        return [[label, <Phone key={name} phone={`+${value}`} />] as const]
      }
      return [[label, optionLabel ?? <Ltr key={name}>{value}</Ltr>] as const]
    }
    const end = channel.secretEnds[name]
    if (end === undefined) return []
    return [[label, <Ltr key={name}>{end === null ? '••••' : `…${end}`}</Ltr>] as const]
  })
  return (
    <div className={styles.form}>
      <Details
        items={[
          ...shown,
          ...(channel.country === null
            ? []
            : [[t('country'), <Ltr key="country">{channel.country}</Ltr>] as const]),
          [t('since'), <Time key="at" at={channel.createdAt} />],
        ]}
      />
      {capabilitiesOf(channel.type).hasTemplates && (
        <PageLink to="templates" search={{ channel: channel.id }}>
          {t('to_templates')}
        </PageLink>
      )}
    </div>
  )
}

/** Sentences on what is possible on a channel of this type, and what is not. */
function Capabilities({ type }: { type: ChannelType }) {
  const t = useWords(channelsWords)
  const format = useFormat()
  const can = capabilitiesOf(type)
  const reply =
    can.reply.kind === 'window'
      ? t('reply_window', { hours: can.reply.windowMs / HOUR_MS })
      : t(can.reply.kind === 'any_time' ? 'reply_any_time' : 'reply_never')
  const largest = Math.max(
    0,
    ...Object.values(can.media?.kinds ?? {}).map(({ maxBytes: mostBytes }) => mostBytes),
  )
  // On a channel without a reply window, no template is needed later.
  const noTemplates = can.reply.kind === 'window' ? 'templates_no' : 'templates_none'
  const rows: [boolean, string][] = [
    [can.reply.kind !== 'never', reply],
    [can.hasTemplates, t(can.hasTemplates ? 'templates_yes' : noTemplates)],
    [can.startsConversations, t(can.startsConversations ? 'starts_yes' : 'starts_no')],
    [
      can.longestText !== null,
      can.longestText === null
        ? t('text_no')
        : t(can.textUnit === 'utf8_bytes' ? 'text_bytes' : 'text_chars', { n: can.longestText }),
    ],
    [
      can.buttons !== null,
      can.buttons === null
        ? t(can.longestText === null ? 'buttons_no' : 'buttons_numbered')
        : can.list === null
          ? t('buttons_only', { n: can.buttons.max })
          : t('buttons_yes', { buttons: can.buttons.max, rows: can.list.max }),
    ],
    [
      can.media !== null,
      can.media === null ? t('media_no') : t('media_yes', { size: format.bytes(largest) }),
    ],
    [
      can.receipts.length > 0,
      can.receipts.length === 0
        ? t('receipts_no')
        : t('receipts_yes', {
            kinds: format.list(can.receipts.map((kind) => t(`receipt_${kind}`))),
          }),
    ],
    [can.understandsStop, t(can.understandsStop ? 'stop_yes' : 'stop_no')],
    [can.verifiesIdentity, t(can.verifiesIdentity ? 'identity_yes' : 'identity_no')],
  ]
  return (
    <ul className={styles.can}>
      {rows.map(([isSo, text]) => (
        <li key={text} data-so={isSo}>
          <Icon name={isSo ? 'check' : 'off'} />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  )
}
