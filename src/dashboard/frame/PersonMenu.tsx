import { lazy } from 'react'
import { roleWords } from '../../core/words/role-words.ts'
import { LazyMenu } from '../parts/LazyMenu.tsx'
import { Avatar } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './frame.module.css'
import { useSession } from '../app/session.ts'
import { appWords } from './words.ts'

const PersonMenuList = lazy(() =>
  import('./PersonMenuList.tsx').then((module) => ({ default: module.PersonMenuList })),
)

/** A button with the signed-in person's name and role, which opens their menu. */
export function PersonMenu() {
  const t = useWords(appWords)
  const nameOfRole = useWords(roleWords)
  const { person, role } = useSession()
  return (
    <LazyMenu menu={PersonMenuList} kind="menu" className={styles.person}>
      <span className="visually-hidden">{t('person_menu')}</span>
      <Avatar name={person.name ?? person.email} />
      <span className={styles.companyNames}>
        <bdi className={layout.strong}>{person.name ?? person.email}</bdi>
        <span className={layout.small}>{nameOfRole(role)}</span>
      </span>
    </LazyMenu>
  )
}
