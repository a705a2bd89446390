import type { ChannelView } from '../../contract/dashboard/channel.ts'
import { Pill } from '../parts/Pill.tsx'
import { useWords } from '../words/use-words.tsx'
import { channelsWords } from './words.ts'

export function ChannelPill({ channel }: { channel: ChannelView }) {
  const t = useWords(channelsWords)
  return channel.isConnected ? (
    <Pill tone="ok">{t('connected')}</Pill>
  ) : (
    <Pill tone="bad">{t('disconnected')}</Pill>
  )
}
