import type { ReactNode } from 'react'
import type { AttemptView, DeliveryDetail } from '../../contract/dashboard/delivery.ts'
import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'
import { now } from '../words/now.ts'
import { CodeBlock, Ltr } from '../parts/Code.tsx'
import { Icon } from '../parts/Icon.tsx'
import { PhasesBar } from '../parts/PhasesBar.tsx'
import { Pill } from '../parts/Pill.tsx'
import { Time, useTicker } from '../parts/Time.tsx'
import { Timeline, type Moment } from '../parts/Timeline.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { plannedAttempts, type PlannedAttempt } from './planned-attempts.ts'
import layout from '../parts/layout.module.css'
import styles from './webhooks.module.css'
import deliveryStyles from './delivery.module.css'
import { deliveryWords } from './words-delivery.ts'
import { logWords } from './words-log.ts'

/** The latest attempts of a delivery, oldest first, and the planned ones with their exact times. */
export function Attempts({ delivery }: { delivery: DeliveryDetail }) {
  const t = useWords(deliveryWords)
  const planned = plannedAttempts(delivery)
  const { log, earlierAttempts, kind, attempts, state } = delivery
  const moments: Moment[] = [
    ...log.map((attempt, at): Moment => {
      const isTaken = attempt.error === null
      return {
        key: attempt.id,
        tone: isTaken ? 'ok' : attempt.isLate ? 'off' : 'bad',
        icon: isTaken ? 'check' : 'close',
        content: <Attempt attempt={attempt} isOpen={at === log.length - 1} />,
      }
    }),
    ...(state === 'pending' && attempts === 0
      ? [
          {
            key: 'first',
            tone: 'busy',
            icon: 'progress',
            content: <strong>{t('under_way')}</strong>,
          } as const,
        ]
      : []),
    ...planned.map((attempt, at): Moment => ({
      key: `planned ${attempt.number}`,
      tone: 'warn',
      icon: 'clock',
      isPlanned: at > 0,
      content: <Planned attempt={attempt} isNext={at === 0} />,
    })),
  ]
  return (
    <section aria-labelledby="attempts">
      <h2 id="attempts" className={deliveryStyles.sectionTitle}>
        {t('attempts')}{' '}
        {kind !== 'test' && (
          <span className={layout.count}>
            {t('attempts_of', { n: attempts, limit: DELIVERY_LIMITS.attempts })}
          </span>
        )}
      </h2>
      {earlierAttempts > 0 && (
        <p className={styles.help}>{t('earlier_attempts', { n: earlierAttempts })}</p>
      )}
      {moments.length === 0 ? (
        <p className={styles.help}>{t('no_attempts')}</p>
      ) : (
        <Timeline label={t('attempts')} moments={moments} />
      )}
    </section>
  )
}

function Line({ children, end }: { children: ReactNode; end: ReactNode }) {
  return (
    <span className={deliveryStyles.attemptLine}>
      <span className={deliveryStyles.attemptName}>{children}</span>
      <span className={layout.count}>{end}</span>
    </span>
  )
}

function Planned({ attempt, isNext }: { attempt: PlannedAttempt; isNext: boolean }) {
  const t = useWords(deliveryWords)
  const format = useFormat()
  useTicker(isNext)
  const { number: n, at, delayMs } = attempt
  const isLast = n === DELIVERY_LIMITS.attempts
  const name = t(isLast ? 'attempt_last' : 'attempt', { n })
  const left = Math.max(0, Date.parse(at) - now().getTime())
  return (
    <Line end={<Time at={at} />}>
      {isNext ? <strong>{name}</strong> : name}
      <span className={layout.count}>
        {delayMs === null
          ? t('in_time', { time: format.duration(left) })
          : t('after_that', { time: format.duration(delayMs) })}
      </span>
    </Line>
  )
}

function Attempt({ attempt, isOpen }: { attempt: AttemptView; isOpen: boolean }) {
  const t = useWords(deliveryWords)
  const log = useWords(logWords)
  const format = useFormat()
  const { number: n, error, httpStatus } = attempt
  const isToday = format.date(attempt.startedAt) === format.date(now())
  return (
    <details className={deliveryStyles.attempt} open={isOpen}>
      <summary>
        <Line
          end={
            <>
              <Time at={attempt.startedAt} as={isToday ? 'timeWithSeconds' : 'dateTime'} />
              <Icon name="chevron_down" size={14} className={deliveryStyles.turns} />
            </>
          }
        >
          <strong>{t('attempt', { n })}</strong>
          <Pill tone={error === null ? 'ok' : 'bad'}>
            {httpStatus !== null && <bdi>{httpStatus}</bdi>}
            {error && log(`cause_${error.code}`)}
          </Pill>
          <span className={layout.count}>{format.milliseconds(attempt.durationMs)}</span>
          {attempt.isLate && <span className={layout.count}>{t('attempt_late')}</span>}
        </Line>
        {error && (
          <span className={deliveryStyles.why}>
            {error.message.text} {error.detail?.text}
          </span>
        )}
      </summary>
      <div className={deliveryStyles.attemptBody}>
        {error && (
          <div className={deliveryStyles.hint}>
            <strong>{t('what_to_do')}</strong> {error.hint.text}
          </div>
        )}
        <Phases attempt={attempt} />
        <Answer attempt={attempt} />
        <dl className={deliveryStyles.where}>
          <dt>{t('posted_to')}</dt>
          <dd>
            <Ltr>{attempt.url}</Ltr>
          </dd>
          {attempt.remoteAddress !== null && (
            <>
              <dt>{t('reached')}</dt>
              <dd>
                <Ltr>{attempt.remoteAddress}</Ltr>
              </dd>
            </>
          )}
        </dl>
      </div>
    </details>
  )
}

/** The phases that an attempt reached; the rest of its duration is the time of reading the response. */
function Phases({ attempt }: { attempt: AttemptView }) {
  const t = useWords(deliveryWords)
  const format = useFormat()
  const known = [
    { key: 'dns', label: t('dns'), ms: attempt.dnsMs },
    { key: 'connect', label: t('connect'), ms: attempt.connectMs },
    { key: 'wait', label: t('wait'), ms: attempt.answerMs },
  ].flatMap(({ ms, ...phase }) => (ms === null ? [] : [{ ...phase, ms }]))
  const rest = attempt.durationMs - known.reduce((sum, { ms }) => sum + ms, 0)
  const isAnswered = attempt.answerMs !== null
  const all =
    rest > 0 ? [...known, { key: 'rest', label: t(isAnswered ? 'read' : 'wait'), ms: rest }] : known
  if (all.length === 0) return null
  return (
    <PhasesBar
      phases={all.map((phase) => ({ ...phase, figure: format.milliseconds(phase.ms) }))}
      total={format.milliseconds(attempt.durationMs)}
    />
  )
}

function Answer({ attempt: { answer } }: { attempt: AttemptView }) {
  const t = useWords(deliveryWords)
  const format = useFormat()
  if (!answer) return null
  const size = format.bytes(answer.bytes)
  return (
    <div className={deliveryStyles.answer}>
      <div className={deliveryStyles.answerHead}>
        <strong>{t('answer')}</strong>
        <span className={layout.count}>
          {answer.isCut ? t('answer_cut', { size }) : t('answer_size', { size })}
        </span>
      </div>
      {answer.text === '' ? (
        <p className={styles.help}>{t('answer_empty')}</p>
      ) : (
        <CodeBlock label={t('answer')} code={answer.text} />
      )}
      {answer.headers.length > 0 && (
        <details>
          <summary className={layout.count}>{t('answer_headers')}</summary>
          <CodeBlock
            label={t('answer_headers')}
            code={answer.headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}
          />
          {answer.areHeadersCut && <p className={styles.help}>{t('headers_cut')}</p>}
        </details>
      )}
    </div>
  )
}
