import { useCompanyId } from '../app/company.ts'
import { Icon } from '../parts/Icon.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import type { FileView } from '../../contract/dashboard/file.ts'
import styles from './thread.module.css'
import { threadWords } from './words-thread.ts'

/** The file of a message: images are shown, audio and video can be played, other files can be downloaded. */
export function Attachment({ file }: { file: FileView }) {
  const t = useWords(threadWords)
  const format = useFormat()
  const companyId = useCompanyId()
  const name = file.name ?? t(`kind_${file.mediaKind ?? 'document'}`)
  if (file.state === 'awaited') {
    return (
      <div className={styles.file}>
        <Icon name="progress" /> {t('file_awaited')}
      </div>
    )
  }
  if (file.state !== 'kept') {
    return (
      <div className={styles.file}>
        <Icon name="file" />
        <span>
          <bdi>{name}</bdi> <br />
          <span className={styles.faint}>{file.lostReason?.text ?? t('file_gone')}</span>
        </span>
      </div>
    )
  }
  const url = `/api/companies/${companyId}/files/${file.id}/content`
  const isShownImage = /^image\/(jpeg|png|gif|webp)$/.test(file.mediaType ?? '')
  if (isShownImage) {
    return (
      <a href={url} target="_blank" rel="noreferrer" className={styles.imageLink}>
        <img src={url} alt={name} loading="lazy" className={styles.image} />
      </a>
    )
  }
  // A recording has no captions to show.
  if (file.mediaKind === 'audio') {
    return <audio controls preload="none" src={url} aria-label={name} className={styles.audio} />
  }
  if (file.mediaKind === 'video') {
    return <video controls preload="none" src={url} aria-label={name} className={styles.image} />
  }
  return (
    <a href={url} download className={styles.file}>
      <Icon name="download" />
      <span>
        <bdi>{name}</bdi>
        {file.size !== null && <span className={styles.faint}> {format.bytes(file.size)}</span>}
      </span>
    </a>
  )
}
