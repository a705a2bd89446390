import { PageLink } from '../../parts/PageLink.tsx'
import type { ChannelType } from '../../../core/vocabulary/channels.ts'
import { useChannelName } from '../../parts/use-channel-name.ts'
import { PageHeader } from '../../parts/Page.tsx'
import { useWords } from '../../words/use-words.tsx'
import styles from '../channels.module.css'
import { channelsWords } from '../words.ts'
import type { ChannelGuide } from './channel-guide.ts'
import { GUIDES } from './guides.ts'

/** The choice of a channel type, from those that this version can connect. */
export function PickType() {
  const t = useWords(channelsWords)
  const types = Object.entries(GUIDES).flatMap(([type, guide]) =>
    guide === null ? [] : [{ type: type as ChannelType, guide }],
  )
  return (
    <>
      <PageHeader isBelow title={t('connect_channel')} lead={t('pick_lead')} />
      <ul className={styles.types}>
        {types.map(({ type, guide }) => (
          <li key={type}>
            <Choice type={type} guide={guide} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Choice({ type, guide }: { type: ChannelType; guide: ChannelGuide }) {
  const channelName = useChannelName()
  const { lead } = guide.useTexts()
  return (
    <PageLink to="channels/connect/$type" params={{ type }} className={styles.choice}>
      <strong>{channelName(type)}</strong>
      <span>{lead}</span>
    </PageLink>
  )
}
