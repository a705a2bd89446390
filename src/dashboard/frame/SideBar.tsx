import { useQuery, queryOptions } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy } from 'react'
import { Icon } from '../parts/Icon.tsx'
import { LazyMenu } from '../parts/LazyMenu.tsx'
import { Logo } from '../parts/Logo.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { useCompany } from '../app/company.ts'
import { useApi, type Api } from '../app/resources.ts'
import layout from '../parts/layout.module.css'
import styles from './frame.module.css'
import { useLiveQuery } from '../app/live.tsx'
import { NAVIGATION, type NavigationItem } from './navigation.ts'
import { PersonMenu } from './PersonMenu.tsx'
import { useSession } from '../app/session.ts'
import { appWords } from './words.ts'
import type { EndpointState } from '../../core/vocabulary/deliveries.ts'

const CompanyList = lazy(() =>
  import('./CompanyList.tsx').then((module) => ({ default: module.CompanyList })),
)

/** The bar at the side: the switch of projects, the navigation and the person's menu. */
export function SideBar() {
  useLiveQuery('conversation', useApi().get('conversations/counts').queryKey)
  return (
    <div className={styles.side}>
      <CompanySwitch />
      <Navigation />
      <PersonMenu />
    </div>
  )
}

/** The links to all pages that the member's role may open, in groups. */
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
              <NavigationLink key={item.word} item={item} {...(onGo && { onGo })} />
            ))}
          </div>
        )
      })}
    </nav>
  )
}

/** A link of the navigation, with a count for waiting customers or failing endpoints. */
export function NavigationLink({ item, onGo }: { item: NavigationItem; onGo?: () => void }) {
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

/** The number of unassigned conversations. */
function Waiting() {
  const t = useWords(appWords)
  const { number } = useFormat()
  const { data } = useQuery(useApi().get('conversations/counts'))
  if (!data || data.unassigned === 0) return null
  const count = number(data.unassigned)
  const isExact = data.unassigned < data.max
  return (
    <span className={styles.badge}>
      <span aria-hidden>{isExact ? count : t('waiting_at_least', { count })}</span>
      <span className="visually-hidden">
        {t(isExact ? 'waiting_count' : 'waiting_count_least', { n: data.unassigned })}
      </span>
    </span>
  )
}

/** A mark for an endpoint that fails or was switched off after failures. */
function Failing() {
  const t = useWords(appWords)
  const { data } = useQuery(failingEndpointsQuery(useApi()))
  if (data === undefined || data === 0) return null
  return <Icon name="warning" className={styles.failing} label={t('endpoint_fails')} />
}

/** A menu of the account's projects; the URL contains the open one. */
export function CompanySwitch() {
  const t = useWords(appWords)
  const company = useCompany()
  const { account } = useSession()
  return (
    <LazyMenu menu={CompanyList} kind="menu" className={styles.company}>
      <span className="visually-hidden">{t('projects')}</span>
      <Logo />
      <span className={styles.companyNames}>
        <bdi className={layout.strong}>{account.name ?? t('unnamed')}</bdi>
        <bdi className={layout.small}>
          {company.isProject ? (company.name ?? account.name ?? t('unnamed')) : t('own_company')}
        </bdi>
      </span>
      <Icon name="up_down" />
    </LazyMenu>
  )
}

const FAILING_EVERY_MS = 60_000

const FAILING: readonly EndpointState[] = ['failing', 'off_failures', 'off_gone']

/** Returns the query for the number of endpoints that fail or were switched off after failures. */
const failingEndpointsQuery = (api: Api) =>
  queryOptions({
    ...api.get('endpoints', { limit: 100 }),
    select: ({ items }) => items.filter(({ state }) => FAILING.includes(state)).length,
    refetchInterval: FAILING_EVERY_MS,
  })
