import { Button } from '@mantine/core'
import { useEffect, useState, type ReactNode } from 'react'
import { ApiError } from '../app/api.ts'
import { useWords } from '../words/use-words.tsx'
import { Crumbs } from './Crumbs.tsx'
import { Icon } from './Icon.tsx'
import type { IconName } from './icons.ts'
import { initialsOf } from './initials.ts'
import layout from './layout.module.css'
import styles from './parts.module.css'
import pageStyles from './page.module.css'
import type { Tone } from './Pill.tsx'
import { partsWords } from './words.ts'

/** A page's title, one sentence about it, and its acts: one primary, two secondary, the rest in a menu. */
export function PageHeader({
  title,
  lead,
  pill,
  above,
  acts,
  isBelow = false,
}: {
  title: ReactNode
  lead?: ReactNode
  pill?: ReactNode
  /** A line above the title, for a state that has to be read first. */
  above?: ReactNode
  acts?: ReactNode
  /** The page is opened from another page of its section: the top bar shows its title behind the name of that page. */
  isBelow?: boolean
}) {
  return (
    <header className={pageStyles.header}>
      {isBelow && <Crumbs items={[title]} />}
      <div className={pageStyles.headerText}>
        {above}
        <div className={pageStyles.titleLine}>
          <h1 className={pageStyles.title}>{title}</h1>
          {pill}
        </div>
        {lead !== undefined && <p className={pageStyles.lead}>{lead}</p>}
      </div>
      {acts !== undefined && <div className={pageStyles.acts}>{acts}</div>}
    </header>
  )
}

/** A section of a page in a frame, with a title and content at the end of the title's line. */
export function Panel({
  title,
  end,
  children,
  isFlush = false,
}: {
  title?: ReactNode
  end?: ReactNode
  children: ReactNode
  /** Leaves out the padding around the children. */
  isFlush?: boolean
}) {
  return (
    <section className={pageStyles.panel}>
      {title !== undefined && (
        <div className={pageStyles.panelHead}>
          <h2 className={pageStyles.panelTitle}>{title}</h2>
          {end}
        </div>
      )}
      <div className={isFlush ? undefined : pageStyles.panelBody}>{children}</div>
    </section>
  )
}

const BANNERS: Readonly<Record<Exclude<Tone, 'accent'>, { look: string; icon: IconName }>> = {
  ok: { look: pageStyles.bannerOk!, icon: 'ok' },
  busy: { look: pageStyles.bannerBusy!, icon: 'progress' },
  warn: { look: pageStyles.bannerWarn!, icon: 'warning' },
  bad: { look: pageStyles.bannerBad!, icon: 'failed' },
  off: { look: pageStyles.bannerOff!, icon: 'off' },
}

/**
 * A banner below the header: a fact, its consequence, and one act. A page shows one banner at a time, the most serious
 * first.
 */
export function Banner({
  tone,
  title,
  children,
  act,
}: {
  tone: Exclude<Tone, 'accent'>
  title: ReactNode
  children?: ReactNode
  act?: ReactNode
}) {
  const { look, icon } = BANNERS[tone]
  return (
    <div className={`${pageStyles.banner} ${look}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon name={icon} size={18} />
      <div className={pageStyles.bannerText}>
        <div className={pageStyles.bannerTitle}>{title}</div>
        {children !== undefined && <div className={pageStyles.bannerMore}>{children}</div>}
      </div>
      {act}
    </div>
  )
}

/** An error of loading or acting: its cause, the id of the request, and a button to try again. */
export function Failed({
  error,
  title,
  onRetry,
}: {
  error: unknown
  title?: ReactNode
  onRetry?: () => void
}) {
  const t = useWords(partsWords)
  const refusal = error instanceof ApiError ? error : null
  const why = refusal?.code === 'offline' ? t('offline') : refusal?.detail
  return (
    <Banner
      tone="bad"
      title={title ?? t('could_not_be_loaded')}
      act={
        onRetry && (
          <Button size="xs" onClick={onRetry}>
            {t('try_again')}
          </Button>
        )
      }
    >
      {why !== undefined && why !== '' && <div>{why}</div>}
      {refusal?.requestId != null && (
        <div>
          {t('request')}{' '}
          <bdi dir="ltr" className={styles.code}>
            {refusal.requestId}
          </bdi>
        </div>
      )}
    </Banner>
  )
}

/** A skeleton while a query is loading, its error if it failed, and nothing once it has data. */
export function ReadState({
  of,
  rows = 6,
}: {
  of: { isPending: boolean; isError: boolean; error: unknown; refetch(): unknown }
  rows?: number
}) {
  if (of.isError) return <Failed error={of.error} onRetry={() => void of.refetch()} />
  return of.isPending && <Skeleton rows={rows} />
}

/** The placeholder of an empty list: one sentence, one act. */
export function Empty({
  title,
  children,
  act,
}: {
  title: ReactNode
  children?: ReactNode
  act?: ReactNode
}) {
  return (
    <div className={pageStyles.empty}>
      <div className={layout.strong}>{title}</div>
      {children !== undefined && <p className={pageStyles.emptyText}>{children}</p>}
      {act}
    </div>
  )
}

const SKELETON_AFTER_MS = 300

/** Placeholders for rows, shown only when loading takes long. */
export function Skeleton({ rows = 6 }: { rows?: number }) {
  const t = useWords(partsWords)
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SKELETON_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status" aria-label={t('loading')}>
      {isLate &&
        Array.from({ length: rows }, (_, row) => (
          <div key={row} className={pageStyles.skeleton} aria-hidden>
            <span />
            <span />
            <span />
          </div>
        ))}
    </div>
  )
}

/** A bar for the used share of a limit, shown next to a text. */
export function Meter({
  value,
  limit,
  label,
  isWarning = false,
  isGoal = false,
}: {
  value: number
  limit: number
  label: string
  /** The bar warns from the first unit on. */
  isWarning?: boolean
  /** The limit is a goal, so reaching it is good. */
  isGoal?: boolean
}) {
  const share = limit === 0 ? 1 : Math.min(1, value / limit)
  const state = isGoal ? 'ok' : share >= 1 ? 'bad' : share >= 0.8 || isWarning ? 'warn' : 'ok'
  return (
    <div
      className={pageStyles.meter}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(value, limit)}
    >
      <div
        className={pageStyles.meterFill}
        data-state={state}
        style={{ inlineSize: `${share * 100}%` }}
      />
    </div>
  )
}

/** A list of names and values. */
export function Details({ items }: { items: readonly (readonly [ReactNode, ReactNode])[] }) {
  return (
    <dl className={pageStyles.details}>
      {items.map(([name, value], at) => (
        <div key={at} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const AVATAR_HUES = [200, 15, 130, 265, 45, 330]

/** A round mark with a person's initials. */
export function Avatar({ name, size = 28 }: { name: string | null; size?: number }) {
  const hue =
    AVATAR_HUES[
      [...(name ?? '')].reduce((sum, letter) => sum + letter.codePointAt(0)!, 0) %
        AVATAR_HUES.length
    ]
  return (
    <span
      className={pageStyles.avatar}
      aria-hidden
      style={{
        inlineSize: size,
        blockSize: size,
        background: `light-dark(hsl(${hue} 35% 88%), hsl(${hue} 25% 26%))`,
        color: `light-dark(hsl(${hue} 55% 24%), hsl(${hue} 45% 84%))`,
      }}
    >
      {initialsOf(name)}
    </span>
  )
}

/** A key of the keyboard, drawn as a key. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd dir="ltr" className={pageStyles.kbd}>
      {children}
    </kbd>
  )
}
