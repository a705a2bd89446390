import { Menu, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { Icon } from '../parts/Icon.tsx'
import { Mark } from '../parts/Mark.tsx'
import { useAct } from '../parts/use-act.ts'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { api, ask } from './api.ts'
import { useCompany } from './company.ts'
import { conversationCountsQuery, failingEndpointsQuery } from './counts.ts'
import styles from './frame.module.css'
import { useLiveQuery } from './live.tsx'
import { NAVIGATION, ON_PHONES, type NavigationItem } from './navigation.ts'
import { PersonMenu } from './PersonMenu.tsx'
import { useCompanies, useSession } from './session.ts'
import { appWords } from './words.ts'

const MoreDrawer = lazy(() =>
  import('./MoreDrawer.tsx').then((module) => ({ default: module.MoreDrawer })),
)

export function SideBar() {
  const { id } = useCompany()
  useLiveQuery('conversation', conversationCountsQuery(id).queryKey)
  return (
    <div className={styles.side}>
      <CompanySwitch />
      <Navigation />
      <PersonMenu />
    </div>
  )
}

export function Navigation({ onGo }: { onGo?: () => void }) {
  const t = useWords(appWords)
  const { role } = useSession()
  return (
    <nav className={styles.navigation} aria-label={t('navigation')}>
      {NAVIGATION.map(({ word, items }) => {
        const own = items.filter(({ roles }) => roles.includes(role))
        if (own.length === 0) return null
        return (
          <div key={word ?? 'first'} className={styles.group}>
            {word !== null && <div className={styles.groupName}>{t(word)}</div>}
            {own.map((item) => (
              <Item key={item.word} item={item} {...(onGo && { onGo })} />
            ))}
          </div>
        )
      })}
    </nav>
  )
}

function Item({ item, onGo }: { item: NavigationItem; onGo?: () => void }) {
  const t = useWords(appWords)
  const company = useCompany()
  return (
    <Link
      to={item.to}
      params={{ company: company.id }}
      className={styles.item}
      activeProps={{ 'data-here': true }}
      activeOptions={{ exact: item.word === 'home', includeSearch: false }}
      {...(onGo && { onClick: onGo })}
    >
      <Icon name={item.icon} />
      <span>{t(item.word)}</span>
      {item.word === 'inbox' && <Waiting />}
      {item.word === 'webhooks' && <Failing />}
    </Link>
  )
}

/** How many conversations wait for somebody to take them. */
function Waiting() {
  const t = useWords(appWords)
  const { number } = useFormat()
  const { id } = useCompany()
  const { data } = useQuery(conversationCountsQuery(id))
  if (!data || data.unassigned === 0) return null
  const count = number(data.unassigned)
  return (
    <span className={styles.badge}>
      <span aria-hidden>
        {data.unassigned < data.most ? count : t('waiting_at_least', { count })}
      </span>
      <span className="visually-hidden">{t('waiting_count', { n: data.unassigned })}</span>
    </span>
  )
}

/** An endpoint fails, or has been switched off for it. */
function Failing() {
  const t = useWords(appWords)
  const { id } = useCompany()
  const { data } = useQuery(failingEndpointsQuery(id))
  if (data === undefined || data === 0) return null
  return <Icon name="warning" className={styles.failing} label={t('endpoint_fails')} />
}

/** The account and its projects; which one is open stands in the address. */
export function CompanySwitch() {
  const t = useWords(appWords)
  const company = useCompany()
  const companies = useCompanies()
  const { account } = useSession()
  const navigate = useNavigate()
  const nameOf = (name: string | null) => name ?? account.name ?? t('unnamed')
  return (
    <Menu position="bottom-start" width={224}>
      <Menu.Target>
        <UnstyledButton className={styles.company}>
          <span className="visually-hidden">{t('projects')}</span>
          <Mark />
          <span className={styles.companyNames}>
            <bdi className={styles.strong}>{account.name ?? t('unnamed')}</bdi>
            <bdi className={styles.faint}>
              {company.isProject ? nameOf(company.name) : t('own_company')}
            </bdi>
          </span>
          <Icon name="up_down" />
        </UnstyledButton>
      </Menu.Target>
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

/** Whoever is a member of several accounts goes from one to another, with the same session. */
function OtherAccounts() {
  const t = useWords(appWords)
  const { account, accounts } = useSession()
  const { run } = useAct()
  const others = accounts.filter(({ id }) => id !== account.id)
  const enter = (accountId: string) =>
    run(async () => {
      await ask(api.session.account.$post({ json: { accountId } }))
      // Nothing that was read in one account is of the other.
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

/** On phones: three pages, and the rest behind More. */
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
