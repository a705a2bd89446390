import { CHANNEL_TYPES } from '../../core/vocabulary/channels.ts'
import { useWords } from '../words/use-words.tsx'
import { channelWords } from './channel-words.ts'

/** What a type of channel is called; one that is not known yet stands by its code. */
export function useChannelName(): (type: string) => string {
  const t = useWords(channelWords)
  return (type) => {
    const known = CHANNEL_TYPES.find((one) => one === type)
    return known === undefined ? type : t(known)
  }
}
