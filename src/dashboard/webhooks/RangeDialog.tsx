import { Button } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { Modal } from '../parts/Modal.tsx'
import { TimeField } from '../parts/TimeField.tsx'
import { useWords } from '../words/use-words.tsx'
import type { ChangeSearch } from './log-search-params.ts'
import styles from './webhooks.module.css'
import { logWords } from './words-log.ts'

/** A dialog for a custom range: from, to, or both, in the viewer's zone. */
export function RangeDialog({ onChange, onClose }: { onChange: ChangeSearch; onClose(): void }) {
  const t = useWords(logWords)
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const isWrong = from !== '' && to !== '' && to <= from
  const show = (event: FormEvent) => {
    event.preventDefault()
    if (isWrong) return
    onChange({ range: undefined, from: exact(from), to: exact(to) })
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title={t('range_exact')}>
      <form onSubmit={show} className={styles.select}>
        <TimeField form="moment" label={t('range_from')} value={from} onChange={setFrom} />
        <TimeField
          form="moment"
          label={t('range_to')}
          value={to}
          error={isWrong && t('range_wrong')}
          onChange={setTo}
        />
        <div>
          <Button type="submit" variant="filled" disabled={from === '' && to === ''}>
            {t('range_show')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

/** Converts the field's value, which is in the viewer's zone, to UTC. */
function exact(local: string): string | undefined {
  return local === '' ? undefined : new Date(local).toISOString()
}
