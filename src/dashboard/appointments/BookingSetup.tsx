import { useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { PageButton } from '../parts/PageLink.tsx'
import { useCompanyId } from '../app/company.ts'
import { useMay } from '../app/session.ts'
import { Banner, PageHeader, Skeleton } from '../parts/Page.tsx'
import { TabBar, TabLink } from '../parts/Tabs.tsx'
import { useWords } from '../words/use-words.tsx'
import { BookingPageTab } from './BookingPageTab.tsx'
import { CalendarsTab } from './CalendarsTab.tsx'
import { ChangesTab } from './ChangesTab.tsx'
import { PeopleTab } from './PeopleTab.tsx'
import { SETUP_TABS, type SetupTab } from './search.ts'
import { ServicesTab } from './ServicesTab.tsx'
import { setupWords } from './words-setup.ts'

const TABS: Readonly<Record<SetupTab, () => React.ReactNode>> = {
  services: ServicesTab,
  people: PeopleTab,
  changes: ChangesTab,
  page: BookingPageTab,
  calendars: CalendarsTab,
}

/**
 * The settings of bookings, in tabs: services, people and rooms, holidays and special hours, the booking page, and
 * calendar links.
 */
export function BookingSetup() {
  const t = useWords(setupWords)
  const may = useMay()
  const companyId = useCompanyId()
  const { tab = 'services' } = useSearch({ from: '/p/$company/appointments/set-up' })
  const Tab = TABS[tab]
  return (
    <>
      <PageHeader
        isBelow
        title={t('title')}
        lead={t('lead')}
        acts={<PageButton to="appointments">{t('to_calendar')}</PageButton>}
      />
      {!may.setUp && tab !== 'calendars' && <Banner tone="off" title={t('read_only')} />}
      <TabBar label={t('title')}>
        {SETUP_TABS.map((name) => (
          <TabLink
            key={name}
            to="/p/$company/appointments/set-up"
            params={{ company: companyId }}
            search={name === 'services' ? {} : { tab: name }}
            isOn={name === tab}
          >
            {t(`tab_${name}`)}
          </TabLink>
        ))}
      </TabBar>
      <Suspense fallback={<Skeleton />}>
        <Tab />
      </Suspense>
    </>
  )
}
