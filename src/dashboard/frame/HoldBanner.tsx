import { useSession } from '../app/session.ts'
import { Banner } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { appWords } from './words.ts'

/** A banner that says why nothing can be changed while the account moves, and what to do; nothing at other times. */
export function HoldBanner() {
  const t = useWords(appWords)
  const { hold } = useSession().account
  if (hold === null) return null
  return (
    <Banner tone="warn" title={t(`hold_${hold}`)}>
      {t(`hold_${hold}_why`)}
    </Banner>
  )
}
