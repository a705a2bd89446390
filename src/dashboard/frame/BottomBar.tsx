import { UnstyledButton } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { Icon } from '../parts/Icon.tsx'
import { useWords } from '../words/use-words.tsx'
import styles from './frame.module.css'
import { NAVIGATION, ON_PHONES } from './navigation.ts'
import { useSession } from '../app/session.ts'
import { Item } from './SideBar.tsx'
import { appWords } from './words.ts'

const MoreDrawer = lazy(() =>
  import('./MoreDrawer.tsx').then((module) => ({ default: module.MoreDrawer })),
)

/** The bar at the bottom on phones: three pages, and a button that opens the rest. */
export function BottomBar() {
  const t = useWords(appWords)
  const [isOpen, setOpen] = useState(false)
  const { role } = useSession()
  const items = NAVIGATION.flatMap((group) => group.items).filter(
    ({ word, roles }) => ON_PHONES.includes(word) && roles.includes(role),
  )
  return (
    <>
      <nav className={styles.bottom} aria-label={t('navigation')}>
        {ON_PHONES.map((word) => {
          const item = items.find((one) => one.word === word)
          return item && <Item key={word} item={item} />
        })}
        <UnstyledButton className={styles.item} onClick={() => setOpen(true)}>
          <Icon name="menu" />
          <span>{t('more')}</span>
        </UnstyledButton>
      </nav>
      {isOpen && (
        <Suspense>
          <MoreDrawer onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
