import { PageLink } from '../parts/PageLink.tsx'
import type { ChannelType } from '../../core/vocabulary/channels.ts'
import { useChannelName } from '../parts/use-channel-name.ts'
import { Ltr } from '../parts/Code.tsx'
import { Empty } from '../parts/Page.tsx'
import { Phone } from '../parts/Phone.tsx'
import { Time } from '../parts/Time.tsx'
import { useNarrowRows } from '../parts/use-is-phone-width.ts'
import { useWords } from '../words/use-words.tsx'
import { ChannelPill } from './ChannelPill.tsx'
import { useChannels } from './use-channels.ts'
import { ListPage } from '../parts/ListPage.tsx'
import { AddButton } from '../parts/AddButton.tsx'
import { channelsWords } from './words.ts'

const NUMBER = 'displayNumber'

/** The field that identifies a channel in the list. Bots, sites and phone lines have their name alone. */
const KNOWN_BY: Readonly<Partial<Record<ChannelType, string>>> = {
  whatsapp: NUMBER,
  whatsapp_qr: NUMBER,
  messenger: 'pageId',
  instagram: 'instagramId',
}

/** The list of channels through which customers write, with their problems. */
export function Channels() {
  const t = useWords(channelsWords)
  const channelName = useChannelName()
  const list = useChannels()
  const isNarrow = useNarrowRows()
  const connect = <AddButton to="channels/connect">{t('connect_channel')}</AddButton>
  return (
    <ListPage
      title={t('title')}
      lead={t('lead')}
      acts={(list.data?.length ?? 0) > 0 && connect}
      list={list}
      empty={
        <Empty title={t('none')} act={connect}>
          {t('none_why')}
        </Empty>
      }
      columns={[
        {
          head: t('name'),
          cell: ({ id, name, type }) => (
            <PageLink
              to="channels/$channel"
              params={{ channel: id }}
              named={name ?? channelName(type)}
            />
          ),
        },
        { phone: 'quiet', head: t('type'), cell: ({ type }) => channelName(type) },
        {
          phone: 'gone',
          head: t('known_as'),
          cell: ({ type, credentials }) => {
            const field = KNOWN_BY[type]
            const known = field === undefined ? null : credentials[field]
            if (known == null) return null
            return field === NUMBER ? <Phone phone={`+${known}`} /> : <Ltr>{known}</Ltr>
          },
        },
        { head: t('state'), cell: (channel) => <ChannelPill channel={channel} /> },
        {
          phone: 'line',
          head: t('notes'),
          cell: ({ disconnectedReason, isSimulated }) =>
            disconnectedReason?.text ??
            (isSimulated ? t('simulated') : isNarrow ? null : t('no_notes')),
        },
        { phone: 'gone', head: t('since'), cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  )
}
