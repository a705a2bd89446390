import { Pill, type Looks } from '../parts/Pill.tsx'
import { useWords } from '../words/use-words.tsx'
import { templatesWords } from './words.ts'

const LOOKS = {
  APPROVED: { tone: 'ok', icon: 'ok' },
  PENDING: { tone: 'busy', icon: 'clock' },
  REJECTED: { tone: 'bad', icon: 'failed' },
  PAUSED: { tone: 'warn', icon: 'pause' },
  DISABLED: { tone: 'off', icon: 'off' },
} as const satisfies Looks<string>

const isKnown = (status: string): status is keyof typeof LOOKS => Object.hasOwn(LOOKS, status)

/** The status of a template. An unknown status is shown as the provider writes it. */
export function TemplatePill({ status }: { status: string }) {
  const t = useWords(templatesWords)
  if (!isKnown(status)) {
    return (
      <Pill tone="off">
        <bdi dir="ltr">{status}</bdi>
      </Pill>
    )
  }
  return <Pill {...LOOKS[status]}>{t(status)}</Pill>
}
