import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { PageLink } from '../../parts/PageLink.tsx'
import { useGo } from '../../app/pages.ts'
import type { SourceView } from '../../../contract/dashboard/knowledge.ts'
import { SOURCE_KINDS } from '../../../core/vocabulary/knowledge.ts'
import { useApi } from '../../app/resources.ts'
import { type Column } from '../../parts/ListTable.tsx'
import { Banner, Empty } from '../../parts/Page.tsx'
import { Time } from '../../parts/Time.tsx'
import { useFormat } from '../../words/format.ts'
import { useWords } from '../../words/use-words.tsx'
import { AssistantHead } from '../AssistantHead.tsx'
import { AddSource } from './AddSource.tsx'
import styles from './knowledge.module.css'
import { isInProgress, sourcesQuery } from './queries.ts'
import { SourcePill } from './SourcePill.tsx'
import { Synonyms } from './Synonyms.tsx'
import { TryQuestion } from './TryQuestion.tsx'
import { ListPage } from '../../parts/ListPage.tsx'
import { useFilters } from '../../app/use-filters.ts'
import { FilterSelect } from '../../parts/FilterMenu.tsx'
import { knowledgeWords } from './words.ts'

/** The page of the assistant's knowledge: its sources, ways to add one, and a search with a question. */
export function Knowledge() {
  const t = useWords(knowledgeWords)
  const api = useApi()
  const go = useGo()
  const filters = useFilters('assistant/knowledge')
  const { kind } = filters.search
  const { data: overview, refetch } = useQuery(api.get('knowledge'))
  const list = useInfiniteQuery(sourcesQuery(api, kind))
  const inProgress = (list.data?.items ?? []).filter(isInProgress).length
  useEffect(() => {
    // The overview counts passages, which change when a source has been read.
    void refetch()
  }, [inProgress, refetch])
  return (
    <ListPage
      title={t('title')}
      head={<AssistantHead tab="knowledge" lead={t('lead')} />}
      above={
        <>
          {overview && overview.failed > 0 && (
            <Banner tone="warn" title={t('some_failed', { n: overview.failed })}>
              {t('some_failed_why')}
            </Banner>
          )}
          <AddSource />
        </>
      }
      filters={filters}
      find={
        <FilterSelect
          label={t('kind')}
          any={t('all_kinds')}
          options={SOURCE_KINDS.map((value) => ({ value, label: t(`kind_${value}`) }))}
          {...filters.of('kind')}
        />
      }
      end={overview && t('used', overview)}
      list={list}
      columns={useColumns()}
      onOpen={({ id }) => void go('assistant/knowledge/$source', { source: id })}
      empty={<Empty title={t('none')}>{t('none_why')}</Empty>}
    >
      <div className={styles.below}>
        <TryQuestion />
        <Synonyms />
      </div>
    </ListPage>
  )
}

function useColumns(): Column<SourceView>[] {
  const t = useWords(knowledgeWords)
  const format = useFormat()
  return [
    {
      head: t('source'),
      cell: ({ id, title }) => (
        <PageLink to="assistant/knowledge/$source" params={{ source: id }} named={title} />
      ),
    },
    { phone: 'quiet', head: t('kind'), cell: ({ kind }) => t(`kind_${kind}`) },
    { phone: 'line', head: t('state'), cell: (source) => <SourcePill source={source} /> },
    {
      phone: 'gone',
      head: t('pieces'),
      isFigure: true,
      cell: ({ chunks }) => format.number(chunks),
    },
    {
      phone: 'end',
      head: t('when'),
      isFigure: true,
      cell: ({ fetchedAt, updatedAt }) => <Time at={fetchedAt ?? updatedAt} as="near" />,
    },
  ]
}
