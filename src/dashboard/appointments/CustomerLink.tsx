import { Button } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../app/resources.ts'
import { CopyButton } from '../parts/Code.tsx'
import { useAct } from '../parts/use-act.ts'
import { useWords } from '../words/use-words.tsx'
import styles from './appointments.module.css'
import { appointmentsWords } from './words.ts'

/** The page on which the customer sees and cancels it: each link is made when it is asked for, none is kept. */
export function CustomerLink({ appointmentId }: { appointmentId: string }) {
  const t = useWords(appointmentsWords)
  const api = useApi()
  const { isBusy, run } = useAct()
  const [url, setUrl] = useState<string | null>(null)
  const make = async () => {
    const made = await run(() =>
      api.call('post', 'appointments/:appointmentId/link', { appointmentId }),
    )
    if (made) setUrl(made.url)
  }
  if (url === null) {
    return (
      <>
        <p>{t('customers_page_why')}</p>
        <Button size="xs" loading={isBusy} onClick={() => void make()}>
          {t('make_link')}
        </Button>
      </>
    )
  }
  return (
    <div className={styles.made}>
      <a href={url} target="_blank" rel="noreferrer" dir="ltr">
        {url}
      </a>
      <CopyButton text={url} />
    </div>
  )
}
