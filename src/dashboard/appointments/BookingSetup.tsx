import { Tabs } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useCompanyId } from '../app/company.ts'
import { useMay } from '../app/session.ts'
import { Banner, PageHeader, Skeleton } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { BookingPageTab } from './BookingPageTab.tsx'
import { CalendarsTab } from './CalendarsTab.tsx'
import { ChangesTab } from './ChangesTab.tsx'
import { PeopleTab } from './PeopleTab.tsx'
import { SETUP_TABS, type SetupTab } from './routes.ts'
import { ServicesTab } from './ServicesTab.tsx'
import { setupWords } from './words-setup.ts'

const TABS: Readonly<Record<SetupTab, () => React.ReactNode>> = {
  services: ServicesTab,
  people: PeopleTab,
  changes: ChangesTab,
  page: BookingPageTab,
  calendars: CalendarsTab,
}

/** What can be booked, with whom and when, and how customers find it. */
export function BookingSetup() {
  const t = useWords(setupWords)
  const may = useMay()
  const companyId = useCompanyId()
  const navigate = useNavigate()
  const { tab = 'services' } = useSearch({ from: '/p/$company/appointments/set-up' })
  const Tab = TABS[tab]
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        acts={
          <Link to="/p/$company/appointments" params={{ company: companyId }}>
            {t('to_calendar')}
          </Link>
        }
      />
      {!may.setUp && tab !== 'calendars' && <Banner tone="off" title={t('read_only')} />}
      <Tabs
        value={tab}
        mb="lg"
        onChange={(value) =>
          void navigate({
            to: '/p/$company/appointments/set-up',
            params: { company: companyId },
            search: value === 'services' ? {} : { tab: value as SetupTab },
          })
        }
      >
        <Tabs.List>
          {SETUP_TABS.map((value) => (
            <Tabs.Tab key={value} value={value}>
              {t(`tab_${value}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} pt="lg">
          <Suspense fallback={<Skeleton />}>
            <Tab />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
