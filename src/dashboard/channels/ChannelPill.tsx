import type { ChannelView } from '../../contract/dashboard/channel.ts'
import { Pill } from '../parts/Pill.tsx'
import { useWords } from '../words/use-words.tsx'
import { channelsWords } from './words.ts'

/** Connected is a channel that sends, and whose news come. */
export function ChannelPill({ channel }: { channel: ChannelView }) {
  const t = useWords(channelsWords)
  if (!channel.isConnected) return <Pill tone="bad">{t('disconnected')}</Pill>
  return channel.problem === null ? (
    <Pill tone="ok">{t('connected')}</Pill>
  ) : (
    <Pill tone="warn">{t('has_problem')}</Pill>
  )
}
