import { PageLink } from '../parts/PageLink.tsx'
import type { ChannelView } from '../../contract/dashboard/channel.ts'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import { Ltr } from '../parts/Code.tsx'
import { Details } from '../parts/Page.tsx'
import { Time } from '../parts/Time.tsx'
import { useWords } from '../words/use-words.tsx'
import styles from './channels.module.css'
import { NO_GUIDE, type ChannelGuide } from './connect/channel-guide.ts'
import { channelsWords } from './words.ts'

/** The data of a channel at its provider: the filled-in form, with only the last characters of secrets. */
export function KnownAtProvider({
  channel,
  guide,
}: {
  channel: ChannelView
  guide: ChannelGuide | null
}) {
  const t = useWords(channelsWords)
  const { fields } = (guide ?? NO_GUIDE).useTexts()
  const shown = fields.flatMap(({ name, label, options }) => {
    const value = channel.credentials[name]
    if (value != null) {
      const optionLabel = options?.find((option) => option.value === value)?.label
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
