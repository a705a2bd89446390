import { Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Icon } from '../parts/Icon.tsx'
import type { LazyMenuProps } from '../parts/LazyMenu.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { useWords } from '../words/use-words.tsx'
import { accountApi } from '../app/resources.ts'
import { useCompany } from '../app/company.ts'
import { useCompanies, useSession } from '../app/session.ts'
import { appWords } from './words.ts'

/** A menu of the account's projects and the person's other accounts. */
export function CompanyList({ children, isOpen, onChange }: LazyMenuProps) {
  const t = useWords(appWords)
  const company = useCompany()
  const companies = useCompanies()
  const { account } = useSession()
  const navigate = useNavigate()
  const nameOf = (name: string | null) => name ?? account.name ?? t('unnamed')
  return (
    <Menu position="bottom-start" width={224} opened={isOpen} onChange={onChange}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('projects')}</Menu.Label>
        {companies.map(({ id, name, isProject }) => (
          <Menu.Item
            key={id}
            leftSection={<Icon name={id === company.id ? 'check' : 'channels'} />}
            onClick={() => void navigate({ to: '/p/$company', params: { company: id } })}
          >
            <bdi>{isProject ? nameOf(name) : t('own_company')}</bdi>
          </Menu.Item>
        ))}
        <OtherAccounts />
      </Menu.Dropdown>
    </Menu>
  )
}

/** The other accounts of the member, who can switch between them within one session. */
function OtherAccounts() {
  const t = useWords(appWords)
  const { account, accounts } = useSession()
  const { run } = useApiMutation()
  const others = accounts.filter(({ id }) => id !== account.id)
  const enter = (accountId: string) =>
    run(async () => {
      await accountApi.call('post', '/session/account', { accountId })
      // Data that was read in one account does not belong to the other.
      location.assign('/')
    })
  if (others.length === 0) return null
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{t('other_accounts')}</Menu.Label>
      {others.map(({ id, name }) => (
        <Menu.Item key={id} leftSection={<Icon name="team" />} onClick={() => void enter(id)}>
          <bdi>{name ?? t('unnamed')}</bdi>
        </Menu.Item>
      ))}
    </>
  )
}
