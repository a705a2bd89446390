import { Menu, useMantineColorScheme } from '@mantine/core'
import { PageLink } from '../parts/PageLink.tsx'
import { Icon } from '../parts/Icon.tsx'
import type { LazyMenuProps } from '../parts/LazyMenu.tsx'
import { useWords } from '../words/use-words.tsx'
import { useSignOut } from './use-sign-out.ts'
import { appWords } from './words.ts'

/** The menu of the signed-in person: profile, colour scheme and sign-out. */
export function PersonMenuList({ children, isOpen, onChange }: LazyMenuProps) {
  const t = useWords(appWords)
  const { setColorScheme } = useMantineColorScheme()
  const signOut = useSignOut()
  return (
    <Menu position="top-start" width={224} opened={isOpen} onChange={onChange}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<Icon name="person" />}
          renderRoot={(props) => <PageLink to="profile" {...props} />}
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
