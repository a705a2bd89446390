import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useCompanyId } from '../app/company.ts'
import { PageHeader, Skeleton } from '../parts/Page.tsx'
import { TabBar, TabLink } from '../parts/Tabs.tsx'
import { useWords } from '../words/use-words.tsx'
import { TOOLS } from './search.ts'
import { SignatureChecker } from './SignatureChecker.tsx'
import { PathTester, PhoneTester } from './Testers.tsx'
import { developerToolsWords } from './words.ts'

// These chunks contain the whole reference of events and all test vectors.
const Events = lazy(() => import('./Events.tsx').then(({ Events: page }) => ({ default: page })))
const Vectors = lazy(() => import('./Vectors.tsx').then(({ Vectors: page }) => ({ default: page })))

const PAGES = {
  signature: SignatureChecker,
  path: PathTester,
  phone: PhoneTester,
  events: Events,
  vectors: Vectors,
}

/** The page of the tools for developers, such as the signature checker, one per tab. */
export function DeveloperTools() {
  const t = useWords(developerToolsWords)
  const companyId = useCompanyId()
  const { tool = 'signature' } = useSearch({ from: '/p/$company/developer-tools' })
  const Page = PAGES[tool]
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <TabBar label={t('title')}>
        {TOOLS.map((name) => (
          <TabLink
            key={name}
            to="/p/$company/developer-tools"
            params={{ company: companyId }}
            search={{ tool: name }}
            isOn={name === tool}
          >
            {t(name)}
          </TabLink>
        ))}
      </TabBar>
      <Suspense fallback={<Skeleton />}>
        <Page />
      </Suspense>
    </>
  )
}
