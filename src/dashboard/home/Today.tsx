import type { AllowanceForecast, TodayView } from '../../contract/dashboard/home.ts'
import { Meter, Panel } from '../parts/Page.tsx'
import { useFormat } from '../words/format.ts'
import { Rich, useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './home.module.css'
import { RunBars } from './RunBars.tsx'
import { homeWords } from './words.ts'

/** The day so far: runs by hour, and the used share of the daily allowances. */
export function Today({ today, at }: { today: TodayView; at: string }) {
  const t = useWords(homeWords)
  const format = useFormat()
  const { runs, automatedTemplates, calls } = today
  return (
    <Panel
      title={t('today')}
      end={
        <span className={layout.smallText}>
          {t('resets', { time: format.time(automatedTemplates.resetsAt) })}
        </span>
      }
    >
      <div className={styles.figures}>
        <div>
          <div className={styles.figureHead}>
            <span>{t('runs_24')}</span>
            <strong>{format.number(runs.total.count)}</strong>
          </div>
          <RunBars runs={runs} at={at} />
          {runs.total.isMore && (
            <div className={layout.smallText}>{t('only_newest', { n: runs.total.count })}</div>
          )}
        </div>
        <Allowance label={t('templates_used')} pace={automatedTemplates} />
        <Allowance label={t('calls_used')} pace={calls} />
        <div className={layout.smallText}>{t('of_account')}</div>
      </div>
    </Panel>
  )
}

function Allowance({ label, pace }: { label: string; pace: AllowanceForecast }) {
  const t = useWords(homeWords)
  const format = useFormat()
  const { used, limit, resetsAt, endsAt } = pace
  return (
    <div>
      <div className={styles.figureHead}>
        <span>{label}</span>
        <span className={layout.smallText}>
          <Rich
            words={homeWords}
            say="used_of"
            with={{ n: <strong>{format.number(used)}</strong>, limit }}
          />
        </span>
      </div>
      <Meter value={used} limit={limit} label={label} />
      {used >= limit ? (
        <div className={layout.smallText}>{t('used_up', { time: format.time(resetsAt) })}</div>
      ) : (
        endsAt !== null && (
          <div className={layout.smallText}>{t('ends_near', { time: format.time(endsAt) })}</div>
        )
      )}
    </div>
  )
}
