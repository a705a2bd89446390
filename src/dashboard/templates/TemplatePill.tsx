import type { IconName } from '../parts/icons.ts'
import { Pill, type Tone } from '../parts/Pill.tsx'
import { useWords } from '../words/use-words.tsx'
import { templatesWords } from './words.ts'

const LOOKS = {
  APPROVED: ['ok', 'ok'],
  PENDING: ['busy', 'clock'],
  REJECTED: ['bad', 'failed'],
  PAUSED: ['warn', 'pause'],
  DISABLED: ['off', 'off'],
} as const satisfies Readonly<Record<string, readonly [Tone, IconName]>>

const isKnown = (status: string): status is keyof typeof LOOKS => Object.hasOwn(LOOKS, status)

/** A status that we do not know is shown as the provider writes it. */
export function TemplatePill({ status }: { status: string }) {
  const t = useWords(templatesWords)
  if (!isKnown(status)) {
    return (
      <Pill tone="off">
        <bdi dir="ltr">{status}</bdi>
      </Pill>
    )
  }
  const [tone, icon] = LOOKS[status]
  return (
    <Pill tone={tone} icon={icon}>
      {t(status)}
    </Pill>
  )
}
