import { now } from '../words/now.ts'
import { useFormat } from '../words/format.ts'
import { useTicker } from './Time.tsx'

const SECOND_MS = 1_000

/** The time left until `to`, which is ISO 8601, as a clock shows it: `23:41:03`. The clock stops at zero. */
export function Countdown({ to }: { to: string }) {
  const { twoDigits } = useFormat()
  useTicker(true, SECOND_MS)
  const seconds = Math.max(0, Math.floor((Date.parse(to) - now().getTime()) / SECOND_MS))
  const pieces = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  return (
    <bdi dir="ltr" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {pieces.map(twoDigits).join(':')}
    </bdi>
  )
}
