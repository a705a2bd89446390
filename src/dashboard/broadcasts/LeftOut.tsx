import type { SkippedCounts as Reasons } from '../../contract/dashboard/broadcast.ts'
import { Details } from '../parts/Page.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import { broadcastsWords } from './words.ts'

/** The number of contacts that the broadcast leaves out, by reason. */
export function LeftOut({ reasons }: { reasons: Reasons }) {
  const t = useWords(broadcastsWords)
  const format = useFormat()
  const all = reasons.reduce((sum, { count }) => sum + count, 0)
  if (all === 0) return null
  return (
    <div>
      <p className={layout.quiet}>{t('left_out', { n: all })}</p>
      <Details
        items={reasons.map(({ reason, count }) => [t(`skip_${reason}`), format.number(count)])}
      />
    </div>
  )
}
