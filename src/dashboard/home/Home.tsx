import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useApi, accountApi } from '../app/resources.ts'
import { useLiveQuery } from '../app/live.tsx'
import { useMay, useSession } from '../app/session.ts'
import { Icon } from '../parts/Icon.tsx'
import { PageHeader } from '../parts/Page.tsx'
import { PageButton } from '../parts/PageLink.tsx'
import { useWords } from '../words/use-words.tsx'
import { Attention } from './Attention.tsx'
import { Demonstration } from './Demonstration.tsx'
import styles from './home.module.css'
import { SetUp } from './SetUp.tsx'
import { countDone, STEP_COUNT } from './steps.ts'
import { Today } from './Today.tsx'
import { Waiting } from './Waiting.tsx'
import { homeWords } from './words.ts'

/** The intervals of reading: short while a step of the setup is missing, long afterwards. */
const SETUP_INTERVAL_MS = 2_000
const REFRESH_INTERVAL_MS = 30_000

/** The first page of a company: steps of the set-up, parts that fail, waiting customers and today's runs. */
export function Home() {
  const t = useWords(homeWords)
  const api = useApi()
  const { person } = useSession()
  const { setUp: maySetUp } = useMay()
  const queryKey = api.key('home')
  const { data: home } = useSuspenseQuery({
    ...api.get('home'),
    refetchInterval: ({ state }) => {
      const setUp = state.data?.setUp
      return setUp && countDone(setUp) < STEP_COUNT ? SETUP_INTERVAL_MS : REFRESH_INTERVAL_MS
    },
  })
  useLiveQuery('conversation', queryKey)
  useLiveQuery('delivery', queryKey)
  useLiveQuery('flow', queryKey)
  useLiveQuery('hook_url', queryKey)
  const { data: dashboard } = useQuery({ ...accountApi.get('/dashboard'), staleTime: Infinity })
  const { setUp, attention, today } = home
  const left = setUp === null ? 0 : STEP_COUNT - countDone(setUp)
  const name = person.name?.split(/\s+/, 1)[0]
  return (
    <>
      <PageHeader
        title={name ? t('welcome', { name }) : t('title')}
        lead={
          setUp === null
            ? t('lead_agent')
            : left === 0
              ? t(attention?.length ? 'all_done_but' : 'all_done')
              : t('steps_left', { n: left })
        }
        acts={
          maySetUp && (
            <PageButton to="team" leftSection={<Icon name="person_add" />}>
              {t('invite')}
            </PageButton>
          )
        }
      />
      {attention !== null && attention.length > 0 && <Attention items={attention} />}
      <div className={setUp === null ? styles.single : styles.columns}>
        {setUp !== null && (
          <div className={styles.column}>
            {dashboard?.isDemonstration === true && setUp.channel?.isSimulated === true && (
              <Demonstration phonesUrl={dashboard.phonesUrl} />
            )}
            <SetUp setUp={setUp} companyName={home.companyName} />
          </div>
        )}
        <div className={styles.column}>
          <Waiting needsPerson={home.needsPerson} />
          {today !== null && <Today today={today} at={home.at} />}
        </div>
      </div>
    </>
  )
}
