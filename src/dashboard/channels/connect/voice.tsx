import type { ChannelView } from '../../../contract/dashboard/channel.ts'
import { VOICE_PROVIDERS, type VoiceProvider } from '../../../core/vocabulary/channels.ts'
import { useWords } from '../../words/use-words.tsx'
import styles from '../channels.module.css'
import { Pasted } from '../Pasted.tsx'
import { fieldBy, textsBy, type ChannelGuide } from './channel-guide.ts'
import { voiceWords } from './voice-words.ts'

/** The providers' own names, which no language translates. */
const NAMES: Readonly<Record<Exclude<VoiceProvider, 'signed'>, string>> = {
  retell: 'Retell',
  vapi: 'Vapi',
  telnyx: 'Telnyx',
}

export const voiceGuide: ChannelGuide = {
  useTexts() {
    const t = useWords(voiceWords)
    return {
      ...textsBy(t),
      needed: t('needed'),
      fields: [
        {
          ...fieldBy(t, 'provider'),
          options: VOICE_PROVIDERS.map((value) => ({
            value,
            label: value === 'signed' ? t('signed') : NAMES[value],
          })),
        },
        { ...fieldBy(t, 'secret'), isSecret: true },
        { ...fieldBy(t, 'apiKey'), isSecret: true, isOptional: true },
      ],
    }
  },
  AtProvider: WhereReportsGo,
}

function WhereReportsGo({ channel }: { channel: ChannelView }) {
  const t = useWords(voiceWords)
  const provider = VOICE_PROVIDERS.find((known) => known === channel.credentials['provider'])
  return (
    <div className={styles.form}>
      <p>{t(`paste_${provider ?? 'signed'}`)}</p>
      <Pasted label={t('address')} value={channel.webhookUrl ?? ''} />
    </div>
  )
}
