import type { ChannelView } from '../../contract/dashboard/channel.ts'
import { Pill } from '../parts/Pill.tsx'
import { useWords } from '../words/use-words.tsx'
import { channelsWords } from './words.ts'

/**
 * The state of a channel, such as connected or not, as an icon with a word. A connected channel can send, and its
 * events arrive.
 */
export function ChannelPill({ channel }: { channel: ChannelView }) {
  const t = useWords(channelsWords)
  if (!channel.isConnected) return <Pill tone="bad">{t('disconnected')}</Pill>
  return channel.problem === null ? (
    <Pill tone="ok">{t('connected')}</Pill>
  ) : (
    <Pill tone="warn">{t('has_problem')}</Pill>
  )
}
