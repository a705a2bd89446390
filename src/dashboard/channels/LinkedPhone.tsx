import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, ask } from '../app/api.ts'
import { useCompanyId } from '../app/company.ts'
import { queries } from '../app/queries.ts'
import { Ltr } from '../parts/Code.tsx'
import { QrPicture } from '../parts/QrPicture.tsx'
import { Rich, useWords } from '../words/use-words.tsx'
import styles from './channels.module.css'
import { whatsAppQrWords } from './connect/whatsapp-qr-words.ts'

/** As soon as the phone has scanned it is to be seen. */
const WAITING_MS = 2_000
const LINKED_MS = 5_000

/** How a number stands with its phone; while it is to be linked, the code to scan. */
export function LinkedPhone({ channelId }: { channelId: string }) {
  const t = useWords(whatsAppQrWords)
  const companyId = useCompanyId()
  const { data: link } = useQuery({
    queryKey: ['channels', companyId, channelId, 'link'],
    queryFn: () =>
      ask(
        api.companies[':companyId'].channels[':channelId'].link.$get({
          param: { companyId, channelId },
        }),
      ),
    refetchInterval: ({ state }) => (state.data?.status === 'linked' ? LINKED_MS : WAITING_MS),
  })
  const status = link?.status ?? 'none'
  // What the page says of the channel follows from it.
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: ['channels', companyId], exact: true })
    void queries.invalidateQueries({ queryKey: ['channels', companyId, channelId], exact: true })
  }, [status, companyId, channelId])
  return (
    <div className={styles.form}>
      <p role="status">
        <strong>{t(`status_${status}`)}</strong>
      </p>
      {link?.number != null && (
        <p>
          <Rich
            words={whatsAppQrWords}
            say="linked_to"
            with={{ number: <Ltr>{`+${link.number}`}</Ltr> }}
          />
        </p>
      )}
      {status === 'pairing' && link?.qr != null && (
        <>
          <p>{t('scan_how')}</p>
          <QrPicture text={link.qr} label={t('scan_picture')} />
          <p className={styles.faint}>{t('scan_new')}</p>
        </>
      )}
      {status === 'none' && <p className={styles.faint}>{t('scan_wait')}</p>}
    </div>
  )
}
