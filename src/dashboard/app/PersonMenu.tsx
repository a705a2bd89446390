import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Icon } from '../parts/Icon.tsx'
import { Avatar } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { useCompanyId } from './company.ts'
import styles from './frame.module.css'
import { useSession } from './session.ts'
import { useSignOut } from './use-sign-out.ts'
import { appWords } from './words.ts'

export function PersonMenu() {
  const t = useWords(appWords)
  const companyId = useCompanyId()
  const { person, role } = useSession()
  const { setColorScheme } = useMantineColorScheme()
  const signOut = useSignOut()
  return (
    <Menu position="top-start" width={224}>
      <Menu.Target>
        <UnstyledButton className={styles.person}>
          <span className="visually-hidden">{t('person_menu')}</span>
          <Avatar name={person.name ?? person.email} />
          <span className={styles.companyNames}>
            <bdi className={styles.strong}>{person.name ?? person.email}</bdi>
            <span className={styles.faint}>{t(role)}</span>
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<Icon name="person" />}
          renderRoot={(props) => (
            <Link to="/p/$company/profile" params={{ company: companyId }} {...props} />
          )}
        >
          {t('profile')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="sun" />} onClick={() => setColorScheme('light')}>
          {t('light')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="moon" />} onClick={() => setColorScheme('dark')}>
          {t('dark')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="gear" />} onClick={() => setColorScheme('auto')}>
          {t('as_system')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="sign_out" />} onClick={signOut}>
          {t('sign_out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
