import { useState } from 'react'
import { useApi } from '../app/resources.ts'
import { CopyButton } from '../parts/Code.tsx'
import { ActButton } from '../parts/ActButton.tsx'
import { useWords } from '../words/use-words.tsx'
import styles from './appointments.module.css'
import { appointmentsWords } from './words.ts'

/**
 * A link to the page on which the customer sees and cancels the appointment. A link is created on request and not
 * stored.
 */
export function CustomerLink({ appointmentId }: { appointmentId: string }) {
  const t = useWords(appointmentsWords)
  const api = useApi()
  const [url, setUrl] = useState<string | null>(null)
  const make = async () => {
    const made = await api.call('post', 'appointments/:appointmentId/link', { appointmentId })
    setUrl(made.url)
  }
  if (url === null) {
    return (
      <>
        <p>{t('customers_page_why')}</p>
        <ActButton size="xs" act={make}>
          {t('make_link')}
        </ActButton>
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
