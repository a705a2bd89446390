import { CHANNEL_TYPES } from '../../core/vocabulary/channels.ts'
import { useWords } from '../words/use-words.tsx'
import { channelWords } from '../../core/words/channel-words.ts'

/** Returns a function that names a type of channel; a type that this version does not know keeps its code. */
export function useChannelName(): (type: string) => string {
  const t = useWords(channelWords)
  return (type) => {
    const known = CHANNEL_TYPES.find((one) => one === type)
    return known === undefined ? type : t(known)
  }
}
