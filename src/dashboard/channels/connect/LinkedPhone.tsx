import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useApi } from '../../app/resources.ts'
import { Phone } from '../../parts/Phone.tsx'
import { ReadState } from '../../parts/Page.tsx'
import layout from '../../parts/layout.module.css'
import { QrPicture } from '../../parts/QrPicture.tsx'
import { Rich, useWords } from '../../words/use-words.tsx'
import styles from '../channels.module.css'
import { whatsAppQrWords } from './whatsapp-qr-words.ts'

/** The interval of reading is short before the link, so that a scan is shown soon. */
const WAITING_MS = 2_000
const LINKED_MS = 5_000

/** The state of the link between a number and its phone, and the code to scan while there is none. */
export function LinkedPhone({ channelId }: { channelId: string }) {
  const t = useWords(whatsAppQrWords)
  const api = useApi()
  const read = useQuery({
    ...api.get('channels/:channelId/link', { channelId }),
    refetchInterval: ({ state }) => (state.data?.status === 'linked' ? LINKED_MS : WAITING_MS),
  })
  const link = read.data
  const status = link?.status
  // The channel's page depends on the link, so it is read again when the link changes.
  useEffect(() => {
    void api.changed('channels')
  }, [status, api, channelId])
  if (!link) return <ReadState of={read} rows={2} />
  return (
    <div className={styles.form}>
      <p role="status">
        <strong>{t(`status_${link.status}`)}</strong>
      </p>
      {link.number !== null && (
        <p>
          <Rich
            words={whatsAppQrWords}
            say="linked_to"
            with={{ number: <Phone phone={`+${link.number}`} /> }}
          />
        </p>
      )}
      {link.status === 'pairing' && link.qr !== null && (
        <>
          <p>{t('scan_how')}</p>
          <QrPicture text={link.qr} label={t('scan_picture')} />
          <p className={layout.help}>{t('scan_new')}</p>
        </>
      )}
      {link.status === 'none' && <p className={layout.help}>{t('scan_wait')}</p>}
    </div>
  )
}
