import { useQuery } from '@tanstack/react-query'
import { useApi } from '../app/resources.ts'
import { now } from '../words/now.ts'
import { Icon } from '../parts/Icon.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import { HOUR_MS } from '../../core/limits/units.ts'
import type { ConversationDetail } from '../../contract/dashboard/conversation.ts'
import styles from './composer.module.css'
import { composerWords } from './words-composer.ts'

/** A bar that is always above the composer: the end of the reply window, or the reason why no text can be sent. */
export function WindowBar({ conversation }: { conversation: ConversationDetail }) {
  const t = useWords(composerWords)
  const format = useFormat()
  const { composer, channelType, contact } = conversation
  const { afterWindow } = capabilitiesOf(channelType)
  if (!composer.mayText) {
    const isLocked = !composer.mayTemplate
    const isWindow = composer.whyNot === null || composer.whyNot.code === 'reply_window_closed'
    return (
      <div className={styles.window} data-tone={isLocked ? 'bad' : 'off'}>
        <Icon name={contact?.isOptedOut === true ? 'hand' : 'lock'} />
        {contact?.isOptedOut === true ? (
          <OptedOut contactId={contact.id} />
        ) : (
          <span>
            <strong>{isWindow ? t('window_closed') : composer.whyNot?.text}</strong>{' '}
            {isWindow && (
              <span className={styles.windowMore}>
                {t(composer.mayTemplate ? 'window_opens_template' : 'window_opens')}
              </span>
            )}
          </span>
        )}
      </div>
    )
  }
  if (composer.until === null) {
    return (
      <div className={styles.window} data-tone="ok">
        <Icon name="clock" />
        <span>
          <strong>{t('any_time')}</strong> <Paced conversation={conversation} />
        </span>
      </div>
    )
  }
  const left = Math.max(0, new Date(composer.until).getTime() - now().getTime())
  const tone = left < HOUR_MS ? 'bad' : left < 4 * HOUR_MS ? 'warn' : 'ok'
  const time = format.duration(left)
  return (
    <div className={styles.window} data-tone={tone}>
      <Icon name="clock" />
      <span>
        <strong>{t('write_until', { time: format.dateTime(composer.until) })}</strong>{' '}
        <span className={styles.windowMore}>
          {contact?.isOptedOut === true
            ? t('opted_out_answer', { time })
            : afterWindow === 'template'
              ? t('then_template', { time })
              : t('then_nothing', { time })}
        </span>{' '}
        <Paced conversation={conversation} />
      </span>
    </div>
  )
}

/** The number of messages queued before this one, on channels with a minimum gap between messages. */
function Paced({ conversation: { composer } }: { conversation: ConversationDetail }) {
  const t = useWords(composerWords)
  const format = useFormat()
  if (composer.paceEta === null || composer.place <= 1) return null
  return (
    <span>
      {t('paced', { place: composer.place, time: format.timeWithSeconds(composer.paceEta) })}
    </span>
  )
}

/** A line that says how and when the customer opted out. */
function OptedOut({ contactId }: { contactId: string }) {
  const t = useWords(composerWords)
  const format = useFormat()
  const api = useApi()
  const { data } = useQuery(api.get('contacts/:contactId/opt-outs', { contactId, limit: '1' }))
  const [last] = data?.items ?? []
  if (!last) return <strong>{t('opted_out')}</strong>
  return (
    <span>
      <strong>{t('opted_out_on', { date: format.dateTime(last.at) })}</strong>{' '}
      <span>{t(`opted_out_${last.how}`, { name: last.person?.name ?? '' })}</span>
    </span>
  )
}
