import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { Icon } from './Icon.tsx'
import { Drawer } from './Modal.tsx'
import styles from './parts.module.css'
import { filterWords } from './words-filter.ts'

/** The filters of a list on a phone: a button opens them in a sheet at the bottom. */
export function FilterSheet({ count, children }: { count: number; children: ReactNode }) {
  const t = useWords(filterWords)
  const { number } = useFormat()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button leftSection={<Icon name="filter" />} onClick={() => setOpen(true)}>
        {count === 0 ? t('filter') : t('filters_on', { count: number(count) })}
      </Button>
      <Drawer
        opened={isOpen}
        position="bottom"
        size="auto"
        title={t('filter')}

        onClose={() => setOpen(false)}
      >
        <div className={styles.sheet}>
          {children}
          <Button variant="filled" fullWidth onClick={() => setOpen(false)}>
            {t('show_results')}
          </Button>
        </div>
      </Drawer>
    </>
  )
}
